package queues

import (
	"context"
	"sync"
	"testing"
	"time"
)

func TestFeedCancel(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	f := NewFeed(ctx, 1, 2)
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 2 {
			select {
			case <-f.C:
			case <-ctx.Done():
				return
			}
		}
	})
	wg.Go(cancel) // the connection is lost
	wg.Wait()
	f.Wait()
}
