package control

import (
	"fmt"
	"runtime/debug"
	"time"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/self"
)

// An execution is what is reset when another begins.
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

	unforced            bool // the strategy is not asked where there is no choice
	forced, preemptions int
	hash                uint64
	deviations          []strategy.Deviation
	beginnings          int32 // decisions before the first task began

	held      []*task   // until others pass a point, eldest first
	touched   []*object // channels on which a real operation follows the step
	spinners  []*task
	spins     int // since anybody wrote
	idles     int // how often nobody could go on
	soloSteps int // steps made by tasks that run on alone
	progress  int // the last step that can have changed something
	expired   bool
	began     time.Time // only where time is bounded
	// collapsed counts the loops of which not all interleavings can be explored.
	collapsed int

	seed   uint64
	judges []Judge

	stopping     bool // no more decisions: control goes back to the root
	abandoning   bool // tasks are being unwound
	outcome      outcome
	externalWake *externalWake // from outside
}

// run is Run.
func (e *engine) run(seed uint64, body func()) (Result, bool) {
	s := e.strategy
	if !s.Begin(strategy.Execution{Number: e.number, Seed: seed}) {
		return Result{}, false
	}
	e.number++
	e.reset()
	e.timers.armed, e.timers.slept = 0, 0
	e.seed = seed
	if e.within > 0 {
		e.began = time.Now()
	}
	e.unforced = e.skipper != nil && e.skipper.SkipsForced()
	// Under a weak memory an operation that has been done need not be visible yet.
	e.control.Publishing = e.weak == nil && e.after != nil && e.after.SwitchesAfter()
	if e.rerunner != nil {
		e.known = e.rerunner.Known()
	}
	e.faults.begin(seed)
	e.control.Quiet = !e.points && !e.faults.armed && !e.tracing
	if e.weak != nil {
		e.weak.begin()
	}
	e.starts.begin(e.number - 1)
	e.meeting.Add(1)
	main := e.newTask(nil, body)
	if e.racy {
		e.newClock()
	}
	if !e.pooled {
		e.giveOwnHost(main)
		e.starts.expected++
		go main.host.serveOne()
	}
	e.root.g = self.G()
	e.setExecuting(true)
	e.outsiders.begin()
	e.loop(e.choose())
	e.meeting.Load()
	e.reportOutsiders()
	e.outsiders.end()
	e.setExecuting(false)
	result := e.result()
	if e.weak != nil {
		e.weak.checkReliesOnSC(&result)
	}
	e.conclude(&result)
	return result, true
}

// choose is decide where no task is there to panic: at the beginning, and when one
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

// blame ends the execution because of what the strategy panicked with.
//
//go:norace
func (e *engine) strategyFailed(v any) {
	if d, ok := v.(*strategy.DivergenceError); ok {
		e.fail(verdict.Nondeterminism, d.Error(), "")
	} else {
		e.fail(verdict.Panicked, fmt.Sprintf("strategy %s: panic: %v", e.strategy.Name(), v), string(debug.Stack()))
	}
}

// conclude tells the strategy how the execution ended. A strategy that finds that
// the same decisions led elsewhere says so by a panic.
func (e *engine) conclude(r *Result) {
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
	if len(e.events) > 0 {
		e.flushEvents()
	}
	e.strategy.End(strategy.Result{
		Steps: e.Step - e.soloSteps, Forced: e.forced, Failed: r.Verdict != verdict.Pass, Cut: e.outcome.cut, Collapsed: e.collapsed, Order: r.Order,
	})
}

//go:norace
func (e *engine) setExecuting(yes bool) { e.executing = yes }

// loop gives control to the first task and serves the root's requests until the
// execution is over.
func (e *engine) loop(next *task) {
	if next != nil {
		e.hand(e.root, next)
		e.control.SetRunning(nobody)
		if r, ok := e.chooser.(*atRoot); ok {
			r.serve()
		}
	}
	if e.weak != nil {
		e.weak.model.flushAll()
	}
	if e.alive > 0 {
		e.meeting.Load()
		if e.outsiders.hasArrived() || len(e.starts.untracked) > 0 {
			e.settleOutside(settling) // before the tasks, whose deferred calls take from them what they use
		}
		e.abandon()
	}
	e.timers.reset()
	e.meeting.Load()
}

// reset makes the execution a new one.
func (e *engine) reset() {
	x := &e.execution
	x.count, x.alive = 0, 0
	x.Choice = strategy.Choice{Enabled: x.Enabled[:0]}
	x.clock = nil
	x.objects.reset()
	x.events, x.known = x.events[:0], 0
	x.forced, x.preemptions, x.beginnings = 0, 0, 0
	x.hash = 0
	x.deviations = x.deviations[:0]
	x.held = x.held[:0]
	x.touched = x.touched[:0]
	x.spinners, x.spins, x.idles = x.spinners[:0], 0, 0
	x.soloSteps, x.collapsed, x.progress, x.expired = 0, 0, 0, false
	clear(x.judges)
	x.judges = x.judges[:0]
	x.stopping, x.abandoning = false, false
	x.outcome, x.externalWake = outcome{}, nil
}
