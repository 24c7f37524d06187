package locks

import (
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
)

// A waiter of an mcsLock spins on its own gate.
type waiter struct {
	next   atomic.Pointer[waiter]
	closed atomic.Bool
}

// An mcsLock is the list-based lock by its inventors' initials; opens is the order in which the
// holder opens the next one's gate.
type mcsLock struct {
	tail  atomic.Pointer[waiter]
	opens memory.Order
}

func (l *mcsLock) lock() *waiter {
	me := new(waiter)
	memory.StoreBool(&me.closed, true, memory.Relaxed)
	before := memory.SwapPointer(&l.tail, me, memory.AcqRel)
	if before == nil {
		return me
	}
	memory.StorePointer(&before.next, me, memory.Release)
	for memory.LoadBool(&me.closed, memory.Acquire) {
	}
	return me
}

func (l *mcsLock) unlock(me *waiter) {
	next := memory.LoadPointer(&me.next, memory.Acquire)
	if next == nil {
		if memory.CompareAndSwapPointer(&l.tail, me, nil, memory.Release, memory.Relaxed) {
			return
		}
		for next == nil {
			next = memory.LoadPointer(&me.next, memory.Acquire)
		}
	}
	memory.StoreBool(&next.closed, false, l.opens)
}

func mcs(opens memory.Order) func(*chaos.C) {
	return func(c *chaos.C) {
		l := mcsLock{opens: opens}
		var x counter
		f := func() {
			me := l.lock()
			x.increment()
			l.unlock(me)
		}
		together(f, f)
		x.is(c, 2)
	}
}

func TestMCSLock(t *testing.T)      { chaos.Explore(t, mcs(memory.Relaxed), onViews) }
func TestMCSLockFixed(t *testing.T) { chaos.Explore(t, mcs(memory.Release), onViews) }

// ticket is a ticket lock; serves is the order in which the holder serves the next one.
func ticket(serves memory.Order) func(*chaos.C) {
	return func(c *chaos.C) {
		var drawn, serving atomic.Int32
		var x counter
		f := func() {
			mine := memory.AddInt32(&drawn, 1, memory.Relaxed) - 1
			for memory.LoadInt32(&serving, memory.Acquire) != mine {
			}
			x.increment()
			memory.StoreInt32(&serving, mine+1, serves)
		}
		together(f, f)
		x.is(c, 2)
	}
}

func TestTicketLock(t *testing.T)      { chaos.Explore(t, ticket(memory.Relaxed), onViews) }
func TestTicketLockFixed(t *testing.T) { chaos.Explore(t, ticket(memory.Release), onViews) }

// barrier is a spinning barrier: the last to arrive begins the next round. arrives is the order in
// which tasks are counted, which hands on what those before have written.
func barrier(arrives memory.Order) func(*chaos.C) {
	return func(c *chaos.C) {
		const n = 2
		var waiting, round atomic.Int32
		var words [n]atomic.Int32
		f := func(me int) func() {
			return func() {
				memory.StoreInt32(&words[me], 1, memory.Relaxed)
				now := memory.LoadInt32(&round, memory.Relaxed)
				if memory.AddInt32(&waiting, 1, arrives) == n {
					memory.StoreInt32(&waiting, 0, memory.Relaxed)
					memory.AddInt32(&round, 1, memory.Release)
				} else {
					for memory.LoadInt32(&round, memory.Acquire) == now {
					}
				}
				if memory.LoadInt32(&words[1-me], memory.Relaxed) != 1 {
					c.Errorf("task %d does not see what the other has written before the barrier", me)
				}
			}
		}
		together(f(0), f(1))
	}
}

func TestBarrier(t *testing.T)      { chaos.Explore(t, barrier(memory.Relaxed), onViews) }
func TestBarrierFixed(t *testing.T) { chaos.Explore(t, barrier(memory.AcqRel), onViews) }
