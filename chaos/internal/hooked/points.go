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
