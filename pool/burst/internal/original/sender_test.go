package original

import (
	"fmt"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
)

// A worker is what a sender and one receiver share.
type worker[T any] struct {
	state atomic.Uint32
	slot  atomic.Pointer[T]
}

// The states of a receiver.
const (
	waiting  uint32 = iota // has no work, and blocks
	pending                // has work, and has not come out of its sleep yet
	running                // works
	orphaned               // its sender is gone
)

// compareAndSwap is Rust's: it returns what the state was. It is one atomic step, the CAS or the
// load behind it.
func (w *worker[T]) compareAndSwap(old, new uint32) uint32 {
	for {
		if w.state.CompareAndSwap(old, new) {
			return old
		}
		if was := w.state.Load(); was != old {
			return was
		}
	}
}

// A Sender is for one goroutine.
type Sender[T any] struct {
	eventfd          eventfd
	workers          []*worker[T]
	nextWorker       int
	workersToUnblock int64
}

// NewSender returns a sender on an eventfd of the kernel, which is never closed. It panics if it
// cannot be made.
func NewSender[T any]() *Sender[T] {
	fd, err := newKernelEventfd()
	if err != nil {
		panic(fmt.Sprintf("original: eventfd: %v", err))
	}
	return newSender[T](fd)
}

func newSender[T any](fd eventfd) *Sender[T] { return &Sender[T]{eventfd: fd} }

// NewReceiver returns another receiver.
func (s *Sender[T]) NewReceiver() *Receiver[T] {
	w := new(worker[T])
	w.state.Store(running)
	s.workers = append(s.workers, w)
	return &Receiver[T]{worker: w, eventfd: s.eventfd}
}

// Enqueue gives x to a receiver that waits, and returns nil; if there is none it returns x.
func (s *Sender[T]) Enqueue(x *T) *T {
	target := -1
search:
	for i := range s.workers {
		i2 := (i + s.nextWorker) % len(s.workers)
		hooks.At(pointCASPending)
		switch was := s.workers[i2].compareAndSwap(waiting, pending); was { // E1
		case waiting:
			target = i2
			break search
		case pending, running:
		default:
			panic(fmt.Sprintf("original: enqueue: bad state %d", was))
		}
	}
	if target < 0 {
		return x
	}
	hooks.At(pointSlotStore)
	if old := s.workers[target].slot.Swap(x); old != nil { // E2
		panic("original: enqueue: the slot is not empty")
	}
	hooks.At(pointCount)
	s.nextWorker = (target + 1) % len(s.workers) // E3
	s.workersToUnblock++
	return nil
}

// WakeAll wakes all receivers, according to its documentation.
func (s *Sender[T]) WakeAll() {
	n := s.workersToUnblock
	s.workersToUnblock = 0
	hooks.At(pointWakeWrite)
	if err := s.eventfd.write(uint64(n)); err != nil { // W
		panic(fmt.Sprintf("original: wake: %v", err))
	}
}

// Close is what Rust does when a Sender is dropped.
func (s *Sender[T]) Close() {
	for _, w := range s.workers {
		hooks.At(pointDropStore)
		w.state.Store(orphaned) // D
	}
	hooks.At(pointDropWrite)
	if err := s.eventfd.write(1); err != nil { // D
		panic(fmt.Sprintf("original: drop: %v", err))
	}
}
