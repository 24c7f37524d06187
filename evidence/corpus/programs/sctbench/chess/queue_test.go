package chess

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// A queue has an owner, which pushes and pops at the tail, and thieves, which steal at the head.
type queue struct {
	lock       sync.Locker
	head, tail atomic.Int64
	slots      []atomic.Int64 // a power of two; only the owner replaces them, under the lock
	// spare is how many slots push leaves free. A thief moves the head before it reads the slot, so
	// the owner must leave one: the slot that it would otherwise overwrite.
	spare int64
	// position notes where a goroutine is, for the versions of the queue that keep such a state.
	position func(goroutine int, at int32)
}

func (q *queue) slot(i int64) *atomic.Int64 { return &q.slots[i&int64(len(q.slots)-1)] }

func (q *queue) push(item int64) {
	t := q.tail.Load()
	if t < q.head.Load()+int64(len(q.slots))-q.spare {
		q.slot(t).Store(item)
		q.tail.Store(t + 1)
		return
	}
	q.lock.Lock()
	defer q.lock.Unlock()
	q.grow()
	t = q.tail.Load()
	q.slot(t).Store(item)
	q.tail.Store(t + 1)
}

// grow doubles the slots if there is not a free one more than needed, and moves what is in them to
// the front. No thief is in steal.
func (q *queue) grow() {
	h := q.head.Load()
	count := q.tail.Load() - h
	size := int64(len(q.slots))
	if count >= size-1 {
		size *= 2
	}
	moved := make([]atomic.Int64, size)
	for i := range count {
		moved[i].Store(q.slot(h + i).Load())
	}
	q.slots = moved
	q.head.Store(0)
	q.tail.Store(count)
}

// pop returns 0 if there is no item.
func (q *queue) pop() int64 {
	q.position(0, 1)
	t := q.tail.Load() - 1
	q.tail.Store(t)
	if q.head.Load() <= t {
		return q.slot(t).Load()
	}
	q.tail.Store(t + 1)
	q.position(0, 2)
	q.lock.Lock()
	defer q.lock.Unlock()
	t = q.tail.Load() - 1
	q.tail.Store(t)
	if q.head.Load() <= t {
		return q.slot(t).Load()
	}
	q.head.Store(0)
	q.tail.Store(0)
	return 0
}

// steal returns 0 if there is no item.
func (q *queue) steal(thief int) int64 {
	q.position(thief, 3)
	q.lock.Lock()
	defer q.lock.Unlock()
	q.position(thief, 4)
	h := q.head.Load()
	q.head.Store(h + 1)
	if h < q.tail.Load() {
		return q.slot(h).Load()
	}
	q.head.Store(h)
	return 0
}

// A spinLock is taken by a swap, again and again.
type spinLock struct{ held atomic.Bool }

func (l *spinLock) Lock() {
	for l.held.Swap(true) {
		runtime.Gosched()
	}
}

func (l *spinLock) Unlock() { l.held.Store(false) }
