package pool

import (
	"context"
	"fmt"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/sleep"
)

// GoN starts n jobs that nothing waits for, which call f with 0 to n-1: as n calls of Go would, but
// they are posted together, and up to n workers wake for them. It does not block, unless injection
// is bounded (WithMaxInjected): then each job waits for room, unless there is room for all. In a
// job of the same pool, outside Blocking, GoN panics with a *MisuseError instead of waiting.
//
// It returns ErrClosed if the pool is closed, and an error if n is negative; nothing is started
// then. Inside a job, Worker.GoN is cheaper and always works.
func (p *Pool) GoN(n int, f func(w *Worker, i int)) error {
	if hooks.Enabled {
		p.outsideIfBounded("Pool.GoN", "Worker.GoN")
	}
	if f == nil {
		return ErrNoFunction
	}
	if n < 0 {
		return errCount("Pool.GoN", n)
	}
	if err := p.enter(); err != nil {
		return err
	}
	defer p.release() // of enter
	if n == 0 {
		return nil
	}
	jobs := newGoTasks(p, n, f, false) // panics if n is absurd: nothing is held yet
	if p.gate != nil {
		guests := jobs
		jobs = func(i int) *job { j := guests(i); j.guest = true; return j }
		if !p.gate.try(n) {
			if !hooks.Enabled { // has been asked
				p.outside("Pool.GoN", "Worker.GoN")
			}
			p.hold(n)
			return p.injectOneByOne(n, jobs)
		}
	}
	p.hold(n)
	p.injectN(n, jobs)
	return nil
}

// injectOneByOne is injectN where there is not room for all: each job waits for it.
func (p *Pool) injectOneByOne(n int, job func(i int) *job) error {
	for i := range n {
		j := job(i)
		latch := new(sleep.LockLatch)
		if err := p.gate.enter(context.Background(), latch, latch.Wait); err != nil {
			return err // never: there is no end to that context
		}
		p.inject(j)
	}
	return nil
}

// GoN starts n jobs that nothing waits for, which call f with 0 to n-1, on w's own deque: as n
// calls of Go would, but they are posted together, and up to n workers wake for them. It does not
// block. It panics if n is negative.
func (w *Worker) GoN(n int, f func(w *Worker, i int)) {
	w.check("Worker.GoN")
	refuseNil(f == nil)
	if n < 0 {
		panic(errCount("Worker.GoN", n))
	}
	if n == 0 {
		return
	}
	jobs := newGoTasks(w.pool, n, f, w.isolated) // panics if n is absurd: nothing is held yet
	w.pool.hold(n)
	w.pushN(n, jobs)
}

// goTaskN is one of the jobs that a GoN has started.
type goTaskN struct {
	goTask
	call func(w *Worker, i int)
	i    int
}

func (t *goTaskN) run(w *Worker) {
	f := t.call
	t.call = nil
	f(w, t.i)
}

// newGoTasks makes n jobs, in one allocation.
func newGoTasks(p *Pool, n int, f func(w *Worker, i int), isolated bool) func(i int) *job {
	tasks := make([]goTaskN, n)
	return func(i int) *job {
		t := &tasks[i]
		t.pool, t.call, t.i = p, f, i
		t.task, t.isolated = t, isolated
		return &t.job
	}
}

func errCount(entry string, n int) error {
	return fmt.Errorf("pool: %s of %d jobs: want 0 or more", entry, n)
}
