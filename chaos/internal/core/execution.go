package core

import (
	"fmt"
	"runtime/debug"
	"time"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// An execution holds the state that is reset when another execution begins.
type execution struct {
	strategy.Choice // the current choice, kept up to date

	Tasks    []*Task // by ID; the first NumTasks belong to this execution
	NumTasks int
	Alive    int
	Objects  objects
	Pools    objects // of a trace: each sync.Pool that is used
	Clock    *Task   // the pseudo-task that fires timers; nil unless time is racy
	Events   []strategy.Event
	Observed bool // by the observer, and not only in what begins tasks
	Known    int  // steps whose events the observer knows

	Unforced        bool // the strategy is not asked where there is no choice
	Hash            uint64
	deviations      []strategy.Deviation
	turns           []turn
	decisionsAtRoot int32 // before the first task began

	Held      []*Task   // until other tasks pass a point, eldest first
	Touched   []*Object // channels on which a real operation follows the step
	Spinners  []*Task
	spins     int // since the last write
	Limit     int // of decisions
	Early     int // timers that the clock fired
	Firings   int // of timers, also where no task could continue
	FiredAt   int // the step of the last one
	Idles     int // how often no task could continue
	SoloSteps int // made by tasks that run alone
	Progress  int // the last step that can have changed something
	expired   bool
	Began     time.Time // set only if time is bounded
	Collapsed int       // loops whose interleavings cannot all be explored
	Forced    int       // as in Result
	RoundLeft int       // steps left in a round, in which no task is held back
	Alone     int       // steps for which tasks may still run on alone for very long, all together
	Late      int       // as in Result
	Lazy      bool      // a timer could not fire although a task could continue
	Left      bool      // tasks that the first one left behind were cut, which is not a failure

	Seed   uint64
	judges []Judge

	Stopping   bool // no more decisions: control goes back to the root
	Abandoning bool // tasks are being unwound
	Outcome    Outcome
}

// Run implements control.Engine.Run.
func (e *Engine) Run(seed uint64, body func()) (Result, bool) {
	if !e.Strategy.Begin(strategy.Execution{Number: e.Number, Seed: seed}) {
		return Result{}, false
	}
	if !e.asksRoot {
		e.Chooser = strategy.Chooser(e.Strategy)
	}
	e.begin(seed)
	e.Front.Run(body)
	e.Stop = stop{}
	result := e.Front.Conclude(e.result())
	e.endStrategy(&result)
	return result, true
}

// begin resets everything for an execution with this seed.
func (e *Engine) begin(seed uint64) {
	old := &e.execution
	clear(old.judges)
	old.Objects.reset()
	old.Pools.reset()
	old.Choice.Renew()
	e.execution = execution{
		Choice: old.Choice,
		Tasks:  old.Tasks, Objects: old.Objects, Pools: old.Pools, Events: old.Events[:0],
		deviations: old.deviations[:0], turns: old.turns[:0], Held: old.Held[:0], Touched: old.Touched[:0], Spinners: old.Spinners[:0],
		judges: old.judges[:0], Seed: seed,
	}
	e.Limit = e.MaxSteps
	e.setClock(seed)
	e.Unforced = e.skipper != nil && e.skipper.SkipsForced()
	e.Control.Publishing = e.afterSwitcher != nil && e.afterSwitcher.SwitchesAfter()
	e.Observed = e.Observer != nil && !(e.spawnObserver != nil && e.spawnObserver.OnlySpawns())
	if e.rerunner != nil {
		e.Known = e.rerunner.Known()
	}
	e.Faults.Begin(seed)
	e.Control.Quiet = !e.Points && !e.Faults.Armed && !e.Tracing && e.traceFrom == 0
	e.watchSteps()
	e.Front.Begin()
	e.Number++
	e.Edges.Add(1)
}

// Choose calls Decide where there is no task to carry a panic: at the beginning, and after a task
// has ended. A strategy that panics ends the execution.
//
//go:norace
func (e *Engine) Choose() *Task {
	defer e.RecoverStrategy()
	return e.Decide()
}

// RecoverStrategy is deferred around calls of the strategy: if that panics, the execution ends. See StrategyFailed.
//
//go:norace
func (e *Engine) RecoverStrategy() {
	if v := recover(); v != nil {
		e.StrategyFailed(v)
	}
}

// StrategyFailed ends the execution because the strategy panicked with v.
//
//go:norace
func (e *Engine) StrategyFailed(v any) {
	if d, ok := v.(*strategy.DivergenceError); ok {
		e.FailWith(verdict.Nondeterminism, d.Error(), "")
	} else {
		e.FailWith(verdict.Panicked, fmt.Sprintf("strategy %s: panic: %v", e.Strategy.Name(), v), string(debug.Stack()))
	}
}

// FailByPanic ends the execution because t panicked with v. It runs on t's stack, in a deferred
// call.
//
//go:norace
func (e *Engine) FailByPanic(t *Task, v any) {
	if d, ok := v.(*strategy.DivergenceError); ok {
		e.FailWith(verdict.Nondeterminism, d.Error(), "")
		return
	}
	e.FailWith(verdict.Panicked, fmt.Sprintf("task %s: panic: %v", t.Title(), v), string(debug.Stack()))
}

// endStrategy reports to the strategy how the execution ended. A strategy that finds that the
// same decisions led elsewhere panics with a DivergenceError.
func (e *Engine) endStrategy(r *Result) {
	defer func() {
		v := recover()
		if d, ok := v.(*strategy.DivergenceError); ok {
			if r.Verdict == verdict.Pass {
				r.Verdict, r.Summary = verdict.Nondeterminism, d.Error()
			}
		} else if v != nil {
			panic(v)
		}
	}()
	e.FlushEvents()
	end := strategy.Result{
		Steps: e.Step - e.SoloSteps, Failed: r.Verdict != verdict.Pass, Cut: e.Outcome.Cut || e.Left, Collapsed: e.Collapsed, Order: r.Order,
		Forced: e.Forced, Lazy: e.Lazy || e.Clock == nil && (r.Timers > 0 || e.NumTasks > 1 && r.Sleeps > 0),
		Drawn: len(e.Faults.plan) > 0, Outside: r.Outside.Wakes > 0,
	}
	e.Strategy.End(e.Front.CompleteEnd(end))
}

// SetExecuting records, for the watchdog, whether an execution is in progress.
//
//go:norace
func (e *Engine) SetExecuting(yes bool) { e.executing = yes }
