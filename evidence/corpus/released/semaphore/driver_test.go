package example

import (
	"context"
	"sync"
	"testing"

	"golang.org/x/sync/semaphore"
)

// When the first waiter gives up, those behind it that fit must go on.
func TestFrontWaiterGivesUp(t *testing.T) {
	s := semaphore.NewWeighted(10)
	_ = s.Acquire(t.Context(), 5)
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		if s.Acquire(ctx, 10) == nil {
			s.Release(10)
		}
	})
	wg.Go(func() {
		if err := s.Acquire(t.Context(), 5); err != nil {
			t.Error(err)
		}
	})
	wg.Go(cancel)
	wg.Wait()
}
