package pool

import (
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/sleep"
)

// A Scope is a set of jobs that are all done when Worker.Scope returns.
type Scope struct {
	pool     *Pool
	latch    sleep.CountLatch
	panicked atomic.Pointer[PanicError] // the first
	goexit   atomic.Bool
}

// Scope calls body, which may start any number of jobs with Scope.Go, as may
// those jobs; it returns when body and all of them are done. It waits by running
// other jobs. body runs on w.
//
// If body or jobs panic, all others still run, and then Scope panics with one
// *PanicError, the first that happened. If a job ends by Goexit on another
// worker, Scope calls Goexit at the end.
func (w *Worker) Scope(body func(s *Scope)) {
	if body == nil {
		panic(ErrNoFunction)
	}
	s := &Scope{pool: w.pool}
	s.latch.Init(w.pool.sleep, w.index)
	w.protect(&scopeBody{scope: s, f: body})
	outcome{panicked: s.panicked.Load(), goexit: s.goexit.Load()}.resume()
}

// Go starts f as a job of the scope. w is the worker that the caller runs on:
// the job goes to its deque, and is the first that w itself would take. A caller
// that is no worker of the scope's pool passes nil (or its own worker): the job
// then goes through the injector.
//
// It may be called on any goroutine while body, or a job of the scope that is known
// not to be over, is still running; after the scope has ended it panics.
func (s *Scope) Go(w *Worker, f func(w *Worker)) {
	if f == nil {
		panic(ErrNoFunction)
	}
	if !s.latch.TryIncrement() {
		panic("pool: Scope.Go: the scope has ended")
	}
	t := &scopeTask{scope: s, f: f}
	t.task = t
	if w != nil && w.pool == s.pool {
		w.push(&t.job)
	} else {
		s.pool.inject(&t.job)
	}
}

// ended notes how the body or a job of the scope ended, and gives back its unit.
func (s *Scope) ended(o outcome) {
	if o.panicked != nil {
		s.panicked.CompareAndSwap(nil, o.panicked)
	}
	if o.goexit {
		s.goexit.Store(true)
	}
	s.latch.Set()
}

// scopeTask is a job of a scope.
type scopeTask struct {
	job
	scope *Scope
	f     func(w *Worker)
}

func (t *scopeTask) run(w *Worker) {
	f := t.f
	t.f = nil
	f(w)
}

func (t *scopeTask) finish(_ *Worker, o outcome) { t.scope.ended(o) }

// scopeBody is the body of a scope, run in place.
type scopeBody struct {
	scope *Scope
	f     func(s *Scope)
}

func (b *scopeBody) run(w *Worker) { b.f(b.scope) }

// finish waits for the scope's jobs: also when body ends by Goexit, whose
// deferred calls are all that is left to run.
func (b *scopeBody) finish(w *Worker, o outcome) {
	b.scope.ended(o)
	w.waitOut(b.scope.latch.Core(), waitsForScope)
}
