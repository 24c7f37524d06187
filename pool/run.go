package pool

import (
	"context"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/sleep"
)

// Run runs f on a worker and returns its error. It is for outsiders and blocks the calling
// goroutine; inside a job, use Worker.Run or just call f: in a job of the same pool, outside
// Blocking, Run panics with a *MisuseError. A job of another pool may call it, and blocks its
// worker until f has returned: that pool has one worker less meanwhile, and if f needs it, both
// wait for good. (The chaos build panics there, too.)
//
// If ctx ends before f has begun, f is dropped; if f has begun, it runs on, and Run returns without
// it. Both times Run returns ctx.Err(). If the pool is closed, Run returns ErrClosed; if f calls
// runtime.Goexit, ErrGoexit. If f panics, Run panics with a *PanicError (if Run has returned by
// then, the panic handler is called).
func (p *Pool) Run(ctx context.Context, f func(w *Worker) error) error {
	p.outside("Pool.Run", "Worker.Run")
	if f == nil {
		return ErrNoFunction
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	t := &runTask{pool: p, f: f, ctx: ctx}
	t.task = t
	if err := p.enterQueue(ctx, &t.job, "Pool.Run", "Worker.Run"); err != nil {
		return err
	}
	latch := new(sleep.LockLatch)
	t.latch = latch
	p.inject(&t.job)
	waitUntil(ctx, latch)
	return t.result(ctx)
}

// Run runs f in another pool and returns its error; w runs its own pool's jobs while it waits, so
// that pools may run into each other. (f must not wait for a job that w runs on top of;
// Future.Await in f then returns a *DeadlockError.) With w's own pool it is a call of f. If the
// other pool is closed it returns ErrClosed. From another pool, panics and Goexit come through as
// in Pool.Run.
func (w *Worker) Run(other *Pool, f func(w *Worker) error) error {
	w.check("Worker.Run")
	if f == nil {
		return ErrNoFunction
	}
	if other == w.pool {
		return f(w)
	}
	// A cross latch: set over there, it wakes this worker, in this pool.
	latch := new(sleep.SpinLatch)
	latch.Init(&w.pool.sleep, w.index)
	t := &runTask{pool: other, f: f, latch: latch}
	t.task, t.isolated = t, w.isolated
	if err := other.injectOrQueue(&t.job); err != nil {
		return err
	}
	w.follows = &followed{job: t}
	w.waitOut(&latch.CoreLatch, waitsForRun)
	w.follows = nil
	return t.result(context.Background())
}

// The states of a runTask. The worker, or the waiter that gives up, moves it from queued or
// running, and so decides whether the result is used.
const (
	runQueued    = iota
	runRunning   // by a worker
	runDone      // by a worker: the result is there, and the waiter's
	runDropped   // by the waiter: f will not run
	runAbandoned // by the waiter: the result is unused
)

// runTask is a job that one waiter waits for. It holds a reference to the pool.
type runTask struct {
	job
	runner
	pool    *Pool
	f       func(w *Worker) error
	ctx     context.Context // when it ends, f is dropped unless it has begun; nil: never
	latch   setter
	state   atomic.Uint32
	err     error   // of f
	outcome outcome // both valid once state is runDone
}

func (t *runTask) run(w *Worker) {
	if !t.state.CompareAndSwap(runQueued, runRunning) {
		return // dropped: t.f is the waiter's
	}
	t.begin(w)
	f, ctx := t.f, t.ctx
	t.f, t.ctx = nil, nil
	if ctx != nil && ctx.Err() != nil { // it has ended, and the waiter is late
		t.err = ctx.Err()
		return
	}
	t.err = f(w)
}

func (t *runTask) finish(w *Worker, o outcome) {
	t.outcome = o
	if t.state.CompareAndSwap(runRunning, runDone) {
		t.latch.Set()
		if !hooks.Enabled && (!w.deque.isEmpty() || !w.pool.injector.isEmpty()) { // w will not yield, and the waiter be late
			sleep.HandOver()
		}
	} else if o.panicked != nil {
		t.pool.unhandled(o.panicked)
	}
	t.pool.release()
}

// result is called by the waiter when the latch is set, or ctx has ended.
func (t *runTask) result(ctx context.Context) error {
	if t.state.CompareAndSwap(runQueued, runDropped) {
		t.f, t.ctx = nil, nil // the injector keeps t until a worker takes it
		return ctx.Err()
	}
	if t.state.CompareAndSwap(runRunning, runAbandoned) {
		return ctx.Err()
	}
	return t.outcome.result(t.err)
}
