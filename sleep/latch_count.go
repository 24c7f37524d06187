package sleep

import (
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
)

// CountLatch is set when as many units have been given back as were taken. It starts with one, its
// creator's. Its owner waits on the inner latch, never on the counter, which reaches zero while the
// last setter still reads the latch.
type CountLatch struct {
	counter atomic.Int64
	core    CoreLatch
	owner   Waker // nil: the owner is not a worker, and blocks on lock
	worker  int
	lock    LockLatch
}

// Init prepares l, a zero CountLatch, with one unit, for the worker of that index in the pool that
// owner wakes. A nil owner means a goroutine that is not a worker, and blocks in Wait.
func (l *CountLatch) Init(owner Waker, worker int) {
	l.counter.Store(1)
	l.owner, l.worker = owner, worker
}

// Owner returns the arguments of Init.
func (l *CountLatch) Owner() (owner Waker, worker int) { return l.owner, l.worker }

// TryIncrement is L6: it takes another unit. It reports false if none is held any more, and the
// latch is set or about to be.
func (l *CountLatch) TryIncrement() bool {
	for {
		n := memory.LoadInt64(&l.counter, memory.Relaxed)
		if n < 1 {
			return false
		}
		if memory.CompareAndSwapInt64(&l.counter, n, n+1, memory.Relaxed, memory.Relaxed) {
			return true
		}
	}
}

// Set is L7: it gives a unit back. The last one sets the inner latch and wakes the owner; the
// others must not touch the latch afterwards.
func (l *CountLatch) Set() {
	hooks.At(pointLatchCountDec)
	n := l.counter.Add(-1) // no declared order: see subInactive
	if n > 0 {
		return
	}
	if n < 0 {
		panic("sleep: CountLatch.Set without a unit")
	}
	owner, worker := l.owner, l.worker
	if owner == nil {
		l.lock.Set()
		return
	}
	if l.core.Set() {
		notifyOwner(owner, worker)
	}
}

// Core is the latch that the owner, a worker, waits for.
func (l *CountLatch) Core() *CoreLatch { return &l.core }

// Wait blocks the calling goroutine until all units are back. It panics if the latch has an owner.
func (l *CountLatch) Wait() {
	if l.owner != nil {
		panic("sleep: CountLatch.Wait on a latch with an owner")
	}
	l.lock.Wait()
}
