package pool

import (
	"context"
	"slices"

	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/pool/internal/contexts"
	"github.com/rouse-go/rouse/sleep"
)

// A setter is the latch of a waiter: a LockLatch, or a worker's SpinLatch.
type setter interface{ Set() }

// waiters wait for an event that comes once.
type waiters struct {
	mu   sync.Mutex
	over bool
	list []setter
}

// add adds a waiter, unless the event has come: then it reports false.
func (q *waiters) add(s setter) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.over {
		return false
	}
	q.list = append(q.list, s)
	return true
}

// remove takes back a waiter that has given up.
func (q *waiters) remove(s setter) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if i := slices.Index(q.list, s); i >= 0 {
		q.list = slices.Delete(q.list, i, i+1)
	}
}

// come is the event.
func (q *waiters) come() {
	q.mu.Lock()
	q.over = true
	list := q.list
	q.list = nil
	q.mu.Unlock()
	for _, s := range list {
		s.Set()
	}
}

// wait blocks an outsider until the event has come, or else ctx has ended: then it returns
// ctx.Err().
func (q *waiters) wait(ctx context.Context) error {
	latch := new(sleep.LockLatch)
	if !q.add(latch) {
		return nil
	}
	waitUntil(ctx, latch)
	return q.gaveUp(ctx, latch)
}

// waitUntil blocks an outsider until the latch is set, which it also is when ctx ends.
func waitUntil(ctx context.Context, latch *sleep.LockLatch) {
	if ctx.Done() != nil {
		defer contexts.AfterFunc(ctx, latch.Set)()
	}
	latch.Wait()
}

// waitOn is wait for worker w, which runs jobs meanwhile.
func (q *waiters) waitOn(ctx context.Context, w *Worker, reason waitReason) error {
	latch := new(sleep.SpinLatch)
	latch.Init(&w.pool.sleep, w.index)
	if !q.add(latch) {
		return nil
	}
	if ctx.Done() != nil {
		defer contexts.AfterFunc(ctx, latch.Set)()
	}
	w.waitOut(&latch.CoreLatch, reason)
	return q.gaveUp(ctx, latch)
}

// gaveUp returns why the wait of s is over: nil for the event, even if ctx has ended, too.
func (q *waiters) gaveUp(ctx context.Context, s setter) error {
	q.mu.Lock()
	over := q.over
	q.mu.Unlock()
	if over {
		return nil
	}
	q.remove(s)
	return ctx.Err()
}
