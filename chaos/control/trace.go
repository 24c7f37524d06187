package control

import (
	"runtime"

	"github.com/rouse-go/rouse/chaos/strategy"
)

// An Event is an operation that a task has done, or a hook point that it has passed
// (strategy.Point), for people to read. Asking where it stands in the source costs
// more than the operation itself, so that only Trace makes events.
type Event struct {
	Task string // its path
	Name string // as set by hooks.Name; "" if it was not
	Kind strategy.Kind
	// Op numbers the task's operations, from 0; of a hook point that is none it is -1.
	Op    int
	Point string // the hook point passed last, or ""
	// Object numbers what the operation was about, in the order of first use; 0 is
	// nothing.
	Object int
	// Site is the innermost function of the subject, with file and line.
	Site runtime.Frame
	// Note says what a weak memory made of it: it reads an older store, say.
	Note string
	// Stays: the same task made the event before.
	Stays bool
}

// Trace is Repeat, and returns every event.
func (e *Engine) Trace(s strategy.Schedule, body func()) (Result, []Event) {
	return e.in.runTraced(s, body)
}

// runTraced is Trace.
func (e *engine) runTraced(s strategy.Schedule, body func()) (Result, []Event) {
	e.tracing = true
	e.traced = nil
	defer func() { e.tracing, e.traced = false, nil }()
	result, _ := e.repeat(s, body)
	return result, e.traced
}

// trace records an event of the current task.
//
//go:norace
func (e *engine) trace(t *task, kind strategy.Kind, o *object) {
	event := Event{Task: t.path(), Name: t.label, Kind: kind, Op: t.Ops - 1}
	if p := e.control.Passed; p != nil && kind != strategy.Flush && kind != strategy.Fence {
		event.Point = p.Name
	}
	if o != nil {
		event.Object = o.id
	}
	var pcs [32]uintptr
	if f := frames(pcs[:runtime.Callers(3, pcs[:])]); len(f) > 0 && kind != strategy.End && kind != strategy.Begin && kind != strategy.Flush {
		event.Site = f[0]
	}
	if n := len(e.traced); n > 0 {
		event.Stays = e.traced[n-1].Task == event.Task
	}
	e.traced = append(e.traced, event)
}

// tracePoint records that the current task passes a hook point that is no operation.
//
//go:norace
func (e *engine) tracePoint(t *task) {
	e.trace(t, strategy.Point, nil)
	e.traced[len(e.traced)-1].Op = -1
}
