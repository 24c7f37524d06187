package hooked

import (
	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// onTask reports whether the calling goroutine is the running task.
//
//go:norace
func (e *Tasks) onTask() bool { return e.Control.Running() }

//go:norace
func (e *Tasks) Owns() bool { return e.onTask() }

//go:norace
func (e *Tasks) At(p *seam.Point) { e.visit(p, seam.Disturb, 0) }

//go:norace
func (e *Tasks) Notify(p *seam.Point) int {
	return e.visit(p, seam.Disturb|seam.Drop|seam.Duplicate, 0).Copies
}

//go:norace
func (e *Tasks) Fail(p *seam.Point) bool {
	return e.visit(p, seam.Disturb|seam.Fail|seam.Spurious, 0).Failed
}

//go:norace
func (e *Tasks) Value(p *seam.Point, v uint64) uint64 {
	return e.visit(p, seam.Disturb|seam.Roll, v).Value
}

// visit makes a task's visit of a hook point. can is the set of faults that the calling function
// of hooks can carry.
//
//go:norace
func (e *Tasks) visit(p *seam.Point, can seam.Fault, v uint64) core.Effect {
	none := core.Effect{Copies: 1, Value: v}
	if !e.onTask() {
		e.Outside()
		return none
	}
	if e.Abandoning {
		e.countPass()
		return none
	}
	t := e.Running()
	e.Control.Passed = p
	if e.Points && !p.Operation {
		e.arriveAlone(t, strategy.Point)
		e.DidAlone(t, strategy.Point)
	} else if e.Tracing && !p.Operation {
		e.TracePoint(t)
	}
	if !e.Faults.Armed {
		return none
	}
	return e.applyFaults(p, can, v)
}

//go:norace
func (e *Tasks) Name(name string) {
	if !e.onTask() {
		e.Outside()
		return
	}
	e.Running().Label = name
}

// Task makes the task at once. If its host is pooled, the goroutine that calls the function
// returned does nothing.
//
//go:norace
func (e *Tasks) Task(f func()) func() {
	if !e.onTask() {
		e.Outside()
		return f
	}
	e.drainStores()
	t := e.Child(e.Running(), f)
	e.starts.expected++
	if e.pooled {
		return nothing
	}
	e.giveOwnHost(t)
	return of(t).host.serveOne
}

func nothing() {}

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
