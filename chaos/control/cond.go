package control

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// A condition is a queue of waiters, the eldest first, as in package sync. A waiter joins it
// before it unlocks, and is enabled when it is taken out.

//go:norace
func (e *hookedTasks) Enqueue(p *seam.Point, x unsafe.Pointer) {
	if e.abandoning {
		e.countPass()
		return
	}
	t, o := e.step(strategy.Signal, p, x)
	o.queue = append(o.queue, t)
	e.did(t, o, strategy.Signal)
	e.synchronise(o, 0)
	if e.tracing {
		t.causes.since = len(e.traced)
	}
}

//go:norace
func (e *hookedTasks) Await(p *seam.Point, x unsafe.Pointer) {
	if e.abandoning {
		e.countPass()
		e.unwind(e.current())
	}
	t, o := e.await(strategy.Wait, p, x)
	t.signalled = false
	e.did(t, o, strategy.Wait)
	e.synchronise(o, acquires)
}

//go:norace
func (e *hookedTasks) Signal(p *seam.Point, x unsafe.Pointer, all bool) {
	if e.abandoning {
		e.countPass()
		return
	}
	t, o := e.step(strategy.Signal, p, x)
	n := min(1, len(o.queue))
	if all {
		n = len(o.queue)
	}
	for _, w := range o.queue[:n] {
		e.wake(w, o)
		if e.tracing {
			e.causes.reached = append(e.causes.reached, w)
		}
	}
	rest := 0
	for _, w := range o.queue[n:] {
		o.queue[rest] = w
		rest++
	}
	o.queue = o.queue[:rest]
	e.did(t, o, strategy.Signal)
	e.synchronise(o, releases)
}

//go:norace
func (e *hookedTasks) Dropped(x unsafe.Pointer) {
	if e.tracing && !e.abandoning {
		e.traceDropped(x)
	}
}

// wake ends the wait of a waiter that has left the queue of o.
//
//go:norace
func (e *hookedTasks) wake(w *task, o *object) {
	w.signalled = true
	if w.Op.Kind == strategy.Wait && w.object == o { // else it does not wait yet
		e.enable(w)
	}
}
