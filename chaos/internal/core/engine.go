package core

import (
	"cmp"
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/seam"
)

// An Engine is what both front ends share, and embed: the strategy, the execution in progress and its trace. Its methods
// ask Front for what only a front end knows.
type Engine struct {
	Control seam.Control
	Release func() // takes the engine out of the hooks, if it is in them; nil once it is closed

	Strategy      strategy.Strategy
	asksRoot      bool              // Chooser asks the strategy on the root: see Front.AskBy
	Chooser       strategy.Strategy // the strategy, or what asks it on the root's goroutine
	Observer      strategy.Observer // the strategy as an Observer, or nil; likewise the next four
	skipper       strategy.Skipper
	afterSwitcher strategy.AfterSwitcher
	spawnObserver strategy.SpawnObserver
	rerunner      strategy.Rerunner

	Points    bool // a decision at each hook point
	ClockMode Clock
	Racy      bool // the execution has a clock
	mixed     bool // the execution can be repeated without a clock
	Brief     bool // the clock fires only timers that keep no task waiting for long
	Repeating bool // the execution follows a schedule
	Patience  time.Duration
	MaxSteps  int
	MaxSpins  int
	Within    time.Duration
	stepped   func()
	// ExploredRepeats is a variable for tests, which compare with a search without it.
	ExploredRepeats int

	Front Front // it embeds this engine
	// Set by the front end: call Front.Look before each decision, take forced turns from Front.Overdue, continue after
	// an operation without a step, keep the clock apart from the tasks, let tasks run alone for very long, and leave
	// the sources of reads to the front end.
	Looks, Forces, StaysFree, ClockAside, RunsLong, NamesSources bool

	Faults faults

	executing bool
	Watchdog  *watchdog // nil if there is none

	Tracing   bool
	traceFrom int // step at which tracing begins; 0 is the beginning
	Stop      stop
	Watch     int // step at which tracing begins or the execution stops; never if neither does
	Traced    []Event
	Causes    causes

	execution // the one in progress
	Number    int
	Edges     atomic.Uint32 // happens-before edges to the root, for the race detector
	Grace     time.Duration
}

// SetUp initializes the engine behind front end f.
func (e *Engine) SetUp(o Options, f Front) {
	*e = Engine{
		Front: f, MaxSteps: cmp.Or(o.MaxSteps, 1_000_000), MaxSpins: cmp.Or(o.MaxSpins, 5_000), ExploredRepeats: ExploredRepeats,
		Within: o.Within, stepped: o.Stepped, Points: o.Points, ClockMode: o.Clock, Grace: cmp.Or(o.Grace, DefaultGrace),
		Patience: cmp.Or(o.Patience, DefaultPatience), Release: func() {},
	}
	e.setStrategy(o.Strategy)
	e.Faults.Arm(o.Plan)
}

// Close implements control.Engine.Close.
func (e *Engine) Close() {
	if e.Release == nil {
		return
	}
	e.Release()
	e.Release = nil
	if e.Watchdog != nil {
		e.Watchdog.End()
	}
	e.Front.Close()
}

// RunBy implements control.Engine.RunBy.
func (e *Engine) RunBy(s strategy.Strategy, seed uint64, body func()) (Result, bool) {
	r, _, more := e.runUnder(s, strategy.Schedule{Seed: seed}, body)
	return r, more
}

// TraceAll implements control.Engine.Trace.
func (e *Engine) TraceAll(s strategy.Schedule, body func()) (Result, []Event) {
	end := e.beginTrace(0)
	defer func() { end() }()
	r, _ := e.Repeat(s, body)
	if len(e.Traced) < maxTraced {
		return r, e.Traced
	}
	end()
	from := max(r.Steps-maxTraced/2, 1)
	end = e.beginTrace(from)
	r, _ = e.Repeat(s, body)
	r.TracedFrom = from
	return r, e.Traced
}

// TraceOnce implements control.Engine.TraceOnce.
func (e *Engine) TraceOnce(s strategy.Schedule, body func()) (Result, []Event, strategy.Schedule) {
	end := e.beginTrace(0)
	defer end()
	r, unused := e.Repeat(s, body)
	if len(e.Traced) < maxTraced {
		return r, e.Traced, unused
	}
	r.TracedFrom = r.Steps
	return r, nil, unused
}

// PathOf implements control.Engine.Path.
func (e *Engine) PathOf(key uint64) string {
	if t := e.keyed(key); t != nil {
		return t.Path()
	}
	return ""
}

// StartTask implements control.Engine.Go.
func (e *Engine) StartTask(f func()) {
	if e.Inside("Go") {
		e.Front.Start(f)
	}
}

// TaskTitle implements control.Engine.Task.
func (e *Engine) TaskTitle() string {
	if !e.Inside("Task") {
		return ""
	}
	return e.Running().Title()
}

// FailInside implements control.Engine.Fail.
func (e *Engine) FailInside(v verdict.Verdict, summary string) {
	if e.Inside("Fail") {
		e.FailWith(v, summary, "")
	}
}

// ChooseInside implements control.Engine.Choose.
func (e *Engine) ChooseInside(n int) int {
	if !e.Inside("Choose") || e.Abandoning {
		return 0
	}
	return e.Front.ChooseOutcome(n)
}

// Recovered implements control.Engine.Recovered.
//
//go:norace
func (e *Engine) Recovered(v any) {
	if !e.Inside("Recovered") || e.Abandoning {
		return
	}
	t := e.Running()
	if v != nil {
		e.FailByPanic(t, v)
	}
	if e.Stopping {
		defer func() { _ = recover() }() // the unwinding
		e.Front.GiveUp(t)
	}
}

// Inside reports whether the caller is a task of the execution in progress; another goroutine
// is reported as an outsider. It panics if no execution is in progress.
func (e *Engine) Inside(name string) bool {
	in, reported := e.Front.Inside()
	if !in && !reported {
		panic("control: " + name + " is called by a goroutine that is not a task of the execution in progress")
	}
	return in
}

func (e *Engine) setStrategy(s strategy.Strategy) {
	e.Observer, _ = s.(strategy.Observer)
	e.skipper, _ = s.(strategy.Skipper)
	e.afterSwitcher, _ = s.(strategy.AfterSwitcher)
	e.spawnObserver, _ = s.(strategy.SpawnObserver)
	e.rerunner, _ = s.(strategy.Rerunner)
	e.Strategy = s
	e.Chooser, e.asksRoot = e.Front.AskBy(s)
}

// Repeat implements control.Engine.Repeat.
func (e *Engine) Repeat(s strategy.Schedule, body func()) (Result, strategy.Schedule) {
	replay := &strategy.Replay{Schedule: s.Deviations}
	result, unusedFires, _ := e.runUnder(replay, s, body)
	return result, strategy.Schedule{Deviations: replay.Unused(), Fires: unusedFires, Seed: s.Seed}
}

// runUnder runs one execution with another strategy, and the fires of a schedule in place of the plan. It
// also returns the fires that did not apply, and false if the strategy has explored everything.
func (e *Engine) runUnder(s strategy.Strategy, by strategy.Schedule, body func()) (Result, []strategy.Fire, bool) {
	before, faults := e.Strategy, e.Faults
	defer func() { e.setStrategy(before); e.Faults, e.Repeating = faults, false }()
	e.setStrategy(s)
	e.Faults.Repeat(by.Fires)
	e.Repeating = true
	result, more := e.Run(by.Seed, body)
	result.Schedule = result.Schedule.Clone()
	return result, e.Faults.unused(), more
}
