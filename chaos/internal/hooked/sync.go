package hooked

import (
	"strconv"
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

//go:norace
func (e *Tasks) OnceEnter(p *seam.Point, x unsafe.Pointer) bool {
	if e.Abandoning {
		e.countPass()
		o := e.Objects.At(x)
		if o.Locked {
			e.unwind(e.Running())
		}
		o.Locked = !o.Done
		return o.Locked
	}
	t, o := e.await(strategy.Once, p, x)
	if o.Done {
		e.Did(t, o, strategy.Load)
		e.synchronise(o, acquires)
		return false
	}
	o.Locked = true
	e.done(t, o, strategy.Once, acquires)
	return true
}

//go:norace
func (e *Tasks) OnceLeave(p *seam.Point, x unsafe.Pointer) {
	if e.Abandoning {
		e.countPass()
		o := e.Objects.At(x)
		o.Locked, o.Done = false, true
		return
	}
	t, o := e.step(strategy.Store, p, x)
	o.Locked, o.Done = false, true
	e.done(t, o, strategy.Store, releases)
}

// Count implements Add and Done.
//
//go:norace
func (e *Tasks) Count(p *seam.Point, x unsafe.Pointer, delta int) {
	if e.Abandoning {
		e.countPass()
		e.Objects.At(x).Readers += delta
		return
	}
	t, o := e.step(strategy.Signal, p, x)
	o.Counts = true
	o.Readers += delta
	e.done(t, o, strategy.Signal, releases)
	if e.Tracing {
		e.LastTraced().Outcome = "counter " + strconv.Itoa(o.Readers)
	}
}

//go:norace
func (e *Tasks) WaitZero(p *seam.Point, x unsafe.Pointer) bool {
	o := e.Objects.At(x)
	o.Counts = true
	if e.Abandoning {
		e.countPass()
		if o.Readers != 0 {
			e.unwind(e.Running())
		}
		return true
	}
	t, o := e.await(strategy.Wait, p, x)
	e.Did(t, o, strategy.Wait)
	e.synchronise(o, acquires)
	return true
}

// Which object a sync.Pool returns depends on the processor that asks and on the garbage
// collector. Here the last object put comes first.

//go:norace
func (e *Tasks) Give(p *seam.Point, x unsafe.Pointer, v any) {
	if v == nil {
		return
	}
	if e.Abandoning {
		e.countPass()
		return
	}
	t, o := e.step(strategy.Store, p, x)
	o.Free = append(o.Free, v)
	e.Did(t, o, strategy.Store)
	e.synchronise(o, releases)
}

//go:norace
func (e *Tasks) Take(p *seam.Point, x unsafe.Pointer) any {
	if e.Abandoning {
		e.countPass()
		return nil
	}
	t, o := e.step(strategy.Store, p, x)
	var v any
	if n := len(o.Free); n > 0 {
		v = o.Free[n-1]
		o.Free[n-1] = nil
		o.Free = o.Free[:n-1]
	}
	e.Did(t, o, strategy.Store)
	e.synchronise(o, acquires)
	return v
}
