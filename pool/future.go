package pool

import (
	"context"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/pool/internal/contexts"
	"github.com/rouse-go/rouse/sleep"
)

// A Future is the result of a job that was started with Submit or Spawn, once there is one. Any
// number of goroutines may wait for it, any number of times.
type Future[T any] struct {
	promise
	f     func(w *Worker) (T, error)
	value T
}

// Submit starts f as a job and returns at once with the future of its result. It is for outsiders;
// inside a job, Spawn is cheaper.
//
// If ctx ends before f has begun, f is dropped, and the result is ctx.Err(); what has begun runs
// on. If the pool is closed the result is ErrClosed. With WithMaxInjected, Submit blocks until
// there is room or ctx ends; in a job of the same pool, outside Blocking, it panics with a
// *MisuseError if there is no room (see there).
//
// If f panics, all that wait for the future panic with the same *PanicError; without a waiter the
// panic is lost. If f calls runtime.Goexit, the result is ErrGoexit.
func Submit[T any](ctx context.Context, p *Pool, f func(w *Worker) (T, error)) *Future[T] {
	if hooks.Enabled {
		p.outsideIfBounded("Submit", "Spawn")
	}
	t := &Future[T]{f: f}
	t.task = t
	t.body = t
	if err := t.submit(ctx, p, f == nil); err != nil {
		t.drop(err)
	}
	return t
}

// Spawn starts f as a job on w's own deque, as Worker.Go does, and returns at once with the future
// of its result. A pool that is closing still runs it.
//
// Panics and Goexit are as for Submit. If f is nil, the result is ErrNoFunction.
func Spawn[T any](w *Worker, f func(w *Worker) (T, error)) *Future[T] {
	w.check("Spawn")
	t := &Future[T]{f: f}
	t.task, t.isolated = t, w.isolated
	t.body = t
	if f == nil {
		t.drop(ErrNoFunction)
		return t
	}
	t.pool = w.pool
	w.pool.hold(1)
	w.push(&t.job)
	return t
}

// Wait returns the result of f, as soon as there is one. It is for outsiders and blocks the calling
// goroutine; inside a job, use Await. If there is no result yet, Wait panics with a *MisuseError in
// a job of the same pool, outside Blocking (see there). If ctx ends first it returns ctx.Err(), and
// the job continues. Within Blocking, in a job on top of the future's, it returns a *DeadlockError
// at once.
//
// It panics if f has.
func (t *Future[T]) Wait(ctx context.Context) (T, error) {
	if hooks.Enabled || !t.Ready() {
		t.pool.outside("Future.Wait", "Future.Await")
	}
	if !t.Ready() {
		var err error
		if on, _ := caller(); on != nil {
			err = on.buried(&t.promise, "Future.Wait")
		}
		if err == nil {
			err = t.waiters.wait(ctx)
		}
		if err != nil {
			var none T
			return none, err
		}
	}
	return t.value, t.settled()
}

// Await is Worker.Wait, and returns the result of f, too: none with a *DeadlockError.
func (t *Future[T]) Await(w *Worker) (T, error) {
	w.check("Future.Await")
	if err := w.await(&t.promise, "Future.Await"); err != nil {
		var none T
		return none, err
	}
	return t.value, t.settled()
}

func (t *Future[T]) forget() { t.f = nil }

func (t *Future[T]) call(w *Worker) {
	f := t.f
	t.f = nil
	t.value, t.err = f(w)
}

// Awaitable is a *Future of whatever type, or a *Group.
type Awaitable interface {
	await(w *Worker, entry string) error
}

// await is Worker.Wait.
func (t *promise) await(w *Worker, entry string) error {
	if err := w.await(t, entry); err != nil {
		return err
	}
	return t.settled()
}

// Wait returns when the future has its result, with the result's error. w works meanwhile: it runs
// the future's job itself if that has not begun, and other jobs otherwise. The future may be of
// another pool.
//
// If the future's job is suspended on w's own stack, beneath the one that calls Wait, it returns a
// *DeadlockError at once: neither of the two could continue. It does so later if the future's job
// begins to wait, through futures, runs and joins on other workers, for a job beneath this one.
//
// It panics if the job has. If the job calls runtime.Goexit, Wait returns ErrGoexit if it ran
// elsewhere; if w ran it itself, every job on this stack ends.
//
// For a group it is Group.Wait.
func (w *Worker) Wait(future Awaitable) error {
	w.check("Worker.Wait")
	return future.await(w, "Worker.Wait")
}

// The states of a promise. The goroutine that moves it from queued runs the job, or drops it.
const (
	promiseQueued = iota
	promiseBegun
	promiseKept // the result is there
)

// A promise is what is common to futures of all types.
type promise struct {
	job // holds a reference to the pool as long as it is in a queue
	runner
	pool *Pool
	body interface {
		call(w *Worker) // the job itself
		forget()        // it will not be called
	}

	state    atomic.Uint32
	fromHere bool // the job runs as a job from a queue; only that looks at it
	err      error
	outcome  outcome // these are valid once state is promiseKept
	waiters  waiters
	ctx      context.Context // when it ends, a job that has not begun is dropped; nil: never
	unwatch  func() bool     // stops watching it
	done     atomic.Pointer[chan struct{}]
}

func (t *promise) promised() *promise { return t }

// promised is a future's job, as a task of whatever type.
type promised interface{ promised() *promise }

// Ready reports whether there is a result, so that Wait and Await do not wait.
func (t *promise) Ready() bool { return t.state.Load() == promiseKept }

// Done returns a channel that is closed when there is a result. It may be called at any time, and
// always returns the same. A job on top of the future's that receives from it waits for good (see
// Worker.Wait). chaos.Explore sees a wait for it only if it is a receive of hooks/channel.
func (t *promise) Done() <-chan struct{} {
	c := t.done.Load()
	if c == nil {
		made := make(chan struct{})
		if t.done.CompareAndSwap(nil, &made) {
			if !t.waiters.add(closer(made)) {
				closeChannel(made)
			}
			return made
		}
		c = t.done.Load()
	}
	return *c
}

// closer is a waiter that is a channel.
type closer chan struct{}

func (c closer) Set() { closeChannel(c) }

// submit injects the job, to be dropped when ctx ends.
func (t *promise) submit(ctx context.Context, p *Pool, noFunction bool) error {
	if noFunction {
		return ErrNoFunction
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := p.enterQueue(ctx, &t.job, "Submit", "Spawn"); err != nil {
		return err
	}
	t.pool = p
	if ctx.Done() != nil {
		t.ctx = ctx
		t.unwatch = contexts.AfterFunc(ctx, func() { t.drop(ctx.Err()) })
	}
	p.inject(&t.job)
	return nil
}

// drop ends a job that has not begun.
func (t *promise) drop(err error) {
	if t.state.CompareAndSwap(promiseQueued, promiseBegun) {
		t.body.forget()
		t.err = err
		t.keep(outcome{})
	}
}

// run is called when the job comes out of its queue. It may have been dropped, or a waiter may have
// been faster.
func (t *promise) run(w *Worker) {
	if t.state.CompareAndSwap(promiseQueued, promiseBegun) {
		t.fromHere = true
		t.call(w)
	}
}

func (t *promise) finish(_ *Worker, o outcome) {
	if t.fromHere {
		t.keep(o)
	}
	t.pool.release()
}

func (t *promise) call(w *Worker) {
	t.begin(w)
	if t.ctx != nil {
		t.unwatch()
		if err := t.ctx.Err(); err != nil { // it has ended, and its watcher is late
			t.body.forget()
			t.err = err
			return
		}
	}
	t.body.call(w)
}

// keep publishes the result.
func (t *promise) keep(o outcome) {
	t.outcome = o
	t.state.Store(promiseKept)
	t.waiters.come()
}

// settled returns the error of the result, or panics with its panic.
func (t *promise) settled() error { return t.outcome.result(t.err) }

// claim is a promise's job, run by a worker that waits for it.
type claim struct{ *promise }

func (c claim) run(w *Worker)               { c.promise.call(w) }
func (c claim) finish(_ *Worker, o outcome) { c.keep(o) }

// await returns when the promise is kept, or an error if that can never be.
func (w *Worker) await(t *promise, entry string) error {
	switch {
	case t.Ready():
	case t.pool == w.pool && t.state.CompareAndSwap(promiseQueued, promiseBegun):
		if w.deque.popOnly(&t.job) { // or it stays there, holding what it holds, until w runs out of work
			w.counts.jobs++
			t.pool.release()
		}
		w.protect(claim{t}, w.isolated || t.isolated)
	default:
		if err := w.buried(t, entry); err != nil {
			return err
		}
		return t.waitOn(w, entry)
	}
	return nil
}

// waitOn waits until the promise is kept, or the wait is given up as part of a deadlock.
func (t *promise) waitOn(w *Worker, entry string) error {
	latch := new(sleep.SpinLatch)
	latch.Init(&w.pool.sleep, w.index)
	if !t.waiters.add(latch) {
		return nil
	}
	f := &followed{job: t, latch: latch}
	w.follows = f
	w.waitOut(&latch.CoreLatch, waitsForFuture)
	w.follows = nil
	c := f.never.Load()
	if c == nil || t.Ready() {
		return nil
	}
	t.waiters.remove(latch)
	return w.gaveUp(c, entry)
}

// buried returns an error if the promise's job is on w's own stack.
func (w *Worker) buried(t *promise, entry string) error {
	if i := w.beneath(t); i >= 0 {
		return w.deadlock(entry, i, isWaitedFor)
	}
	return nil
}
