package control

import (
	"fmt"
	"runtime/debug"
	"time"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/self"
)

// An execution is the state that is reset when another one begins.
type execution struct {
	strategy.Choice // what there is to choose from, kept up to date

	tasks   []*task // the first count are of this execution, by ID
	count   int
	alive   int
	objects objects
	timers  timers
	clock   *task // the pseudo-task that fires timers; nil unless time is racy
	events  []strategy.Event
	known   int // steps whose events the observer knows

	unforced        bool // the strategy is not asked where there is no choice
	hash            uint64
	deviations      []strategy.Deviation
	turns           []turn
	decisionsAtRoot int32 // before the first task began

	held      []*task   // until others pass a point, eldest first
	touched   []*object // channels on which a real operation follows the step
	spinners  []*task
	spins     int // since the last write
	limit     int // of decisions
	early     int // timers that the clock fired
	idles     int // how often no task could continue
	soloSteps int // made by tasks that run alone
	progress  int // the last step that can have changed something
	expired   bool
	began     time.Time // only where time is bounded
	collapsed int       // loops of which not all interleavings can be explored
	forced    int       // as in Result
	bears     int       // for how many steps a task may have to wait before it gets a turn: see fair.go
	lazy      bool      // a timer could not fire although a task could continue
	left      bool      // tasks that the first one has left were cut, and that is no failure

	seed   uint64
	judges []Judge

	stopping     bool // no more decisions: control goes back to the root
	abandoning   bool // tasks are being unwound
	outcome      outcome
	externalWake *externalWake
}

// run is Run.
func (e *engine) run(seed uint64, body func()) (Result, bool) {
	if !e.strategy.Begin(strategy.Execution{Number: e.number, Seed: seed}) {
		return Result{}, false
	}
	if !e.asksRoot {
		e.chooser = strategy.Chooser(e.strategy)
	}
	e.begin(seed)
	if e.real != nil {
		e.real.run(body)
	} else {
		e.runHooked(body)
	}
	e.stop = stop{}
	result := e.result()
	if e.weak != nil {
		e.weak.checkReliesOnSC(&result)
	}
	e.endStrategy(&result)
	return result, true
}

// runHooked runs the execution that has begun, of a subject that uses package hooks.
func (e *engine) runHooked(body func()) {
	main := e.newTask(nil, body)
	if e.racy {
		e.addClock()
	}
	if !e.pooled {
		e.startOwnHost(main)
	}
	e.root.g = self.G()
	e.setExecuting(true)
	e.outsiders.begin()
	e.loop(e.choose())
	e.edges.Load()
	e.reportOutsiders()
	e.outsiders.end()
	e.setExecuting(false)
}

// begin resets everything for an execution with this seed.
func (e *engine) begin(seed uint64) {
	old := &e.execution
	clear(old.judges)
	old.objects.reset()
	e.execution = execution{
		Choice: strategy.Choice{Enabled: old.Enabled[:0]},
		tasks:  old.tasks, objects: old.objects, timers: timers{list: old.timers.list}, events: old.events[:0],
		deviations: old.deviations[:0], turns: old.turns[:0], held: old.held[:0], touched: old.touched[:0], spinners: old.spinners[:0],
		judges: old.judges[:0], seed: seed,
	}
	e.limit = e.maxSteps
	e.bears = forcesAfter(e.limit)
	e.setClock(seed)
	if e.real != nil {
		e.real.begin()
	} else if e.within > 0 {
		e.began = time.Now()
	}
	e.unforced = e.skipper != nil && e.skipper.SkipsForced()
	// Under a weak memory an operation that has been done need not be visible yet.
	e.control.Publishing = e.weak == nil && e.afterSwitcher != nil && e.afterSwitcher.SwitchesAfter()
	if e.rerunner != nil {
		e.known = e.rerunner.Known()
	}
	e.faults.begin(seed)
	if e.real != nil && !e.real.planned {
		e.faults.disarm()
	}
	e.control.Quiet = !e.points && !e.faults.armed && !e.tracing && e.traceFrom == 0
	e.watchSteps()
	if e.weak != nil {
		e.weak.begin()
	}
	e.starts.begin(e.number)
	e.number++
	e.edges.Add(1)
}

// loop gives control to the first task and serves the root's requests until the execution is
// over.
func (e *engine) loop(next *task) {
	if next != nil {
		e.switchTo(e.root, next)
		e.control.SetRunning(noGoroutine)
		if r, ok := e.chooser.(*atRoot); ok {
			r.serve()
		}
	}
	if e.weak != nil {
		e.weak.model.flushAll()
	}
	if e.alive > 0 {
		e.edges.Load()
		if e.outsiders.hasArrived() || len(e.starts.untracked) > 0 {
			e.settleOutside(settling) // before the tasks, whose deferred calls take from them what they use
		}
		e.abandon()
	}
	e.timers.reset()
	e.edges.Load()
}

// choose is decide where no task is there to panic: at the beginning, and when one has ended. A
// strategy that panics ends the execution.
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
	var draws, dumps int
	var asides []strategy.Aside
	if e.real != nil {
		asides = e.real.asided()
		draws, dumps = e.real.runtime.Chance()
	}
	e.strategy.End(strategy.Result{
		Steps: e.Step - e.soloSteps, Failed: r.Verdict != verdict.Pass, Cut: e.outcome.cut || e.left, Collapsed: e.collapsed, Order: r.Order,
		Forced: e.forced, Lazy: e.lazy || e.clock == nil && (r.Timers > 0 || e.count > 1 && r.Sleeps > 0) ||
			e.real != nil && e.real.runtime.Looks() > 0,
		Drawn: len(e.faults.plan) > 0, Outside: r.Outside.Wakes > 0, Chance: draws > 0, Dumped: dumps > 0, Asides: asides,
	})
}

//go:norace
func (e *engine) setExecuting(yes bool) { e.executing = yes }
