package hooked

import (
	"sync/atomic"
	"unsafe"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/internal/racing"
	"github.com/rouse-go/rouse/internal/seam"
)

// A weak is the engine that the hooks see if the memory is weak: it calls the model of the memory
// around the operations of the engine.
type weak struct {
	*Tasks
	model  model
	events history

	order, failure seam.Order // of the operation that follows
	swapping       variable   // of the compare-and-swap in progress
	met            []bool     // which of the fences to be left out were reached
}

// A model is one weak memory. Its methods are called by the running task, between its operations or
// between the choice of one and its end.
type model interface {
	// reset forgets the last execution.
	reset()
	// spawned makes child know what parent knows.
	spawned(parent, child *core.Task)
	// load, store, update and swapped are the operations on a variable; update also announces a
	// compare-and-swap, whose end is swapped. They return the address to do it at.
	load(v variable, order seam.Order) unsafe.Pointer
	store(v variable, order seam.Order) unsafe.Pointer
	update(v variable, order seam.Order)
	swapped(v variable, ok bool, order, failure seam.Order)
	// fence is called at a fence of the current task.
	fence(order seam.Order)
	// ended is called at the end of a task, whose last step is not over yet.
	ended(t *core.Task)
	// drain is called before any other synchronisation of the current task.
	drain()
	// acquire and release are the halves of a synchronisation through o.
	acquire(t *core.Task, o *core.Object)
	release(t *core.Task, o *core.Object)
	// idle is called when no task can continue, and reports whether that has changed.
	idle() bool
	// flush makes the step of a store buffer.
	flush(t *core.Task)
	// flushAll lets all stores reach memory.
	flushAll()
}

// A variable is the target of an atomic operation.
type variable struct {
	point  *seam.Point
	x      unsafe.Pointer
	access seam.Access
}

func (e *Tasks) weaken(m core.Memory) {
	w := &weak{Tasks: e, order: seam.SeqCst, met: make([]bool, len(e.withoutFences))}
	switch m {
	case core.TSO:
		w.model = &tso{weak: w}
	case core.Views:
		w.model = &views{weak: w}
	default:
		return
	}
	e.weak, e.NamesSources = w, true
	e.Control.Controller = w
	e.Control.Weak = w
}

// canFlush lets a store buffer be flushed when no task can continue, and reports whether there is
// one.
//
//go:norace
func (e *Tasks) canFlush() bool { return e.weak != nil && e.weak.model.idle() }

func (w *weak) begin() {
	w.order = seam.SeqCst
	w.events.reset()
	w.model.reset()
}

//go:norace
func (w *weak) spawned(parent, child *core.Task) {
	w.events.spawned(parent, child)
	w.model.spawned(parent, child)
}

//go:norace
func (w *weak) Ordered(order, failure seam.Order) { w.order, w.failure = order, failure }

// takeOrder returns the order of the operation that begins. An operation that has declared none
// is sequentially consistent, as in Go.
//
//go:norace
func (w *weak) takeOrder() (order, failure seam.Order) {
	order, failure = w.order, w.failure
	w.order, w.failure = seam.SeqCst, seam.SeqCst
	return order, failure
}

//go:norace
func (w *weak) Fence(p *seam.Point, order seam.Order) {
	w.Tasks.At(p)
	if w.Abandoning || len(w.withoutFences) > 0 && w.leftOut() {
		return
	}
	w.model.fence(order)
}

//go:norace
func (w *weak) Access(p *seam.Point, x unsafe.Pointer, a seam.Access) unsafe.Pointer {
	order, failure := w.takeOrder()
	e := w.Tasks
	if e.Abandoning {
		return e.Access(p, x, a)
	}
	kind, v := a&seam.Kinds, variable{p, x, a}
	switch {
	case v.access&seam.Words == 0: // it is not a variable
		w.model.drain()
		e.Access(p, x, a)
		switch kind {
		case seam.Load, seam.Walk:
			w.synchronised(w.Objects.At(x), acquires)
		case seam.Store, seam.Update:
			w.synchronised(w.Objects.At(x), acquires|releases)
		}
	case kind == seam.Load:
		w.faultsAt(p)
		x = w.model.load(v, order)
	case kind == seam.Store:
		w.faultsAt(p)
		x = w.model.store(v, order)
	default:
		w.model.update(v, order)
	}
	if kind == seam.CAS {
		w.swapping, w.order, w.failure = v, order, failure // until Swapped: no other task runs in between
	}
	return x
}

//go:norace
func (w *weak) faultsAt(p *seam.Point) {
	if w.Faults.Armed && p != nil {
		w.applyFaults(p, seam.Disturb, 0)
	}
}

//go:norace
func (w *weak) Swapped(ok bool) {
	order, failure := w.takeOrder()
	w.Tasks.Swapped(ok)
	switch {
	case w.Abandoning:
	case w.swapping.access&seam.Words == 0:
		how := acquires
		if ok {
			how |= releases
		}
		w.synchronised(w.Objects.At(w.swapping.x), how)
	default:
		w.model.swapped(w.swapping, ok, order, failure)
	}
}

// copyWord copies a value, hidden from the race detector, which was informed of the order where the
// value was stored.
//
//go:norace
func copyWord(to, from unsafe.Pointer, a seam.Access) {
	racing.Hide()
	switch a & seam.Words {
	case seam.Word32:
		atomic.StoreUint32((*uint32)(to), atomic.LoadUint32((*uint32)(from)))
	case seam.Word64:
		atomic.StoreUint64((*uint64)(to), atomic.LoadUint64((*uint64)(from)))
	case seam.Pointer:
		atomic.StorePointer((*unsafe.Pointer)(to), atomic.LoadPointer((*unsafe.Pointer)(from)))
	}
	racing.Show()
}

// A value holds what a variable has held, or will hold.
type value struct {
	word    atomic.Uint64 // aligned for all words
	pointer unsafe.Pointer
}

// at returns the address for operations of that access.
//
//go:norace
func (v *value) at(a seam.Access) unsafe.Pointer {
	if a&seam.Words == seam.Pointer {
		return unsafe.Pointer(&v.pointer)
	}
	return unsafe.Pointer(&v.word)
}

// reused takes one of the spare values, or makes one.
//
//go:norace
func reused[T any](spare *[]*T) *T {
	n := len(*spare)
	if n == 0 {
		return new(T)
	}
	s := (*spare)[n-1]
	*spare = (*spare)[:n-1]
	return s
}
