package control

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

	tasks   []*task // by ID; the first count belong to this execution
	count   int
	alive   int
	objects objects
	clock   *task // the pseudo-task that fires timers; nil unless time is racy
	events  []strategy.Event
	known   int // steps whose events the observer knows

	unforced        bool // the strategy is not asked where there is no choice
	hash            uint64
	deviations      []strategy.Deviation
	turns           []turn
	decisionsAtRoot int32 // before the first task began

	held      []*task   // until other tasks pass a point, eldest first
	touched   []*object // channels on which a real operation follows the step
	spinners  []*task
	spins     int // since the last write
	limit     int // of decisions
	early     int // timers that the clock fired
	idles     int // how often no task could continue
	soloSteps int // made by tasks that run alone
	progress  int // the last step that can have changed something
	expired   bool
	began     time.Time // set only if time is bounded
	collapsed int       // loops whose interleavings cannot all be explored
	forced    int       // as in Result
	roundLeft int       // steps left in a round, in which no task is held back: see runtime_pace.go
	alone     int       // steps for which tasks may still run on alone for very long, all together
	late      int       // as in Result
	lazy      bool      // a timer could not fire although a task could continue
	left      bool      // tasks that the first one left behind were cut, which is not a failure

	seed   uint64
	judges []Judge

	stopping   bool // no more decisions: control goes back to the root
	abandoning bool // tasks are being unwound
	outcome    outcome
}

// run implements Engine.Run.
func (e *engine) run(seed uint64, body func()) (Result, bool) {
	if !e.strategy.Begin(strategy.Execution{Number: e.number, Seed: seed}) {
		return Result{}, false
	}
	if !e.asksRoot {
		e.chooser = strategy.Chooser(e.strategy)
	}
	e.begin(seed)
	e.front.run(body)
	e.stop = stop{}
	result := e.front.conclude(e.result())
	e.endStrategy(&result)
	return result, true
}

// begin resets everything for an execution with this seed.
func (e *engine) begin(seed uint64) {
	old := &e.execution
	clear(old.judges)
	old.objects.reset()
	e.execution = execution{
		Choice: strategy.Choice{Enabled: old.Enabled[:0]},
		tasks:  old.tasks, objects: old.objects, events: old.events[:0],
		deviations: old.deviations[:0], turns: old.turns[:0], held: old.held[:0], touched: old.touched[:0], spinners: old.spinners[:0],
		judges: old.judges[:0], seed: seed,
	}
	e.limit = e.maxSteps
	e.setClock(seed)
	e.unforced = e.skipper != nil && e.skipper.SkipsForced()
	e.control.Publishing = e.afterSwitcher != nil && e.afterSwitcher.SwitchesAfter()
	if e.rerunner != nil {
		e.known = e.rerunner.Known()
	}
	e.faults.begin(seed)
	e.control.Quiet = !e.points && !e.faults.armed && !e.tracing && e.traceFrom == 0
	e.watchSteps()
	e.front.begin()
	e.number++
	e.edges.Add(1)
}

// choose calls decide where there is no task to carry a panic: at the beginning, and after a task
// has ended. A strategy that panics ends the execution.
//
//go:norace
func (e *engine) choose() *task {
	defer e.recoverStrategy()
	return e.decide()
}

//go:norace
func (e *engine) recoverStrategy() {
	if v := recover(); v != nil {
		e.strategyFailed(v)
	}
}

// strategyFailed ends the execution because the strategy panicked with v.
//
//go:norace
func (e *engine) strategyFailed(v any) {
	if d, ok := v.(*strategy.DivergenceError); ok {
		e.fail(verdict.Nondeterminism, d.Error(), "")
	} else {
		e.fail(verdict.Panicked, fmt.Sprintf("strategy %s: panic: %v", e.strategy.Name(), v), string(debug.Stack()))
	}
}

// panicked ends the execution because t panicked with v. It runs on t's stack, in a deferred
// call.
//
//go:norace
func (e *engine) panicked(t *task, v any) {
	if d, ok := v.(*strategy.DivergenceError); ok {
		e.fail(verdict.Nondeterminism, d.Error(), "")
		return
	}
	e.fail(verdict.Panicked, fmt.Sprintf("task %s: panic: %v", t.title(), v), string(debug.Stack()))
}

// endStrategy reports to the strategy how the execution ended. A strategy that finds that the
// same decisions led elsewhere panics with a DivergenceError.
func (e *engine) endStrategy(r *Result) {
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
	e.flushEvents()
	end := strategy.Result{
		Steps: e.Step - e.soloSteps, Failed: r.Verdict != verdict.Pass, Cut: e.outcome.cut || e.left, Collapsed: e.collapsed, Order: r.Order,
		Forced: e.forced, Lazy: e.lazy || e.clock == nil && (r.Timers > 0 || e.count > 1 && r.Sleeps > 0),
		Drawn: len(e.faults.plan) > 0, Outside: r.Outside.Wakes > 0,
	}
	e.strategy.End(e.front.completeEnd(end))
}

//go:norace
func (e *engine) setExecuting(yes bool) { e.executing = yes }
