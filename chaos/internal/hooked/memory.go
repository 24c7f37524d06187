package hooked

import (
	"fmt"
	"path"
	"runtime"
	"unsafe"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/internal/hooked/memory"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/goroutines"
	"github.com/rouse-go/rouse/internal/seam"
)

// A weak is the engine that the hooks see if the memory is weak: it calls the model of the memory
// around the operations of the engine.
type weak struct {
	*Tasks
	model   memory.Model
	history memory.History

	order, failure seam.Order      // of the operation that follows
	swapping       memory.Variable // of the compare-and-swap in progress
	met            []bool          // which of the fences to be left out were reached
}

// weaken puts a weak memory between the hooks and the engine, unless m is SC.
func (e *Tasks) weaken(m core.Memory) {
	w := &weak{Tasks: e, order: seam.SeqCst, met: make([]bool, len(e.withoutFences))}
	base := &memory.Base{Engine: &e.Engine, History: &w.history, Machine: machine{e}}
	switch m {
	case core.TSO:
		w.model = memory.TSO(base)
	case core.Views:
		w.model = memory.Views(base)
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
func (e *Tasks) canFlush() bool { return e.weak != nil && e.weak.model.Idle() }

func (w *weak) begin() {
	w.order = seam.SeqCst
	w.history.Reset()
	w.model.Reset()
}

//go:norace
func (w *weak) spawned(parent, child *core.Task) {
	w.history.Spawned(parent, child)
	w.model.Spawned(parent, child)
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
	w.model.Fence(order)
}

//go:norace
func (w *weak) Access(p *seam.Point, x unsafe.Pointer, a seam.Access) unsafe.Pointer {
	order, failure := w.takeOrder()
	e := w.Tasks
	if e.Abandoning {
		return e.Access(p, x, a)
	}
	kind, v := a&seam.Kinds, memory.Variable{Point: p, X: x, Access: a}
	switch {
	case v.Access&seam.Words == 0: // it is not a variable
		w.model.Drain()
		e.Access(p, x, a)
		switch kind {
		case seam.Load, seam.Walk:
			w.synchronised(w.Objects.At(x), acquires)
		case seam.Store, seam.Update:
			w.synchronised(w.Objects.At(x), acquires|releases)
		}
	case kind == seam.Load:
		w.faultsAt(p)
		x = w.model.Load(v, order)
	case kind == seam.Store:
		w.faultsAt(p)
		x = w.model.Store(v, order)
	default:
		w.model.Update(v, order)
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
	case w.swapping.Access&seam.Words == 0:
		how := acquires
		if ok {
			how |= releases
		}
		w.synchronised(w.Objects.At(w.swapping.X), how)
	default:
		w.model.Swapped(w.swapping, ok, order, failure)
	}
}

// A machine makes the steps of a model of the memory.
type machine struct{ *Tasks }

// Step is the engine's step for an operation on a variable, which drains no stores.
//
//go:norace
func (m machine) Step(kind strategy.Kind, v memory.Variable) (*core.Task, *core.Object) {
	t, o := m.Announce(kind, v.Point, v.X)
	m.arrive(t)
	return t, o
}

//go:norace
func (m machine) ArriveAlone(t *core.Task, kind strategy.Kind) { m.arriveAlone(t, kind) }

//go:norace
func (m machine) Access(v memory.Variable) { m.Tasks.Access(v.Point, v.X, v.Access) }

// checkReliesOnSC gives an execution that has failed the verdict relies-on-sc, if it could not have
// failed on a sequentially consistent memory.
func (w *weak) checkReliesOnSC(r core.Result) core.Result {
	switch r.Verdict {
	case verdict.Pass, verdict.Nondeterminism, verdict.Uncontrolled, verdict.Timeout:
		return r
	}
	if r.Cause = w.history.Cause(); r.Cause != "" {
		r.Verdict = verdict.ReliesOnSC
	}
	return r
}

// leftOut reports whether the fence that the current task has reached is one that the options leave
// out.
//
//go:norace
func (w *weak) leftOut() bool {
	var pcs [24]uintptr
	all := core.SubjectFrames(pcs[:runtime.Callers(3, pcs[:])])
	if len(all) == 0 {
		return false
	}
	f := all[0]
	function, place := goroutines.Short(f.Function), fmt.Sprintf("%s:%d", path.Base(f.File), f.Line)
	for i, name := range w.withoutFences {
		if name == function || name == place {
			w.met[i] = true
			return true
		}
	}
	return false
}

// A weak memory has to know of each operation that synchronises through an object that is not a
// variable. The operation acquires and releases what it does in Go's memory model, or more where
// the difference cannot matter: an Unlock acquires nothing, since its caller holds the lock, and
// each use of a channel does both.

// An edge is the effect of an operation on the order of memory: a set of these.
type edge uint8

const (
	acquires edge = 1 << iota
	releases
)

// synchronise records that the current task has synchronised through o.
//
//go:norace
func (e *Tasks) synchronise(o *core.Object, how edge) {
	if e.weak != nil {
		e.weak.synchronised(o, how)
	}
}

//go:norace
func (w *weak) synchronised(o *core.Object, how edge) {
	t := w.Running()
	if t == nil || w.Abandoning { // it is nil if a timer does it
		return
	}
	w.history.Synchronised(t, o)
	if how&acquires != 0 {
		w.model.Acquire(t, o)
	}
	if how&releases != 0 {
		w.model.Release(t, o)
	}
}

// drainStores empties the current task's store buffer before it synchronises.
//
//go:norace
func (e *Tasks) drainStores() {
	if e.weak != nil && !e.Abandoning {
		e.weak.model.Drain()
	}
}

// offer is called before a communication. A partner may make the step of both, so what the caller
// knows is released to the channels before it waits.
//
//go:norace
func (w *weak) offer(t *core.Task, cases []seam.Case, hasDefault bool) {
	w.model.Drain()
	if hasDefault {
		return
	}
	for i := range cases {
		if cases[i].X != nil {
			w.model.Release(t, w.Objects.At(cases[i].X))
		}
	}
}
