package pool

import (
	"context"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/sleep"
)

// A Scope is a set of jobs that are all done when whatever made the scope returns: Worker.Scope,
// ScopeFIFO, ScopeContext, InPlaceScope, or the pool's InPlaceScope.
type Scope struct {
	pool     *Pool // in which its jobs run
	latch    sleep.CountLatch
	endings  endings
	fifo     *fifo           // its jobs, by age; nil: they are in the deques themselves
	isolated bool            // its jobs run isolated
	waiter   *Worker         // takes its jobs out of fifo, isolated; nil: none does
	ctx      context.Context // when it ends, jobs that have not begun are dropped; nil: never
	dropped  atomic.Bool     // some have been
}

// Scope calls body, which may start any number of jobs with Scope.Go, as may those jobs; it returns
// when body and all of them are done. It waits by running other jobs. body runs on w.
//
// If body or jobs panic, all others still run, and then Scope panics with one *PanicError, the
// first that happened. If a job ends by Goexit on another worker, Scope calls Goexit at the end.
func (w *Worker) Scope(body func(s *Scope)) {
	w.check("Worker.Scope")
	w.scope(&Scope{pool: w.pool}, body).resume()
}

// ScopeFIFO is Scope, except that jobs begin in the order in which they were started. (In a Scope,
// w itself takes the newest first.)
func (w *Worker) ScopeFIFO(body func(s *Scope)) {
	w.check("Worker.ScopeFIFO")
	w.scope(&Scope{pool: w.pool, fifo: newFIFO(w.isolated)}, body).resume()
}

// ScopeContext is Scope, except that jobs that have not begun when ctx ends are dropped; what has
// begun runs on. It returns ctx.Err() if a job was dropped, or if ctx had ended before, so that
// body was not called; nil otherwise.
func (w *Worker) ScopeContext(ctx context.Context, body func(s *Scope)) error {
	w.check("Worker.ScopeContext")
	if body == nil {
		return ErrNoFunction
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	s := &Scope{pool: w.pool, ctx: ctx}
	w.scope(s, body).resume()
	if s.dropped.Load() {
		return ctx.Err()
	}
	return nil
}

// scope runs body and waits for the jobs of s.
func (w *Worker) scope(s *Scope, body func(s *Scope)) outcome {
	refuseNil(body == nil)
	s.isolated = w.isolated
	if s.isolated && s.pool == w.pool {
		s.waiter = w
		if s.fifo == nil {
			s.fifo = newFIFO(true)
		}
		s.fifo.pool = w.pool
	}
	s.latch.Init(&w.pool.sleep, w.index)
	w.protect(&scopeBody{scope: s, f: body}, w.isolated)
	return s.endings.outcome()
}

// Go starts f as a job of the scope. w is the worker that the caller runs on: the job goes to its
// deque, and is the first that w itself would take. A caller that is not a worker of the scope's
// pool passes nil (or its own worker): the job then goes through the injector.
//
// It may be called on any goroutine while body, or a job of the scope that is known not to be over,
// is still running; after the scope has ended it panics.
func (s *Scope) Go(w *Worker, f func(w *Worker)) {
	if hooks.Enabled && w != nil {
		w.check("Scope.Go")
	}
	refuseNil(f == nil)
	s.hold(1)
	t := &scopeTask{scope: s, f: f}
	t.task, t.isolated = t, s.isolated
	s.post(w, &t.job)
}

// GoN starts n jobs of the scope, which call f with 0 to n-1: as n calls of Go would, but they are
// posted together, and up to n workers wake for them. It panics if n is negative.
func (s *Scope) GoN(w *Worker, n int, f func(w *Worker, i int)) {
	if hooks.Enabled && w != nil {
		w.check("Scope.GoN")
	}
	refuseNil(f == nil)
	if n < 0 {
		panic(errCount("Scope.GoN", n))
	}
	if n == 0 {
		return
	}
	tasks := make([]scopeTaskN, n) // panics if n is absurd: nothing is held yet
	s.hold(n)
	s.postN(w, n, func(i int) *job {
		t := &tasks[i]
		t.scope, t.f, t.i = s, f, i
		t.task, t.isolated = t, s.isolated
		return &t.job
	})
}

// GoBroadcast starts f once on every worker of the scope's pool, as jobs of the scope. A worker
// runs f when it has no jobs of its own left, before it steals. It may be called where Go may. As
// with Worker.Broadcast, no worker that blocks, or waits isolated, may be waiting for the scope or
// a job beneath it; that is not detected here.
func (s *Scope) GoBroadcast(f func(w *Worker)) {
	refuseNil(f == nil)
	s.hold(len(s.pool.workers))
	s.pool.injectBroadcast(func(of *Worker) *job {
		t := &scopeTask{scope: s, f: f}
		t.task, t.isolated = t, s.isolated
		if of == s.waiter { // it does not look into its queue while it waits
			s.fifo.share.push(&t.job)
			return nil
		}
		return &t.job
	})
}

// hold takes n units for jobs that are about to be started.
func (s *Scope) hold(n int) {
	for range n {
		if !s.latch.TryIncrement() {
			panic("pool: the scope has ended: it takes no more jobs")
		}
	}
}

// post puts a job where w or others will find it.
func (s *Scope) post(w *Worker, j *job) {
	if s.fifo != nil {
		s.fifo.hold(1)
		s.fifo.queue.push(j)
		j = &s.fifo.ticket.job
	}
	if w != nil && w.pool == s.pool {
		w.push(j)
	} else {
		s.pool.inject(j)
	}
	if s.waiter != nil { // it may sleep where no post wakes it
		s.pool.sleep.NotifyLatchSet(s.waiter.index)
	}
}

// postN is post for n jobs, at least one.
func (s *Scope) postN(w *Worker, n int, job func(i int) *job) {
	if s.fifo != nil {
		s.fifo.hold(n)
		for i := range n {
			s.fifo.queue.push(job(i))
		}
		job = s.fifo.again
	}
	if w != nil && w.pool == s.pool {
		w.pushN(n, job)
	} else {
		s.pool.injectN(n, job)
	}
	if s.waiter != nil {
		s.pool.sleep.NotifyLatchSet(s.waiter.index)
	}
}

// ended notes how the body or a job of the scope ended, and gives back its unit.
func (s *Scope) ended(o outcome) {
	s.endings.note(o)
	s.latch.Set()
}

// drop reports whether a job of the scope that is about to begin is to be dropped.
func (s *Scope) drop() bool {
	if s.ctx == nil || s.ctx.Err() == nil {
		return false
	}
	s.dropped.Store(true)
	return true
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
	if !t.scope.drop() {
		f(w)
	}
}

func (t *scopeTask) finish(_ *Worker, o outcome) { t.scope.ended(o) }

// scopeTaskN is one of the jobs that a GoN has started.
type scopeTaskN struct {
	job
	scope *Scope
	f     func(w *Worker, i int)
	i     int
}

func (t *scopeTaskN) run(w *Worker) {
	f := t.f
	t.f = nil
	if !t.scope.drop() {
		f(w, t.i)
	}
}

func (t *scopeTaskN) finish(_ *Worker, o outcome) { t.scope.ended(o) }

// scopeBody is the body of a scope, run in place.
type scopeBody struct {
	scope *Scope
	f     func(s *Scope)
}

func (b *scopeBody) run(w *Worker) { b.f(b.scope) }

// finish waits for the scope's jobs: also when body ends by Goexit, whose deferred calls are all
// that is left to run.
func (b *scopeBody) finish(w *Worker, o outcome) {
	s := b.scope
	s.ended(o)
	switch {
	case s.pool != w.pool:
		b.waitElsewhere(w)
	case s.waiter != nil:
		w.waitOutPrivately(s.latch.Core(), waitsForScope, s.fifo)
		for w.deque.popOnly(&s.fifo.ticket.job) { // tickets that were not used
			s.pool.release()
		}
	default:
		w.waitOut(s.latch.Core(), waitsForScope)
	}
}

// waitElsewhere waits for jobs in another pool, and gives up the reference to that.
func (b *scopeBody) waitElsewhere(w *Worker) {
	s, below := b.scope, len(w.stack)
	w.nest(b)      // jobs that run meanwhile must not wait for the end of that pool
	defer func() { // deferred: one of them may call Goexit
		w.unnest(below)
		s.pool.release()
	}()
	w.waitOut(s.latch.Core(), waitsForScope)
}
