package control

import (
	"fmt"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// settle decides how t goes on, which has repeated itself: it reports true if t runs on
// alone, without a choice. Else t may have been taken out of those that can be chosen,
// until somebody writes what it reads.
//
//go:norace
func (e *engine) settleSpinner(t *task) bool {
	if t.place < 0 || !e.repeats(t) {
		t.repeating = false
		return false
	}
	r := t.spin
	if r.stale() { // of what it read before the loop, too: it has to show again that it repeats itself
		t.repeating = false
		r.forget()
		return false
	}
	if r.solo && !r.isLong() && !r.stops() {
		return true
	}
	loop := r.isLoop(e.exploredRepeats) || r.solo
	others := len(e.Enabled) > 1 || len(e.spinners) > 0 || len(e.timers.heap) > 0
	switch {
	case r.solo && r.stops():
	case r.solo: // for as long as it may: it will not be asked about any more
		t.endless = true
	case !others || t.endless || e.spins > 0 || e.soloSteps >= e.maxSteps:
	case loop:
		if r.asked < strategy.HoldOrRunOn && e.runOn(t, strategy.HoldOrRunOn, 2) {
			e.collapsed++
			return true
		}
	case r.asked < strategy.RunOn:
		return e.runOn(t, strategy.RunOn, strategy.RunOnStops)
	}
	if !loop {
		return false
	}
	if others {
		e.collapsed++
	}
	t.Spinning = true
	e.disable(t)
	e.spinners = append(e.spinners, t)
	return false
}

// runOn asks the strategy whether t is to run on alone.
//
//go:norace
func (e *engine) runOn(t *task, asks strategy.Question, n int) bool {
	r := t.spin
	e.Asks, r.asked = asks, asks
	n = e.pick(n)
	e.Asks = strategy.Outcome
	if r.solo = n > 0; n > 1 {
		r.stop = r.repeats + n - 1
	}
	if r.solo && e.observer != nil {
		for i := range r.seen[:r.n] { // once, and not at each repetition
			e.queueEvent(t, strategy.Load, r.seen[i].object)
		}
	}
	return r.solo
}

// stir looks again at the tasks that spin, after a write.
//
//go:norace
func (e *engine) recheckSpinners() {
	kept := 0
	for _, t := range e.spinners {
		if t.ended {
			continue
		}
		if t.spin.stale() {
			t.Spinning, t.repeating = false, false
			t.spin.forget()
			e.enable(t)
			continue
		}
		e.spinners[kept] = t
		kept++
	}
	e.spinners = e.spinners[:kept]
}

// stirAll lets all of them go on, as there is nobody else: each of them may be in a
// loop that is bounded. It reports false if there is none, or if they have been let
// go too often since anybody wrote: then that is a livelock.
//
//go:norace
func (e *engine) resumeSpinners() bool {
	if len(e.spinners) == 0 {
		return false
	}
	if e.spins++; e.spins > e.maxSpins {
		e.fail(verdict.Livelock, fmt.Sprintf("%d tasks only repeat themselves", len(e.spinners)), "")
		return false
	}
	for _, t := range e.spinners {
		t.Spinning = false
		t.spin.repeats, t.spin.steps, t.spin.solo, t.spin.stop = 0, 0, false, 0
		e.enable(t)
	}
	e.spinners = e.spinners[:0]
	return true
}
