package control

import (
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// mine reports whether the calling goroutine is the running task.
//
//go:norace
func (e *engine) onTask() bool { return e.control.Running() }

// Owns implements seam.Owner.
//
//go:norace
func (e *engine) Owns() bool { return e.onTask() }

// At implements seam.Engine.
//
//go:norace
func (e *engine) At(p *seam.Point) { e.visit(p, seam.Disturb, 0) }

// Notify implements seam.Engine.
//
//go:norace
func (e *engine) Notify(p *seam.Point) int {
	return e.visit(p, seam.Disturb|seam.Drop|seam.Duplicate, 0).copies
}

// Fail implements seam.Engine.
//
//go:norace
func (e *engine) Fail(p *seam.Point) bool {
	return e.visit(p, seam.Disturb|seam.Fail|seam.Spurious, 0).failed
}

// Value implements seam.Engine.
//
//go:norace
func (e *engine) Value(p *seam.Point, v uint64) uint64 {
	return e.visit(p, seam.Disturb|seam.Roll, v).value
}

// visit is a task's visit of a hook point, by a verb that can carry these faults.
//
//go:norace
func (e *engine) visit(p *seam.Point, can seam.Fault, v uint64) effect {
	none := effect{copies: 1, value: v}
	if !e.onTask() {
		e.Outside()
		return none
	}
	if e.abandoning {
		e.countPass()
		return none
	}
	t := e.current()
	e.control.Passed = p
	if e.points && !p.Operation {
		t.object = nil
		t.Op = strategy.Op{Kind: strategy.Point}
		e.arrive(t)
		e.did0(t, strategy.Point)
	} else if e.tracing && !p.Operation {
		e.tracePoint(t)
	}
	if !e.faults.armed {
		return none
	}
	return e.applyFaults(p, can, v)
}

// Name implements seam.Engine.
//
//go:norace
func (e *engine) Name(name string) {
	if !e.onTask() {
		e.Outside()
		return
	}
	e.current().label = name
}

// Task implements seam.Engine. The task exists from here on; under a mechanism
// that runs it on a goroutine of its own, the one that calls the function returned
// does nothing.
//
//go:norace
func (e *engine) Task(f func()) func() {
	if !e.onTask() {
		e.Outside()
		return f
	}
	e.drainStores()
	t := e.child(e.current(), f)
	e.starts.expected++
	if e.pooled {
		return nothing
	}
	e.giveOwnHost(t)
	return t.host.serveOne
}

// child makes a task of parent's.
//
//go:norace
func (e *engine) child(parent *task, f func()) *task {
	t := e.newTask(parent, f)
	if e.weak != nil {
		e.weak.spawned(parent, t)
	}
	if e.observer != nil {
		e.events = append(e.events, strategy.Event{Task: &parent.Task, Op: strategy.Op{Kind: strategy.Spawn}, Child: &t.Task})
	}
	return t
}

// spawn makes a task of parent's, and its goroutine if it needs one.
//
//go:norace
func (e *engine) spawn(parent *task, f func()) {
	t := e.child(parent, f)
	if !e.pooled {
		e.giveOwnHost(t)
		e.starts.expected++
		go t.host.serveOne()
	}
}

func nothing() {}
