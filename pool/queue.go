package pool

import (
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
)

// A queue is an unbounded FIFO of jobs for any number of producers and consumers: each worker's
// broadcasts, and the jobs of a fifo. Its zero value is empty. Memory follows the number of jobs in
// it.
//
// isEmpty takes no lock: the size is an atomic that counts a job as soon as its place is reserved.
// A consumer that comes between reservation and write waits for the lock, and then finds the job
// unless another was faster.
type queue struct {
	size atomic.Int64

	mu         sync.Mutex
	head, tail *chunk
	spare      *chunk // the last chunk emptied, so that a short queue allocates nothing
	read       int    // index in head of the first job
	written    int    // index in tail behind the last job
	taken      uint64 // jobs ever taken: the number of the first job
}

type chunk struct {
	jobs [queueChunk]*job
	next *chunk
}

func (q *queue) isEmpty() bool { return q.size.Load() == 0 }

func (q *queue) push(j *job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.size.Add(1)
	hooks.At(pointReserveToWrite)
	if q.tail == nil || q.written == queueChunk {
		q.grow()
	}
	q.tail.jobs[q.written] = j
	q.written++
}

// grow appends an empty chunk.
func (q *queue) grow() {
	c := q.spare
	q.spare = nil
	if c == nil {
		c = new(chunk)
	}
	if q.tail == nil {
		q.head = c
		q.read = 0
	} else {
		q.tail.next = c
	}
	q.tail = c
	q.written = 0
}

// pop takes the oldest job; nil if there is none.
func (q *queue) pop() *job {
	if q.isEmpty() {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.size.Load() == 0 {
		return nil
	}
	j := q.head.jobs[q.read]
	q.head.jobs[q.read] = nil
	q.read++
	q.taken++
	q.size.Add(-1)
	if q.read == queueChunk {
		q.shrink()
	}
	return j
}

// shrink drops the first chunk, all of whose jobs are taken.
func (q *queue) shrink() {
	c := q.head
	q.head, q.read = c.next, 0
	if q.head == nil {
		q.tail = nil
	}
	c.next = nil
	q.spare = c
}

// waiting returns the numbers, from 0 in order of arrival, of the jobs that wait: first to
// first+n-1.
func (q *queue) waiting() (first uint64, n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.taken, int(q.size.Load())
}
