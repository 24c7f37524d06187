package pool

import (
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/sleep"
)

// KeepsPrivate makes workers keep that many jobs to themselves from the beginning, and after
// each request, and twice as many after so many jobs that were shared unasked.
func KeepsPrivate(least, after int) Option {
	return func(c *config) { c.keeping = keeping{least, after} }
}

// Private returns how many jobs w keeps to itself. For its own goroutine.
func Private(w *Worker) int { return w.forks.private() }

// KeepsTooMany reports whether w keeps more jobs to itself than it may. For w's own goroutine.
func KeepsTooMany(w *Worker) bool { return w.forks.private() > w.forks.most }

// IsIsolated reports whether waits on w's stack are isolated. For w's own goroutine.
func IsIsolated(w *Worker) bool { return w.isolated }

// Asked reports whether a worker has asked w for them.
func Asked(w *Worker) bool { return w.request.Load() == asked }

// Unstarted returns the workers of a pool without goroutines, which keep up to that many jobs.
func Unstarted(workers, keep int, options ...sleep.Option) []*Worker {
	s, err := sleep.New(workers, options...)
	if err != nil {
		panic(err)
	}
	p := &Pool{workers: make([]*Worker, workers), sleep: *s, dequeCapacity: 2, keeping: keeping{keep, 1}}
	for i := range p.workers {
		p.workers[i] = p.newWorker(i)
		p.workers[i].until = new(sleep.OnceLatch)
	}
	p.all.Store(&p.workers)
	return p.workers
}

// As calls f on the calling goroutine as a job of w's, which has none.
func As(w *Worker, f func(w *Worker)) {
	defer w.bind()()
	f(w)
}

// Serve is the life of a worker that has no goroutine: that of the caller.
func Serve(w *Worker) {
	defer w.bind()()
	w.waitUntil(&w.until.CoreLatch, waitsForJobs)
}

// Retire ends it.
func Retire(w *Worker) { w.until.SetAndTickleOne(&w.pool.sleep, w.index) }

// TouchOwn reads what only one worker uses, of each worker of an unstarted pool: what it
// publishes for observers of the pool. (But for what it waits for: that is the last step before a
// job, in which a test may note what it lets others see.)
func TouchOwn(workers []*Worker) {
	for _, w := range workers {
		c := &w.published
		for _, n := range []*atomic.Uint64{&c.jobs, &c.joins, &c.pushed, &c.steals, &c.failedSteals} {
			n.Load()
		}
		w.latch.Load()
	}
}

// TouchConstant reads what is never written in an unstarted pool where no job blocks, or comes from
// outside, and no worker forks more than a deque holds or, if onlyFirst, only worker 0 forks.
func TouchConstant(workers []*Worker, onlyFirst bool) {
	p := workers[0].pool
	p.all.Load()
	p.injector.isEmpty()
	for _, w := range workers {
		w.broadcasts.isEmpty()
		w.blocks.Load()
		w.deque.array.Load()
	}
	if onlyFirst {
		for _, w := range workers[1:] {
			w.deque.isEmpty()
		}
	}
}

// Keep forks a job that is never run.
func Keep(w *Worker) { keep(w, 0) }

// keep forks a second half that is never run, of that number.
func keep(w *Worker, n int) {
	i := w.forks.top
	t, ok := w.frame(i).(*numberedFork)
	if !ok {
		t = newFrame(w, func() *numberedFork { return new(numberedFork) })
	}
	t.n = n
	w.open(i)
}

// numberedFork is nothing, and has a number.
type numberedFork struct {
	joinTask
	n int
}

func (t *numberedFork) run(*Worker) {}

// Share shares the oldest job that w keeps.
func Share(w *Worker) { w.share(1) }

// Steal reports whether w has taken a job of others.
func Steal(w *Worker) bool { return w.steal() != nil }

// ForgetDefault makes the next Default the first, as it is in a process that has just started.
func ForgetDefault() { defaultPool.mu, defaultPool.p = sync.Mutex{}, nil }
