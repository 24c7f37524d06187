package control

import (
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// A hold is a sleep that another task ends by passing a point. It is about no object: for
// strategies that reduce, its beginning and whatever may end it interact with everything.

// hold makes the current task wait until another has passed r.until, or until r.limit is over,
// which is when no other task can continue.
//
//go:norace
func (e *engine) hold(r *effect) {
	t := e.current()
	t.object = nil
	t.Op = strategy.Op{Kind: strategy.Sleep}
	t.awaits, t.timer = r.until, &timer{sleeper: t}
	e.held = append(e.held, t)
	e.queueAnnouncement(t, nil)
	e.disable(t)
	e.timers.start(t.timer, r.limit)
	e.updateClock()
	e.arrive(t)
	if t.awaits != nil { // the limit is over
		t.awaits = nil
		remove(&e.held, t)
		if e.faults.replays == nil {
			e.faults.counts[r.held].Expired++
		}
	}
	e.didAlone(t, strategy.Sleep)
}

// endHolds lets the tasks continue that are held until p is passed, which the current task
// has done.
//
//go:norace
func (e *engine) endHolds(p *seam.Point) {
	e.queueAnnouncement(e.current(), nil)
	rest := 0
	for _, t := range e.held {
		if t.awaits != p || !t.timer.running { // or its limit is over, and it removes itself
			e.held[rest] = t
			rest++
			continue
		}
		e.timers.stop(t.timer)
		t.awaits = nil
		e.enable(t)
	}
	e.held = e.held[:rest]
	e.updateClock()
}
