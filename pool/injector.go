package pool

import (
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
)

// The injector is the queue of the jobs from outside: unbounded, first in, first out, for any
// number of producers and consumers. Its zero value is empty. Memory follows the number of jobs in
// it.
//
// Producers take a lock, consumers none. A job counts only when it and all before it can be taken,
// so consumers never wait for a job that is half in. Chunks are not reused, so a slow consumer gets
// its job or none.
type injector struct {
	head atomic.Pointer[injectedChunk] // where to take; nil before the first push
	_    [56]byte                      // consumers look at another cache line

	mu      sync.Mutex
	tail    *injectedChunk
	pushed  int   // into tail
	advance int64 // references to the pool that are taken already, for functions to come

	_ [32]byte
}

// injected is a job from outside: one that its caller has made, or a function that nothing waits
// for, which becomes one where it is taken.
type injected struct {
	job *job
	f   func(w *Worker)
}

type injectedChunk struct {
	first   uint64 // the number of its first job
	slots   [injectorChunk]injected
	written atomic.Uint32 // jobs that can be, or have been, taken
	next    atomic.Pointer[injectedChunk]
	_       [48]byte
	taken   atomic.Uint32 // that many have been
	_       [60]byte
}

// isEmpty reports whether there is nothing to take.
func (q *injector) isEmpty() bool {
	c := q.head.Load()
	return c == nil || c.taken.Load() == c.written.Load() && c.next.Load() == nil
}

// push is PushJob. A function needs a reference to p, so it may be refused; a job has one.
func (q *injector) push(p *Pool, x injected) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if x.f != nil {
		if err := q.takeReference(p); err != nil {
			return err
		}
	}
	if q.tail == nil || q.pushed == injectorChunk {
		q.grow(x)
		return nil
	}
	q.tail.slots[q.pushed] = x
	hooks.At(pointInjectorWritten)
	q.pushed++
	q.tail.written.Store(uint32(q.pushed))
	return nil
}

// takeReference takes a reference to p for a function: a chunk's worth of them at a time, since all
// producers and all workers write that word.
func (q *injector) takeReference(p *Pool) error {
	if q.advance == 0 {
		if err := p.enterN(injectorChunk); err != nil {
			return err
		}
		q.advance = injectorChunk
	}
	q.advance--
	return nil
}

// close calls closes while no producer is inside; if that has closed the pool, it takes back the
// references for functions to come, and so refuses those.
func (q *injector) close(closes func() bool) (closed bool, references int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !closes() {
		return false, 0
	}
	references = q.advance
	q.advance = 0
	return true, references
}

// grow appends a chunk with its first job.
func (q *injector) grow(x injected) {
	c := new(injectedChunk)
	c.slots[0] = x
	c.written.Store(1)
	last := q.tail
	q.tail, q.pushed = c, 1
	hooks.At(pointInjectorWritten)
	if last == nil {
		q.head.Store(c)
		return
	}
	c.first = last.first + injectorChunk
	last.next.Store(c)
}

// pop takes the oldest job; ok is false if there is none.
func (q *injector) pop() (x injected, ok bool) {
	for c := q.head.Load(); c != nil; c = q.head.Load() {
		t := c.taken.Load()
		switch {
		case t < c.written.Load():
			if c.taken.CompareAndSwap(t, t+1) {
				x = c.slots[t]
				c.slots[t] = injected{} // the chunk stays until all its jobs are taken
				return x, true
			}
		case t < injectorChunk:
			return x, false
		default:
			next := c.next.Load()
			if next == nil {
				return x, false
			}
			q.head.CompareAndSwap(c, next)
		}
	}
	return x, false
}

// waiting returns the numbers, from 0 in order of arrival, of the jobs that wait: first to
// first+n-1; and how many references there are for functions to come.
func (q *injector) waiting() (first uint64, n int, references int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if c := q.head.Load(); c != nil {
		first = c.first + uint64(c.taken.Load())
		n = int(q.tail.first + uint64(q.pushed) - first)
	}
	return first, n, q.advance
}

// takeInjected takes a job from the injector, and so makes room. The next that w runs may be from
// there, too: see takeMore.
func (w *Worker) takeInjected() *job {
	x, ok := w.pool.injector.pop()
	if !ok {
		w.more = 0
		return nil
	}
	w.more = injectorChunk - 1
	if x.f != nil {
		return w.injectedTask(x.f)
	}
	if x.job.guest {
		w.pool.letIn()
	}
	return x.job
}

// takeMore takes another injected job if the last that w ran was one, without a search and without
// touching the counters: at most a chunk's worth in a row, so that the other workers' jobs do not
// wait long, and not while w waits for a job.
func (w *Worker) takeMore(reason waitReason) *job {
	if w.more == 0 || reason != waitsForJobs {
		return nil
	}
	left := w.more - 1
	j := w.takeInjected()
	w.more = left
	return j
}

// An injectedTask is a job of Pool.Go, which came as a function. Its worker reuses it.
type injectedTask struct {
	goTask
	next *injectedTask // of those that w has to spare
}

func (w *Worker) injectedTask(f func(w *Worker)) *job {
	t := w.tasks
	if t == nil {
		t = &injectedTask{goTask: goTask{pool: w.pool}}
		t.task = t
	} else {
		w.tasks = t.next
	}
	if hooks.Enabled {
		t.life.begin(w, anInjected)
	}
	t.f = f
	return &t.job
}

func (t *injectedTask) finish(w *Worker, o outcome) {
	if o.panicked != nil {
		t.pool.unhandled(o.panicked)
	}
	w.owed++
	w.unpaid.Store(w.owed)
	if hooks.Enabled {
		t.life.free(w, anInjected, "has run it")
	}
	t.next, w.tasks = w.tasks, t
}

// payBack gives back the references of functions that w has run. It waits until w runs out of work,
// since all workers share that word. The job that w runs, or its waiter, keeps the pool alive
// meanwhile.
func (w *Worker) payBack() {
	n := w.owed
	if n == 0 {
		return
	}
	w.owed = 0
	w.unpaid.Store(0)
	w.pool.releaseN(n)
}
