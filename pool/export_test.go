package pool

import "github.com/rouse-go/rouse/sleep"

// KeepsPrivate makes workers keep that many jobs to themselves from the beginning, and after
// each request, and twice as many after so many jobs that were shared unasked.
func KeepsPrivate(least, after int) Option {
	return func(c *config) { c.keeping = keeping{least, after} }
}

// Private returns how many jobs w keeps to itself. For w's own goroutine.
func Private(w *Worker) int { return w.forks.private() }

// Asked reports whether somebody has asked w for them.
func Asked(w *Worker) bool { return w.asked.Load() != 0 }

// Unstarted returns the workers of a pool without goroutines, which keep up to that many jobs.
func Unstarted(workers, keep int) []*Worker {
	s, err := sleep.New(workers)
	if err != nil {
		panic(err)
	}
	p := &Pool{workers: make([]*Worker, workers), sleep: *s, dequeCapacity: 2, keeping: keeping{keep, 1}}
	for i := range p.workers {
		p.workers[i] = p.newWorker(i)
	}
	p.all.Store(&p.workers)
	return p.workers
}

// Keep forks a job that is never run.
func Keep(w *Worker) { keep(w, 0) }

// keep forks a second half that is never run, of that number.
func keep(w *Worker, n int) {
	t, ok := w.frame().(*numberedFork)
	if !ok {
		t = newFrame(w, func() *numberedFork { return new(numberedFork) })
	}
	t.n = n
	w.fork()
	if !w.mayKeep() {
		w.keepLess()
	}
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
