package fix

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/jackc/puddle"
)

// A waiter that is woken and cancelled at the same time must not keep the lock.
func TestAcquireCancelled(t *testing.T) {
	pool := puddle.NewPool(
		func(context.Context) (any, error) { return "resource", nil },
		func(any) {}, 1)
	first, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var wg sync.WaitGroup
	wg.Go(func() {
		if r, err := pool.Acquire(ctx); err == nil {
			r.Release()
		}
	})
	wg.Go(first.Release)
	wg.Go(cancel)
	wg.Wait()
	last, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	last.Release()
}
