package pool

import (
	"context"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/sleep"
)

// Broadcast runs f once on every worker and returns when all are done. It is for
// outsiders and blocks the calling goroutine; a job of this pool must not call it.
//
// A worker comes to f when it runs out of jobs of its own, before it steals; it
// is not stolen. If ctx ends first, Broadcast returns ctx.Err(), and f still runs
// on every worker. If the pool is closed it returns ErrClosed. If f panics,
// Broadcast panics when all are done, with the first of the panics (if it has
// returned by then, the panic handler is called); if f calls runtime.Goexit, it
// returns ErrGoexit.
func (p *Pool) Broadcast(ctx context.Context, f func(w *Worker)) error {
	if f == nil {
		return ErrNoFunction
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if !p.enter() {
		return ErrClosed
	}
	b := &broadcast{pool: p, f: f}
	b.left.Store(int64(len(p.workers)))
	p.injectBroadcast(b)
	if ctx.Done() != nil {
		defer context.AfterFunc(ctx, b.latch.Set)()
	}
	b.latch.Wait()
	if !b.over.CompareAndSwap(false, true) { // the workers were first: all is done
		return b.outcome().result(nil)
	}
	return ctx.Err()
}

// A broadcast is one function on its way to every worker. It holds a reference
// to the pool.
type broadcast struct {
	pool     *Pool
	f        func(w *Worker)
	left     atomic.Int64 // workers that are not done
	panicked atomic.Pointer[PanicError]
	goexit   atomic.Bool
	over     atomic.Bool // won by the last worker, or by a waiter who gives up
	latch    sleep.LockLatch
}

func (b *broadcast) outcome() outcome {
	return outcome{panicked: b.panicked.Load(), goexit: b.goexit.Load()}
}

// broadcastTask is a broadcast's job for one worker.
type broadcastTask struct {
	job
	*broadcast
}

func (t *broadcastTask) run(w *Worker) { t.f(w) }

func (t *broadcastTask) finish(_ *Worker, o outcome) {
	if o.panicked != nil {
		t.panicked.CompareAndSwap(nil, o.panicked)
	}
	if o.goexit {
		t.goexit.Store(true)
	}
	if t.left.Add(-1) > 0 {
		return
	}
	if t.over.CompareAndSwap(false, true) {
		t.latch.Set()
	} else if e := t.panicked.Load(); e != nil {
		t.pool.unhandled(e)
	}
	t.pool.release()
}

// injectBroadcast is L. All queues get the job under one lock, so that any two
// broadcasts reach every worker in the same order. There is no post and no fence:
// a worker that does not find the job in its last search finds it in its final
// check, or is blocked and gets the notification.
func (p *Pool) injectBroadcast(b *broadcast) {
	p.broadcasting.Lock()
	for _, w := range p.workers {
		t := &broadcastTask{broadcast: b}
		t.task = t
		hooks.At(pointBcastPush)
		w.broadcasts.push(&t.job)
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
