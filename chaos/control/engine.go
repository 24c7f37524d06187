package control

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/chaos/internal/racing"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/seam"
	"github.com/rouse-go/rouse/internal/self"
)

// Why New refuses.
var (
	// ErrNotChaos: the hooks of this binary are empty.
	ErrNotChaos = errors.New("control: this binary was built without -tags chaos, so its hooks do nothing; build with -tags chaos")
	// ErrInstalled: the process has one engine at a time, of whatever kind.
	ErrInstalled = errors.New("control: another engine is installed in this process; close it first")
	// ErrAlike: goroutines can't be told apart on this platform.
	ErrAlike = errors.New("control: goroutines can't be told apart on this platform, so nothing can be controlled")
)

// An Engine runs executions, one after the other. Its methods must be called by
// one goroutine at a time, and, but for those that say so, not from inside an
// execution.
type Engine struct{ in *engine }

// An engine is what the hooks see.
type engine struct {
	control   seam.Control
	release   func()
	mechanism mechanism
	pooled    bool // the mechanism is coroutines: a host serves many tasks
	strategy  strategy.Strategy
	chooser   strategy.Strategy // the strategy, asked where it may be asked: see atRoot
	observer  strategy.Observer
	skipper   strategy.Skipper
	after     strategy.AfterSwitcher
	rerunner  strategy.Rerunner // the same, if it is one
	points    bool
	racy      bool
	maxSteps  int
	maxSpins  int
	within    time.Duration
	// exploredRepeats is a variable for tests, which compare with a search without it.
	exploredRepeats int

	root  *host
	hosts []*host
	idle  []*host

	faults faults
	weak   *weak // nil: the memory is sequentially consistent
	// without are the fences that a weak memory leaves out.
	without []string

	executing bool
	watchdog  *watchdog // nil: there is none

	tracing bool
	traced  []Event
	causes  causes

	execution // the one under way
	number    int
	meeting   atomic.Uint32
	outsiders outsiders
	starts    starts
	grace     time.Duration
	graceUsed bool // there is none any more
}

// New returns an engine and makes it the process's. Close must follow.
func New(o Options) (*Engine, error) {
	if !hooks.Enabled {
		return nil, ErrNotChaos
	}
	if !self.Known {
		return nil, ErrAlike
	}
	if err := o.Plan.Check(); err != nil {
		return nil, err
	}
	if o.Memory < SC || o.Memory > Views {
		return nil, fmt.Errorf("control: there is no %v; right would be SC, TSO or Views", o.Memory)
	}
	e := &engine{maxSteps: o.MaxSteps, maxSpins: o.MaxSpins, exploredRepeats: exploredRepeats, within: o.Within, points: o.Points, racy: o.Clock == Racy}
	if e.maxSteps == 0 {
		e.maxSteps = 1_000_000
	}
	if e.maxSpins == 0 {
		e.maxSpins = 5_000
	}
	if o.Switch == Channels || o.Switch == Fastest && racing.Detector {
		e.mechanism = channels{}
	} else {
		e.mechanism, e.pooled = new(coroutines), true
	}
	s := o.Strategy
	if s == nil {
		s = strategy.Random()
	}
	e.follow(s)
	e.faults.arm(o.Plan)
	e.root = &host{engine: e}
	if !e.pooled {
		e.mechanism.start(e.root)
	}
	e.control.Controller = e
	e.without = o.WithoutFences
	e.weaken(o.Memory)
	e.control.SetRunning(nobody)
	release, ok := seam.TakeControl(&e.control)
	if !ok {
		return nil, ErrInstalled
	}
	e.release = release
	e.outsiders.remember(goroutines())
	e.grace = cmp.Or(o.Grace, DefaultGrace)
	if o.Patience == 0 {
		o.Patience = DefaultPatience
	}
	if o.Patience > 0 {
		e.watch(o.Patience)
	}
	return &Engine{e}, nil
}

// Close gives the hooks back and ends the engine's goroutines. It blocks until
// they have ended, and may be called several times.
func (e *Engine) Close() { e.in.close() }

// Run runs one execution: body, as the task "main", and what it starts, until all
// of that has ended or nothing can go on. It returns false, and runs nothing, if
// the strategy has explored all there is.
func (e *Engine) Run(seed uint64, body func()) (Result, bool) { return e.in.run(seed, body) }

// Repeat runs one execution of body under a schedule, whatever the engine's
// strategy and plan are. It also returns the entries of the schedule that did not
// apply: there are none if the body is what it was.
func (e *Engine) Repeat(s strategy.Schedule, body func()) (Result, strategy.Schedule) {
	return e.in.repeat(s, body)
}

// Path returns the path of the task of the last execution that has this key, or "".
func (e *Engine) Path(key uint64) string { return e.in.path(key) }

// Go starts a task, from inside an execution: what go hooks.Task(f)() does, without
// the goroutine that has nothing left to do.
func (e *Engine) Go(f func()) {
	if !e.in.inside("Go") {
		return
	}
	e.in.drainStores()
	e.in.spawn(e.in.current(), f)
}

// SetWithin sets Options.Within, between executions.
func (e *Engine) SetWithin(d time.Duration) { e.in.within = d }

// Fail ends the execution under way with a verdict, from inside. The calling task
// goes on, at most to its next operation.
func (e *Engine) Fail(v verdict.Verdict, summary string) {
	if e.in.inside("Fail") {
		e.in.fail(v, summary, "")
	}
}

// Cause says what the memory did in the last execution that no sequentially
// consistent memory does, with file and line, or "" if that has not been needed.
func (e *Engine) Cause() string {
	if e.in.weak == nil {
		return ""
	}
	return e.in.weak.events.cause()
}

// FencesNotMet returns those of Options.WithoutFences that no execution so far has
// come to: under SC, all of them.
func (e *Engine) FencesNotMet() []string { return e.in.fencesNotMet() }

// Untracked says where goroutines were started that are no tasks, and had ended before they
// could be found, or "": what they did has not been explored.
func (e *Engine) Untracked() string { return e.in.starts.report }

// Choose returns a number below n, at least 1, that the strategy picks, from inside
// an execution: a choice of the subject's own, explored and recorded with the
// schedule.
func (e *Engine) Choose(n int) int {
	if !e.in.inside("Choose") || e.in.abandoning {
		return 0
	}
	i := e.in.pick(n)
	if e.in.tracing {
		e.in.traceChoice(i)
	}
	return i
}

// inside reports whether the caller is a task of the execution under way. If it is
// another goroutine, that is reported. It panics if no execution is under way.
func (e *engine) inside(name string) bool {
	if e.onTask() {
		return true
	}
	if !e.outside() {
		panic("control: " + name + " is called by a goroutine that is no task of the execution under way")
	}
	return false
}

// close is Close.
func (e *engine) close() {
	if e.release == nil {
		return
	}
	e.release()
	e.release = nil
	if e.watchdog != nil {
		e.watchdog.end()
	}
	e.stopping, e.abandoning = true, true
	e.mechanism.stop(e.hosts)
	e.hosts, e.idle = nil, nil
}

// follow makes s the strategy.
func (e *engine) follow(s strategy.Strategy) {
	e.observer, _ = s.(strategy.Observer)
	e.skipper, _ = s.(strategy.Skipper)
	e.after, _ = s.(strategy.AfterSwitcher)
	e.rerunner, _ = s.(strategy.Rerunner)
	e.strategy, e.chooser = s, s
	if racing.Detector {
		e.chooser = &atRoot{Strategy: s, engine: e}
	}
}

// repeat is Repeat.
func (e *engine) repeat(s strategy.Schedule, body func()) (Result, strategy.Schedule) {
	before, faults := e.strategy, e.faults
	defer func() { e.follow(before); e.faults = faults }()
	replay := &strategy.Replay{Schedule: s.Deviations}
	e.follow(replay)
	e.faults.repeat(s.Fires)
	result, _ := e.run(0, body)
	result.Schedule = result.Schedule.Clone()
	return result, strategy.Schedule{Deviations: replay.Unused(), Fires: e.faults.unused()}
}

func itoa(n int) string { return strconv.Itoa(n) }
