package pool_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// busyFor computes for about so long.
func busyFor(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		continue
	}
}

// Catches: room that is given to a run which is buried under another one that waits
// for room: its worker comes back to it only when that one has had room.
func TestRunsIntoABoundedPoolUnderLoad(t *testing.T) {
	const goroutines, each = 100, 100
	for _, bound := range []int{1, 4, 8, 16, 64} {
		t.Run(fmt.Sprintf("bound %d", bound), func(t *testing.T) {
			p, q := newPool(t, 4), newPool(t, 2, pool.WithMaxInjected(bound))
			var ran atomic.Int64
			var all sync.WaitGroup
			for range goroutines {
				all.Go(func() {
					for range each {
						err := p.Run(background, func(w *pool.Worker) error {
							return w.Run(q, func(*pool.Worker) error {
								busyFor(10 * time.Microsecond)
								ran.Add(1)
								return nil
							})
						})
						if err != nil {
							t.Error(err)
						}
					}
				})
			}
			all.Wait()
			if n := ran.Load(); n != goroutines*each {
				t.Errorf("%d jobs ran, want %d", n, goroutines*each)
			}
		})
	}
}
