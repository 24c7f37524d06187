package native

import (
	"errors"
	"sync"

	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/seam"
)

// Errors of Arm, other than a *plan.PlanError.
var (
	// ErrNotChaos: the hooks of this binary are empty.
	ErrNotChaos = errors.New("native: this binary was built without -tags chaos, so its hooks do nothing; build with -tags chaos")
	// ErrArmed: the process has one engine at a time, of whatever kind.
	ErrArmed = errors.New("native: another engine is armed in this process; disarm it first")
)

// An Engine carries out one plan, from Arm to Disarm. Its methods may be called from any
// goroutine.
type Engine struct {
	in        *injector
	uninstall func()
	disarm    sync.Once
}

// Arm makes hooks do what the plan says. The calling goroutine becomes the task "main"; it
// must not end before the engine is disarmed. Goroutines that are running already are foreign
// tasks. The plan is copied.
//
// Nothing is installed if there is an error: ErrNotChaos, ErrArmed, or that of Plan.Check
// (*plan.PlanErrors, joined).
//
// To the race detector, Arm happens before every later visit of a hook, which loads the
// installed engine atomically; nothing else creates an edge. Arm before starting the
// goroutines that are to race.
func Arm(p plan.Plan) (*Engine, error) {
	if !hooks.Enabled {
		return nil, ErrNotChaos
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	in := newInjector(p)
	if !in.alike {
		in.tasks.enter(in.newTask(in.goroutine(), rootIdent(mainRoot)))
	}
	uninstall, ok := seam.Install(in)
	if !ok {
		return nil, ErrArmed
	}
	return &Engine{in: in, uninstall: uninstall}, nil
}

// Stop stops the fault with that index in the plan from firing. A goroutine that it holds, or
// that is inside a delay of which it is the last part, continues within 20 ms. The counts stay,
// and the engine stays armed. Stop does not block and may be called several times.
func (e *Engine) Stop(fault int) { e.in.faults[fault].stopped.set() }

// Disarm uninstalls the engine: hooks do nothing again, and a goroutine inside an injected
// delay or hold continues within 20 ms. A hook that has just begun may still carry out its
// decision. Counts and events can still be read. Disarm does not block and may be called
// several times.
func (e *Engine) Disarm() {
	e.disarm.Do(func() {
		e.uninstall()
		e.in.disarmed.set()
	})
}
