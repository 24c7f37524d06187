package control

import (
	"cmp"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/seam"
)

var (
	errNotChaos      = errors.New("control: this binary was built without -tags chaos, so its hooks do nothing; build with -tags chaos")
	errInstalled     = errors.New("control: another engine is installed in this process; close it first")
	errNoGoroutineID = errors.New("control: goroutines cannot be distinguished on this platform, so they cannot be controlled")
)

// An Engine runs executions, one after the other. Its methods must be called by one
// goroutine at a time, and not from inside an execution unless they say so.
type Engine struct{ in *engine }

// An engine is what the hooks see: it implements seam.Controller.
type engine struct {
	control seam.Control
	release func() // takes the engine out of the hooks; nil once it is closed

	strategy      strategy.Strategy
	asksRoot      bool              // the chooser is an atRoot
	chooser       strategy.Strategy // the strategy, or what asks it on the root's goroutine
	observer      strategy.Observer // the strategy as an Observer, or nil; likewise the next three
	skipper       strategy.Skipper
	afterSwitcher strategy.AfterSwitcher
	rerunner      strategy.Rerunner

	points     bool // a decision at each hook point
	clockMode  Clock
	racy       bool // the execution has a clock
	mixed      bool // the execution can be repeated without a clock
	brief      bool // the clock fires only timers that make no task wait for longer than briefest
	repeating  bool // the execution follows a schedule
	allowLeaks bool
	own        []string // see symbolsOf
	patience   time.Duration
	maxSteps   int
	maxSpins   int
	within     time.Duration
	stepped    func()
	// exploredRepeats is a variable for tests, which compare with a search without it.
	exploredRepeats int

	front front
	// Set by the front end: call front.look before each decision, take forced turns from front.overdue, continue after
	// an operation without a step, keep the clock apart from the tasks, let tasks run alone for very long, and leave
	// the sources of reads to the front end.
	looks, forces, staysFree, clockAside, runsLong, namesSources bool

	faults faults

	executing bool
	watchdog  *watchdog // nil if there is none

	tracing   bool
	traceFrom int // step at which tracing begins; 0 is the beginning
	stop      stop
	watch     int // step at which tracing begins or the execution stops; never if neither does
	traced    []Event
	causes    causes

	execution // the one in progress
	number    int
	edges     atomic.Uint32 // happens-before edges to the root, for the race detector
	grace     time.Duration
}

// New returns an engine and installs it in this process. Close must follow.
func New(o Options) (*Engine, error) {
	if err := o.Plan.Check(); err != nil {
		return nil, err
	}
	if o.Memory < SC || o.Memory > Views {
		return nil, fmt.Errorf("control: unknown memory %v; want SC, TSO or Views", o.Memory)
	}
	if o.Strategy == nil {
		o.Strategy = strategy.Random()
	}
	if o.Runtime != nil {
		return installRuntime(o)
	}
	return installHooks(o)
}

// setUp initializes the engine behind front end f.
func (e *engine) setUp(o Options, f front) {
	*e = engine{
		front: f, maxSteps: cmp.Or(o.MaxSteps, 1_000_000), maxSpins: cmp.Or(o.MaxSpins, 5_000), exploredRepeats: exploredRepeats,
		within: o.Within, stepped: o.Stepped, points: o.Points, clockMode: o.Clock, grace: cmp.Or(o.Grace, defaultGrace),
		patience: cmp.Or(o.Patience, defaultPatience),
	}
	e.setStrategy(o.Strategy)
	e.faults.arm(o.Plan)
}

// Close removes the engine from the hooks and ends its goroutines. It blocks until they have
// ended, and may be called several times.
func (e *Engine) Close() {
	in := e.in
	if in.release == nil {
		return
	}
	in.release()
	in.release = nil
	if in.watchdog != nil {
		in.watchdog.end()
	}
	in.front.close()
}

// Run runs one execution: body, as the task "main", and what it starts, until all of that has
// ended or no task can continue. It returns false, and runs nothing, if the strategy has
// explored everything.
func (e *Engine) Run(seed uint64, body func()) (Result, bool) { return e.in.run(seed, body) }

// Repeat runs one execution of body under a schedule, in place of the engine's strategy and
// plan. It also returns the entries of the schedule that did not apply: none if the body has
// not changed.
func (e *Engine) Repeat(s strategy.Schedule, body func()) (Result, strategy.Schedule) {
	return e.in.repeat(s, body)
}

// RunBy runs one execution of body by another strategy than the engine's, and without its plan.
func (e *Engine) RunBy(s strategy.Strategy, seed uint64, body func()) Result {
	r, _ := e.in.runUnder(s, strategy.Schedule{Seed: seed}, body)
	return r
}

// Trace is Repeat, and returns every event; for a long execution only those of the last steps,
// from step Result.TracedFrom on.
func (e *Engine) Trace(s strategy.Schedule, body func()) (Result, []Event) {
	end := e.in.beginTrace(0)
	defer func() { end() }()
	r, _ := e.in.repeat(s, body)
	if len(e.in.traced) < maxTraced {
		return r, e.in.traced
	}
	end()
	from := max(r.Steps-maxTraced/2, 1)
	end = e.in.beginTrace(from)
	r, _ = e.in.repeat(s, body)
	r.TracedFrom = from
	return r, e.in.traced
}

// Explicit returns the schedule of the last execution with the turns of tasks that waited for long, which are not
// decisions, added as decisions: they may apply in a shorter execution, in which no task waits for so long.
func (e *Engine) Explicit() strategy.Schedule { return e.in.explicit() }

// TraceOnce is Trace in a single execution, and returns also the entries of the schedule that did not apply. For
// a long execution it returns no events.
func (e *Engine) TraceOnce(s strategy.Schedule, body func()) (Result, []Event, strategy.Schedule) {
	end := e.in.beginTrace(0)
	defer end()
	r, unused := e.in.repeat(s, body)
	if len(e.in.traced) < maxTraced {
		return r, e.in.traced, unused
	}
	r.TracedFrom = r.Steps
	return r, nil, unused
}

// Path returns the path of the task of the last execution that has this key, or "".
func (e *Engine) Path(key uint64) string {
	for _, t := range e.in.tasks[:e.in.count] {
		if t.Key == key {
			return t.path()
		}
	}
	return ""
}

// Go starts a task, from inside an execution: like go hooks.Task(f)(), without a goroutine
// that has nothing left to do.
func (e *Engine) Go(f func()) {
	if !e.in.inside("Go") {
		return
	}
	e.in.front.start(f)
}

// SetWithin sets Options.Within, between executions.
func (e *Engine) SetWithin(d time.Duration) { e.in.within = d }

// Late returns Result.Late of the execution in progress, so far.
//
//go:norace
func (e *Engine) Late() int { return e.in.late }

// Fail ends the execution in progress with a verdict, from inside. The calling task continues
// at most to its next operation.
func (e *Engine) Fail(v verdict.Verdict, summary string) {
	if e.in.inside("Fail") {
		e.in.fail(v, summary, "")
	}
}

// Cause returns what the memory did in the last execution that no sequentially consistent memory
// does, with file and line, or "" if it did no such thing.
func (e *Engine) Cause() string {
	if h, ok := e.in.front.(*hookedTasks); ok && h.weak != nil {
		return h.weak.events.cause()
	}
	return ""
}

// FencesNotMet returns those of Options.WithoutFences that no execution so far has reached:
// under SC, all of them.
func (e *Engine) FencesNotMet() []string {
	var names []string
	if h, ok := e.in.front.(*hookedTasks); ok {
		for i, name := range h.withoutFences {
			if h.weak == nil || !h.weak.met[i] {
				names = append(names, name)
			}
		}
	}
	return names
}

// Untracked returns where goroutines were started that are not tasks and ended before they could
// be found, or "" if there were none. What they did has not been explored.
func (e *Engine) Untracked() string {
	if h, ok := e.in.front.(*hookedTasks); ok {
		return h.starts.report
	}
	return ""
}

// Choose returns a number below n, at least 1, that the strategy picks, from inside an
// execution: a choice of the subject's own, explored and recorded with the schedule.
func (e *Engine) Choose(n int) int {
	if !e.in.inside("Choose") || e.in.abandoning {
		return 0
	}
	return e.in.front.chooseOutcome(n)
}

// inside reports whether the caller is a task of the execution in progress; another goroutine
// is reported as an outsider. It panics if no execution is in progress.
func (e *engine) inside(name string) bool {
	in, reported := e.front.inside()
	if !in && !reported {
		panic("control: " + name + " is called by a goroutine that is not a task of the execution in progress")
	}
	return in
}

func (e *engine) setStrategy(s strategy.Strategy) {
	e.observer, _ = s.(strategy.Observer)
	e.skipper, _ = s.(strategy.Skipper)
	e.afterSwitcher, _ = s.(strategy.AfterSwitcher)
	e.rerunner, _ = s.(strategy.Rerunner)
	e.strategy = s
	e.chooser, e.asksRoot = e.front.askBy(s)
}

// repeat implements Engine.Repeat.
func (e *engine) repeat(s strategy.Schedule, body func()) (Result, strategy.Schedule) {
	replay := &strategy.Replay{Schedule: s.Deviations}
	result, unusedFires := e.runUnder(replay, s, body)
	return result, strategy.Schedule{Deviations: replay.Unused(), Fires: unusedFires, Seed: s.Seed}
}

// runUnder runs one execution with another strategy, and the fires of a schedule in place of the plan. It
// also returns the fires that did not apply.
func (e *engine) runUnder(s strategy.Strategy, by strategy.Schedule, body func()) (Result, []strategy.Fire) {
	before, faults := e.strategy, e.faults
	defer func() { e.setStrategy(before); e.faults, e.repeating = faults, false }()
	e.setStrategy(s)
	e.faults.repeat(by.Fires)
	e.repeating = true
	result, _ := e.run(by.Seed, body)
	result.Schedule = result.Schedule.Clone()
	return result, e.faults.unused()
}
