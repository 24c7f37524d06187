package queue

import (
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/sync"
)

// A Queue is a first-in-first-out queue of limited capacity. Use New. Its methods are safe for
// concurrent use.
type Queue[T any] struct {
	mu       sync.Mutex
	notFull  *sync.Cond
	notEmpty *sync.Cond
	capacity int
	items    []T
	// The numbers of waiters, for State.
	putters, takers int
}

// New makes a queue for capacity items, at least one.
func New[T any](capacity int) *Queue[T] {
	q := &Queue[T]{capacity: max(capacity, 1)}
	q.notFull, q.notEmpty = sync.NewCond(&q.mu), sync.NewCond(&q.mu)
	return q
}

// NewOneCondition makes a queue with a defect: putters and takers wait on the same condition, so
// that a signal can wake a waiter that cannot proceed.
func NewOneCondition[T any](capacity int) *Queue[T] {
	q := New[T](capacity)
	q.notFull = q.notEmpty
	return q
}

// Put appends v. It waits until there is room.
func (q *Queue[T]) Put(v T) {
	q.mu.Lock()
	for len(q.items) == q.capacity {
		hooks.At(putFull)
		q.putters++
		q.notFull.Wait()
		q.putters--
	}
	q.items = append(q.items, v)
	q.mu.Unlock()
	hooks.At(putPushed)
	signal(q.notEmpty, putNotify)
}

// Take removes and returns the oldest item. It waits until there is one.
func (q *Queue[T]) Take() T {
	q.mu.Lock()
	for len(q.items) == 0 {
		hooks.At(takeEmpty)
		q.takers++
		q.notEmpty.Wait()
		q.takers--
	}
	v := q.items[0]
	q.items = q.items[1:]
	q.mu.Unlock()
	hooks.At(takeTaken)
	signal(q.notFull, takeNotify)
	return v
}

// signal wakes one waiter; a fault at p may drop or duplicate the notification.
func signal(c *sync.Cond, p hooks.Point) {
	for range hooks.Notify(p) {
		c.Signal()
		if !hooks.Enabled {
			break
		}
	}
}

// A State is a snapshot of a queue.
type State struct {
	Items, Capacity int
	Putters, Takers int // waiting
}

// State returns a snapshot.
func (q *Queue[T]) State() State {
	q.mu.Lock()
	defer q.mu.Unlock()
	return State{len(q.items), q.capacity, q.putters, q.takers}
}
