package queue

import (
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/sync"
)

// A Queue holds at most so many items; New makes one. Its methods may be called from
// any goroutine.
type Queue[T any] struct {
	mu       sync.Mutex
	notFull  *sync.Cond
	notEmpty *sync.Cond
	capacity int
	items    []T
	// Who waits, for State.
	putters, takers int
}

// New makes a queue for that many items, at least one.
func New[T any](capacity int) *Queue[T] {
	q := &Queue[T]{capacity: max(capacity, 1)}
	q.notFull, q.notEmpty = sync.NewCond(&q.mu), sync.NewCond(&q.mu)
	return q
}

// NewOneCondition makes a queue with a defect: putters and takers wait for the same
// condition, and who is woken may be one of those for whom there is nothing to do.
func NewOneCondition[T any](capacity int) *Queue[T] {
	q := New[T](capacity)
	q.notFull = q.notEmpty
	return q
}

// Put waits until there is room, and puts v behind all that are there.
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

// Take waits until there is an item, and takes the oldest.
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

// signal wakes one who waits, unless a fault has it otherwise.
func signal(c *sync.Cond, p hooks.Point) {
	for range hooks.Notify(p) {
		c.Signal()
		if !hooks.Enabled {
			break
		}
	}
}

// A State is what a queue is like at a moment.
type State struct {
	Items, Capacity int
	Putters, Takers int // that wait
}

// State returns it.
func (q *Queue[T]) State() State {
	q.mu.Lock()
	defer q.mu.Unlock()
	return State{len(q.items), q.capacity, q.putters, q.takers}
}
