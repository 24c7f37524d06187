package control

import (
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// onTask reports whether the calling goroutine is the running task.
//
//go:norace
func (e *hookedTasks) onTask() bool { return e.control.Running() }

//go:norace
func (e *hookedTasks) Owns() bool { return e.onTask() }

//go:norace
func (e *hookedTasks) At(p *seam.Point) { e.visit(p, seam.Disturb, 0) }

//go:norace
func (e *hookedTasks) Notify(p *seam.Point) int {
	return e.visit(p, seam.Disturb|seam.Drop|seam.Duplicate, 0).copies
}

//go:norace
func (e *hookedTasks) Fail(p *seam.Point) bool {
	return e.visit(p, seam.Disturb|seam.Fail|seam.Spurious, 0).failed
}

//go:norace
func (e *hookedTasks) Value(p *seam.Point, v uint64) uint64 {
	return e.visit(p, seam.Disturb|seam.Roll, v).value
}

// visit makes a task's visit of a hook point. can is the set of faults that the calling function
// of hooks can carry.
//
//go:norace
func (e *hookedTasks) visit(p *seam.Point, can seam.Fault, v uint64) effect {
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
		e.arriveAlone(t, strategy.Point)
		e.didAlone(t, strategy.Point)
	} else if e.tracing && !p.Operation {
		e.tracePoint(t)
	}
	if !e.faults.armed {
		return none
	}
	return e.applyFaults(p, can, v)
}

//go:norace
func (e *hookedTasks) Name(name string) {
	if !e.onTask() {
		e.Outside()
		return
	}
	e.current().label = name
}

// Task makes the task at once. If its host is pooled, the goroutine that calls the function
// returned does nothing.
//
//go:norace
func (e *hookedTasks) Task(f func()) func() {
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

func nothing() {}
