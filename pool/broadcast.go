package pool

import (
	"context"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/sleep"
)

// Broadcast runs f once on every worker and returns when all are done. It is for outsiders and
// blocks the calling goroutine; inside a job, use Worker.Broadcast: in a job of the same pool, also
// within Blocking, Broadcast panics with a *MisuseError (see there for jobs of other pools).
//
// A worker runs f when it has no jobs of its own left, before it steals; f is not stolen. If ctx
// ends first, Broadcast returns ctx.Err(), and f still runs on every worker. If the pool is closed
// it returns ErrClosed. If f panics, Broadcast panics when all are done, with the first of the
// panics (if it has returned by then, the panic handler is called); if f calls runtime.Goexit, it
// returns ErrGoexit.
func (p *Pool) Broadcast(ctx context.Context, f func(w *Worker)) error {
	p.outsideBroadcast()
	if f == nil {
		return ErrNoFunction
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := p.enter(); err != nil {
		return err
	}
	latch := new(sleep.LockLatch)
	b := newBroadcast(p, f, latch)
	p.injectBroadcast(b.share)
	waitUntil(ctx, latch)
	if !b.over.CompareAndSwap(false, true) { // the workers were first: all is done
		return b.endings.outcome().result(nil)
	}
	return ctx.Err()
}

// GoBroadcast starts f once on every worker, as jobs that nothing waits for. It does not block. If
// the pool is closed it returns ErrClosed. Panics go to the panic handler, one for each broadcast,
// once all are done; without one the process crashes.
func (p *Pool) GoBroadcast(f func(w *Worker)) error {
	if f == nil {
		return ErrNoFunction
	}
	if err := p.enter(); err != nil {
		return err
	}
	p.injectBroadcast(newBroadcast(p, f, nil).share)
	return nil
}

// Broadcast runs f once on every worker of the other pool, which may be w's own, and returns when
// all are done. w runs other jobs while it waits, and its own share. Spare workers get none.
// Panics, Goexit and errors are as in Pool.Broadcast.
//
// A worker that blocks (Blocking) or waits isolated (Isolated) runs its share only when that is
// over. So a job must not broadcast if such a worker may be waiting for it, or for a job beneath
// it. Broadcast returns a *DeadlockError, and starts nothing, if the worker waits isolated for a
// join, scope, run or broadcast; it does not detect one that blocks or waits for a future.
func (w *Worker) Broadcast(other *Pool, f func(w *Worker)) error {
	w.check("Worker.Broadcast")
	if f == nil {
		return ErrNoFunction
	}
	if err := w.broadcastNeverEnds("Worker.Broadcast", other); err != nil {
		return err
	}
	if other == w.pool {
		other.hold(1)
	} else if err := other.enter(); err != nil {
		return err
	}
	latch := new(sleep.SpinLatch)
	latch.Init(&w.pool.sleep, w.index)
	b := newBroadcast(other, f, latch)
	b.isolated = w.isolated
	if w.isolated && other == w.pool && w.index < len(other.workers) {
		b.broadcastIsolated(w, &latch.CoreLatch)
	} else {
		other.injectBroadcast(b.share)
	}
	w.waitOut(&latch.CoreLatch, waitsForBroadcast)
	return b.endings.outcome().result(nil)
}

// broadcastIsolated is for a worker that would not take its own share from its queue while it
// waits: it runs that at once.
func (b *broadcast) broadcastIsolated(w *Worker, latch *sleep.CoreLatch) {
	var mine *job
	b.pool.injectBroadcast(func(of *Worker) *job {
		j := b.share(of)
		if of != w {
			return j
		}
		mine = j
		return nil
	})
	mine.isolated = true
	defer w.waitOut(latch, waitsForBroadcast) // its own share may call Goexit, too
	w.execute(mine)
}

// GoBroadcast starts f once on every worker of w's pool, as jobs that nothing waits for. It does
// not block, and a pool that is closing still runs them. Panics are as in Pool.GoBroadcast.
func (w *Worker) GoBroadcast(f func(w *Worker)) {
	w.check("Worker.GoBroadcast")
	refuseNil(f == nil)
	w.pool.hold(1)
	w.pool.injectBroadcast(newBroadcast(w.pool, f, nil).share)
}

// A broadcast is one function on its way to every worker. It holds a reference to the pool.
type broadcast struct {
	pool     *Pool
	f        func(w *Worker)
	left     atomic.Int64 // workers that are not done
	endings  endings
	over     atomic.Bool // won by the last worker, or by a waiter that gives up
	isolated bool        // the waiter is
	latch    setter      // the waiter's
}

// newBroadcast makes a broadcast; without a latch nothing waits for it.
func newBroadcast(p *Pool, f func(w *Worker), latch setter) *broadcast {
	b := &broadcast{pool: p, f: f, latch: latch}
	b.left.Store(int64(len(p.workers)))
	b.over.Store(latch == nil)
	return b
}

// share makes a worker's share.
func (b *broadcast) share(*Worker) *job {
	t := &broadcastTask{broadcast: b}
	t.task = t
	return &t.job
}

// broadcastTask is a broadcast's job for one worker.
type broadcastTask struct {
	job
	*broadcast
}

func (t *broadcastTask) run(w *Worker) { t.f(w) }

func (t *broadcastTask) finish(_ *Worker, o outcome) {
	t.endings.note(o)
	if t.left.Add(-1) > 0 {
		return
	}
	if t.over.CompareAndSwap(false, true) {
		t.latch.Set()
	} else if e := t.endings.panicked.Load(); e != nil {
		t.pool.unhandled(e)
	}
	t.pool.release()
}

// injectBroadcast is L. share makes each worker's job; nil: none. All queues get the job under one
// lock, so that any two broadcasts reach every worker in the same order. There is no post and no
// fence: a worker finds the job in its last search or its final check, or is blocked and gets the
// notification.
func (p *Pool) injectBroadcast(share func(of *Worker) *job) {
	p.broadcasting.Lock()
	for _, w := range p.workers {
		if j := share(w); j != nil {
			hooks.At(pointBcastPush)
			w.broadcasts.push(j)
		}
	}
	p.broadcasting.Unlock()
	for _, w := range p.workers {
		for range hooks.Notify(pointBcastNotify) {
			p.sleep.NotifyLatchSet(w.index)
			if !hooks.Enabled {
				break
			}
		}
	}
}
