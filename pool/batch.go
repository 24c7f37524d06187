package pool

import "fmt"

// GoN starts n jobs that nobody waits for, which call f with 0 to n-1: as n calls
// of Go would, but they are posted together, and up to n workers wake for them. It
// does not block.
//
// It returns ErrClosed if the pool is closed, and an error if n is negative;
// nothing is started then. Inside a job, Worker.GoN is cheaper and always works.
func (p *Pool) GoN(n int, f func(w *Worker, i int)) error {
	if f == nil {
		return ErrNoFunction
	}
	if n < 0 {
		return errCount("Pool.GoN", n)
	}
	if !p.enter() {
		return ErrClosed
	}
	if n == 0 {
		p.release()
		return nil
	}
	p.hold(n - 1)
	p.injectN(n, newGoTasks(p, n, f, false))
	return nil
}

// GoN starts n jobs that nobody waits for, which call f with 0 to n-1, on w's own
// deque: as n calls of Go would, but they are posted together, and up to n workers
// wake for them. It does not block. It panics if n is negative.
func (w *Worker) GoN(n int, f func(w *Worker, i int)) {
	if f == nil {
		panic(ErrNoFunction)
	}
	if n < 0 {
		panic(errCount("Worker.GoN", n))
	}
	if n == 0 {
		return
	}
	w.pool.hold(n)
	w.pushN(n, newGoTasks(w.pool, n, f, w.isolated))
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
