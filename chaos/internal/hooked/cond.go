package hooked

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// A condition is a queue of waiters, the eldest first, as in package sync. A waiter joins it
// before it unlocks, and is enabled when it is taken out.

//go:norace
func (e *Tasks) Enqueue(p *seam.Point, x unsafe.Pointer) {
	if e.Abandoning {
		e.countPass()
		return
	}
	t, o := e.step(strategy.Signal, p, x)
	o.Queue = append(o.Queue, t)
	e.Did(t, o, strategy.Signal)
	e.synchronise(o, 0)
	if e.Tracing {
		t.Causes.Since = len(e.Traced)
	}
}

//go:norace
func (e *Tasks) Await(p *seam.Point, x unsafe.Pointer) {
	if e.Abandoning {
		e.countPass()
		e.unwind(e.Running())
	}
	t, o := e.await(strategy.Wait, p, x)
	t.Signalled = false
	e.Did(t, o, strategy.Wait)
	e.synchronise(o, acquires)
}

//go:norace
func (e *Tasks) Signal(p *seam.Point, x unsafe.Pointer, all bool) {
	if e.Abandoning {
		e.countPass()
		return
	}
	t, o := e.step(strategy.Signal, p, x)
	n := min(1, len(o.Queue))
	if all {
		n = len(o.Queue)
	}
	for _, w := range o.Queue[:n] {
		e.wake(w, o)
		if e.Tracing {
			e.Causes.Reached = append(e.Causes.Reached, w)
		}
	}
	rest := 0
	for _, w := range o.Queue[n:] {
		o.Queue[rest] = w
		rest++
	}
	o.Queue = o.Queue[:rest]
	e.Did(t, o, strategy.Signal)
	e.synchronise(o, releases)
}

//go:norace
func (e *Tasks) Dropped(x unsafe.Pointer) {
	if e.Tracing && !e.Abandoning {
		e.TraceDropped(x)
	}
}

// wake ends the wait of a waiter that has left the queue of o.
//
//go:norace
func (e *Tasks) wake(w *core.Task, o *core.Object) {
	w.Signalled = true
	if w.Op.Kind == strategy.Wait && w.Object == o { // else it does not wait yet
		e.Enable(w)
	}
}
