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

// A fifo turns the order of a deque around, as rayon's JobFifo does: its jobs wait in a queue, and
// for each of them a ticket goes to some deque or to the injector. The worker that takes a ticket
// runs the job that is then the first.
//
// A worker that waits isolated takes the jobs themselves, wherever their tickets are; a ticket that
// comes too late has no effect. Nothing waits for those tickets, so each holds a reference to the
// pool, which would otherwise end with tickets in its queues.
type fifo struct {
	queue  queue
	ticket ticket // one for all jobs
	pool   *Pool  // to which each ticket holds a reference; nil: the waiter waits for the tickets, too
	share  queue  // the waiter's shares of broadcasts: jobs for it alone
}

// newFIFO makes a fifo whose jobs run isolated, or not.
func newFIFO(isolated bool) *fifo {
	f := new(fifo)
	f.ticket.fifo = f
	f.ticket.task = &f.ticket
	f.ticket.isolated = isolated
	return f
}

// hold takes the references of n tickets that are about to be posted.
func (f *fifo) hold(n int) {
	if f.pool != nil {
		f.pool.hold(n)
	}
}

// again is the ticket for each of any number of jobs.
func (f *fifo) again(int) *job { return &f.ticket.job }

// pop takes the first job for the worker that waits for all of them; nil if there is none, or no
// fifo.
func (f *fifo) pop() *job {
	if f == nil {
		return nil
	}
	if j := f.share.pop(); j != nil {
		return j
	}
	return f.queue.pop()
}

// HasInjectedJob is what that worker asks before it blocks.
func (f *fifo) HasInjectedJob() bool {
	return f != nil && !(f.share.isEmpty() && f.queue.isEmpty())
}

type ticket struct {
	job
	fifo *fifo
}

func (t *ticket) run(w *Worker) {
	w.counts.jobs-- // a ticket is not a job
	if j := t.fifo.queue.pop(); j != nil {
		w.execute(j)
	}
}

func (t *ticket) finish(*Worker, outcome) {
	if t.fifo.pool != nil {
		t.fifo.pool.release()
	}
}
