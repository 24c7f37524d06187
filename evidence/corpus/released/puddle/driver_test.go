package example

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/jackc/puddle"
)

// A waiter that is woken and cancelled at the same time must not keep the lock.
func TestAcquireCancelled(t *testing.T) {
	pool := puddle.NewPool(func(context.Context) (any, error) { return "resource", nil }, func(any) {}, 1)
	first, _ := pool.Acquire(t.Context())
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	var wg sync.WaitGroup
	wg.Go(func() {
		if r, err := pool.Acquire(ctx); err == nil {
			r.Release()
		}
	})
	wg.Go(first.Release)
	wg.Go(cancel)
	wg.Wait()
	if _, err := pool.Acquire(t.Context()); err != nil {
		t.Fatal(err)
	}
}
