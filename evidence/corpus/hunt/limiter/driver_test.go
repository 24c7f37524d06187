package example

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sethvargo/go-limiter/memorystore"
)

// Of three that take one of two tokens, two get one.
func TestTake(t *testing.T) {
	s, _ := memorystore.New(&memorystore.Config{Tokens: 2, Interval: 1000 * time.Hour})
	defer s.Close(context.Background())
	var taken atomic.Int32
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if _, _, _, ok, _ := s.Take(context.Background(), "key"); ok {
				taken.Add(1)
			}
		})
	}
	if wg.Wait(); taken.Load() != 2 {
		t.Errorf("%d tokens were taken", taken.Load())
	}
}
