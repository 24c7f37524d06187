package sleep

import (
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
)

// CountLatch is set when as many units have been given back as were taken. It
// begins with one unit, its creator's. Its owner waits on the inner latch, never
// on the counter: that reaches zero while the last setter still reads the latch.
type CountLatch struct {
	counter atomic.Int64
	core    CoreLatch
	owner   Waker // nil: the owner is no worker and blocks on lock
	worker  int
	lock    LockLatch
}

// Init makes l, a zero CountLatch, ready, with one unit, for a worker that steals while it waits:
// worker index of the pool that owner wakes. A nil owner stands for a goroutine
// that is no worker and blocks in Wait.
func (l *CountLatch) Init(owner Waker, worker int) {
	l.counter.Store(1)
	l.owner, l.worker = owner, worker
}

// Owner returns what Init was called with.
func (l *CountLatch) Owner() (owner Waker, worker int) { return l.owner, l.worker }

// Increment is L6: it takes another unit. The caller must hold one already, or
// know who does: a latch whose counter has been zero may be gone. It panics then,
// and leaves the counter as it was.
func (l *CountLatch) Increment() {
	if !l.TryIncrement() {
		panic("sleep: CountLatch.Increment without a unit")
	}
}

// TryIncrement is Increment for callers who cannot be sure that a unit is held: it
// reports false if none is, and the latch set or about to be.
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

// Set is L7: it gives a unit back. The one that gives back the last sets the inner latch
// and wakes the owner; all others may not touch the latch afterwards.
func (l *CountLatch) Set() {
	hooks.At(pointLatchCountDec)
	n := l.counter.Add(-1) // with no order declared, for the reason that subInactive has
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

// Core is the latch that the owner, a worker, waits for. Only for a latch with an
// owner.
func (l *CountLatch) Core() *CoreLatch { return &l.core }

// Wait blocks the calling goroutine until all units are back. Only for a latch
// without an owner: it panics otherwise.
func (l *CountLatch) Wait() {
	if l.owner != nil {
		panic("sleep: CountLatch.Wait on a latch with an owner")
	}
	l.lock.Wait()
}

// Outstanding returns the number of units not yet given back, for dumps.
func (l *CountLatch) Outstanding() int { return int(l.counter.Load()) }
