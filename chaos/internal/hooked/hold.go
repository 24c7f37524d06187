package hooked

import (
	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// This file applies the faults of a visit to a task of package hooks.

// applyFaults makes the current task's visit of p. It applies the faults that act on the task
// itself, ends the holds that wait for a task to pass p, and returns the rest.
//
//go:norace
func (e *Tasks) applyFaults(p *seam.Point, can seam.Fault, value uint64) core.Effect {
	r := core.Effect{Copies: 1, Value: value}
	if f := &e.Faults; p.Index < len(f.At) && f.At[p.Index] != nil {
		e.DrawFaults(&r, p, can)
	}
	if r.Delay > 0 {
		e.Sleep(nil, r.Delay)
	}
	if r.Until != nil {
		e.hold(&r)
	}
	if r.Yield {
		e.Yield()
	}
	if p.Index < len(e.Faults.EndHold) && e.Faults.EndHold[p.Index] {
		e.endHolds(p)
	}
	return r
}

// A hold is a sleep that another task ends by passing a point. It has no object: for strategies
// that reduce, its beginning and whatever may end it interact with everything.

// hold makes the current task wait until another has passed r.Until, or until r.Limit is over,
// which is when no other task can continue.
//
//go:norace
func (e *Tasks) hold(r *core.Effect) {
	t := e.Running()
	t.Object = nil
	t.Op = strategy.Op{Kind: strategy.Sleep}
	t.Awaits, of(t).timer = r.Until, &timer{sleeper: t}
	e.Held = append(e.Held, t)
	e.QueueAnnouncement(t, nil)
	e.Disable(t)
	e.timers.start(of(t).timer, r.Limit)
	e.updateClock()
	e.arrive(t)
	if t.Awaits != nil { // the limit is over
		t.Awaits = nil
		core.Remove(&e.Held, t)
		if e.Faults.Replays == nil {
			e.Faults.Counts[r.Held].Expired++
		}
	}
	e.DidAlone(t, strategy.Sleep)
}

// endHolds lets the tasks continue that are held until p, which the current task has passed.
//
//go:norace
func (e *Tasks) endHolds(p *seam.Point) {
	e.QueueAnnouncement(e.Running(), nil)
	rest := 0
	for _, t := range e.Held {
		if t.Awaits != p || !of(t).timer.running { // or its limit is over, and it removes itself
			e.Held[rest] = t
			rest++
			continue
		}
		e.timers.stop(of(t).timer)
		t.Awaits = nil
		e.Enable(t)
	}
	e.Held = e.Held[:rest]
	e.updateClock()
}
