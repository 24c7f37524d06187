package control

import (
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// A hold is a sleep that another task ends when it passes a point. It is about no
// object: to strategies that reduce, its beginning and whatever may end it interact with
// everything.

// hold makes the current task wait until another has passed r.until, or until r.limit
// is over, which is when nobody else can go on.
//
//go:norace
func (e *engine) hold(r *effect) {
	t := e.current()
	t.object = nil
	t.Op = strategy.Op{Kind: strategy.Sleep}
	t.awaits, t.timer = r.until, &timer{sleeper: t}
	e.held = append(e.held, t)
	e.mayInteract(t)
	e.disable(t)
	e.timers.start(t.timer, r.limit)
	e.updateClock()
	e.arrive(t)
	if t.awaits != nil { // its time was over
		e.expireHold(t)
		if e.faults.replays == nil {
			e.faults.counts[r.held].Expired++
		}
	}
	e.did0(t, strategy.Sleep)
}

// pass lets go all who are held until p is passed, which the current task has done.
//
//go:norace
func (e *engine) endHolds(p *seam.Point) {
	e.mayInteract(e.current())
	rest := 0
	for _, t := range e.held {
		switch {
		case t.awaits != p || t.timer.place < 0: // whose time is over takes itself out
			e.held[rest] = t
			rest++
		default:
			e.timers.stop(t.timer)
			t.awaits = nil
			e.enable(t)
		}
	}
	e.held = e.held[:rest]
	e.updateClock()
}

// leaveHeld takes t, whose time was over, out of those who are held.
//
//go:norace
func (e *engine) expireHold(t *task) {
	t.awaits = nil
	rest := 0
	for _, h := range e.held {
		if h != t {
			e.held[rest] = h
			rest++
		}
	}
	e.held = e.held[:rest]
}

// mayInteract tells the observer that the order of the last step of t and any other may
// matter.
//
//go:norace
func (e *engine) mayInteract(t *task) {
	if e.observer != nil {
		e.queueEvent(t, strategy.Signal, nil)
	}
}
