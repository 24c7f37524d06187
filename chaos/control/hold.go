package control

import (
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// This file applies the faults of a visit to a task of package hooks.

// applyFaults makes the current task's visit of p. It applies the faults that act on the task
// itself, ends the holds that wait for a task to pass p, and returns the rest.
//
//go:norace
func (e *hookedTasks) applyFaults(p *seam.Point, can seam.Fault, value uint64) effect {
	r := effect{copies: 1, value: value}
	if f := &e.faults; p.Index < len(f.at) && f.at[p.Index] != nil {
		e.drawFaults(&r, p, can)
	}
	if r.delay > 0 {
		e.Sleep(nil, r.delay)
	}
	if r.until != nil {
		e.hold(&r)
	}
	if r.yield {
		e.Yield()
	}
	if p.Index < len(e.faults.endHold) && e.faults.endHold[p.Index] {
		e.endHolds(p)
	}
	return r
}

// A hold is a sleep that another task ends by passing a point. It has no object: for strategies
// that reduce, its beginning and whatever may end it interact with everything.

// hold makes the current task wait until another has passed r.until, or until r.limit is over,
// which is when no other task can continue.
//
//go:norace
func (e *hookedTasks) hold(r *effect) {
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

// endHolds lets the tasks continue that are held until p, which the current task has passed.
//
//go:norace
func (e *hookedTasks) endHolds(p *seam.Point) {
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
