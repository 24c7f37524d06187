package hooked

import (
	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/internal/seam"
)

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
