// Package box is a small queue, of which tests of package mutate make mutants.
package box

import (
	"sync"
	"sync/atomic"
)

// trace is false: what depends on it is not compiled.
const trace = false

// A Box is a queue that can be closed.
type Box[T any] struct {
	mu     sync.Mutex
	items  []T
	wake   chan struct{}
	closed atomic.Bool
	closes int
	last   T
}

// New makes an empty box.
func New[T any]() *Box[T] { return &Box[T]{wake: make(chan struct{}, 1)} }

// Put adds an item.
func (b *Box[T]) Put(x T) {
	b.mu.Lock()
	b.items = append(b.items, x)
	b.last = x
	b.mu.Unlock()
	b.notify()
}

// notify wakes a taker, if one waits.
func (b *Box[T]) notify() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// Take removes the oldest item, and waits for one.
func (b *Box[T]) Take() T {
	for {
		b.mu.Lock()
		if len(b.items) > 0 {
			x := b.items[0]
			b.items = b.items[1:]
			b.mu.Unlock()
			return x
		}
		b.mu.Unlock()
		if trace {
			b.wake <- struct{}{}
		}
		<-b.wake
	}
}

// Close closes the box, once.
func (b *Box[T]) Close() {
	if b.closed.CompareAndSwap(false, true) {
		b.mu.Lock()
		b.closes++
		b.mu.Unlock()
	}
}

// Closes returns how often it was closed.
func (b *Box[T]) Closes() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closes
}

// Last returns the youngest item, whether it was taken or not. No test calls it.
func (b *Box[T]) Last() T {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.last
}
