package control

import (
	"unsafe"

	"github.com/rouse-go/rouse/internal/seam"
)

// Around each operation that synchronises, a weak memory does what the operation
// means to it. The halves are those of Go's memory model, or more where telling
// them apart has no use: an Unlock acquires nothing, as whoever unlocks has locked;
// a channel orders whoever uses it.

// synchronised is told of an operation on x that the current task has done.
//
//go:norace
func (w *weak) synchronised(x unsafe.Pointer, acquires, releases bool) {
	t := w.current()
	if t == nil || w.abandoning { // a timer's doing
		return
	}
	o := w.objects.at(x)
	w.events.synchronised(t, o)
	if acquires {
		w.model.acquire(t, o)
	}
	if releases {
		w.model.release(t, o)
	}
}

// drained comes before an operation that synchronises.
//
//go:norace
func (w *weak) drained() {
	if !w.abandoning {
		w.model.drain()
	}
}

// Lock implements seam.Controller.
//
//go:norace
func (w *weak) Lock(p *seam.Point, x unsafe.Pointer) bool {
	w.drained()
	do := w.engine.Lock(p, x)
	w.synchronised(x, true, false)
	return do
}

// TryLock implements seam.Controller.
//
//go:norace
func (w *weak) TryLock(p *seam.Point, x unsafe.Pointer) bool {
	w.drained()
	do := w.engine.TryLock(p, x)
	if do {
		w.synchronised(x, true, false)
	}
	return do
}

// Unlock implements seam.Controller.
//
//go:norace
func (w *weak) Unlock(p *seam.Point, x unsafe.Pointer) bool {
	w.drained()
	do := w.engine.Unlock(p, x)
	w.synchronised(x, false, true)
	return do
}

// RWLock implements seam.Controller.
//
//go:norace
func (w *weak) RWLock(p *seam.Point, x unsafe.Pointer) bool {
	w.drained()
	do := w.engine.RWLock(p, x)
	w.synchronised(x, true, false)
	return do
}

// RWTryLock implements seam.Controller.
//
//go:norace
func (w *weak) RWTryLock(p *seam.Point, x unsafe.Pointer) bool {
	w.drained()
	do := w.engine.RWTryLock(p, x)
	if do {
		w.synchronised(x, true, false)
	}
	return do
}

// RWUnlock implements seam.Controller.
//
//go:norace
func (w *weak) RWUnlock(p *seam.Point, x unsafe.Pointer) bool {
	w.drained()
	do := w.engine.RWUnlock(p, x)
	w.synchronised(x, false, true)
	return do
}

// RLock implements seam.Controller.
//
//go:norace
func (w *weak) RLock(p *seam.Point, x unsafe.Pointer) bool {
	w.drained()
	do := w.engine.RLock(p, x)
	w.synchronised(x, true, false)
	return do
}

// TryRLock implements seam.Controller.
//
//go:norace
func (w *weak) TryRLock(p *seam.Point, x unsafe.Pointer) bool {
	w.drained()
	do := w.engine.TryRLock(p, x)
	if do {
		w.synchronised(x, true, false)
	}
	return do
}

// RUnlock implements seam.Controller.
//
//go:norace
func (w *weak) RUnlock(p *seam.Point, x unsafe.Pointer) bool {
	w.drained()
	do := w.engine.RUnlock(p, x)
	w.synchronised(x, false, true)
	return do
}

// Enqueue implements seam.Controller.
//
//go:norace
func (w *weak) Enqueue(p *seam.Point, x unsafe.Pointer) {
	w.drained()
	w.engine.Enqueue(p, x)
	w.synchronised(x, false, false)
}

// Await implements seam.Controller.
//
//go:norace
func (w *weak) Await(p *seam.Point, x unsafe.Pointer) {
	w.drained()
	w.engine.Await(p, x)
	w.synchronised(x, true, false)
}

// Signal implements seam.Controller.
//
//go:norace
func (w *weak) Signal(p *seam.Point, x unsafe.Pointer, all bool) {
	w.drained()
	w.engine.Signal(p, x, all)
	w.synchronised(x, false, true)
}

// Count implements seam.Controller.
//
//go:norace
func (w *weak) Count(p *seam.Point, x unsafe.Pointer, delta int) {
	w.drained()
	w.engine.Count(p, x, delta)
	w.synchronised(x, false, true)
}

// WaitZero implements seam.Controller.
//
//go:norace
func (w *weak) WaitZero(p *seam.Point, x unsafe.Pointer) bool {
	w.drained()
	do := w.engine.WaitZero(p, x)
	w.synchronised(x, true, false)
	return do
}

// OnceEnter implements seam.Controller.
//
//go:norace
func (w *weak) OnceEnter(p *seam.Point, x unsafe.Pointer) bool {
	w.drained()
	run := w.engine.OnceEnter(p, x)
	w.synchronised(x, true, false)
	return run
}

// OnceLeave implements seam.Controller.
//
//go:norace
func (w *weak) OnceLeave(p *seam.Point, x unsafe.Pointer) {
	w.drained()
	w.engine.OnceLeave(p, x)
	w.synchronised(x, false, true)
}

// Give implements seam.Controller.
//
//go:norace
func (w *weak) Give(p *seam.Point, x unsafe.Pointer, v any) {
	w.drained()
	w.engine.Give(p, x, v)
	w.synchronised(x, false, true)
}

// Take implements seam.Controller.
//
//go:norace
func (w *weak) Take(p *seam.Point, x unsafe.Pointer) any {
	w.drained()
	v := w.engine.Take(p, x)
	w.synchronised(x, true, false)
	return v
}

// Communicate implements seam.Controller. A partner may do the step of both, so that
// what the caller knows has to be with the channels before it waits.
//
//go:norace
func (w *weak) Communicate(p *seam.Point, cases []seam.Case, others bool) (chosen int, done bool) {
	w.drained()
	if !w.abandoning && !others {
		for i := range cases {
			if cases[i].X != nil {
				w.model.release(w.current(), w.objects.at(cases[i].X))
			}
		}
	}
	chosen, done = w.engine.Communicate(p, cases, others)
	if chosen >= 0 {
		w.synchronised(cases[chosen].X, true, true)
	}
	return chosen, done
}

// CloseChan implements seam.Controller.
//
//go:norace
func (w *weak) CloseChan(p *seam.Point, x unsafe.Pointer) {
	w.drained()
	w.engine.CloseChan(p, x)
	w.synchronised(x, false, true)
}

// ChanClosed implements seam.Controller.
//
//go:norace
func (w *weak) ChanClosed(x unsafe.Pointer) {
	w.engine.ChanClosed(x)
	w.synchronised(x, false, true)
}

// Sleep implements seam.Controller.
//
//go:norace
func (w *weak) Sleep(p *seam.Point, d int64) {
	w.drained()
	w.engine.Sleep(p, d)
	w.synchronised(unsafe.Pointer(&w.timers), false, false)
}

// Arm implements seam.Controller.
//
//go:norace
func (w *weak) Arm(p *seam.Point, x unsafe.Pointer, d, period int64, fire func(), asTask bool) bool {
	w.drained()
	was := w.engine.Arm(p, x, d, period, fire, asTask)
	w.synchronised(x, false, false)
	return was
}

// Disarm implements seam.Controller.
//
//go:norace
func (w *weak) Disarm(p *seam.Point, x unsafe.Pointer) bool {
	w.drained()
	was := w.engine.Disarm(p, x)
	w.synchronised(x, false, false)
	return was
}

// Task implements seam.Engine.
//
//go:norace
func (w *weak) Task(f func()) func() {
	if w.mine() {
		w.drained()
	}
	return w.engine.Task(f)
}
