package example

import (
	"sync"
	"testing"

	"github.com/alitto/pond/v2"
)

// Goroutines wait for a place in the queue of a pool.
func TestQueueFull(t *testing.T) {
	pool := pond.NewPool(1, pond.WithQueueSize(1))
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { pool.Submit(func() {}) })
	}
	wg.Wait()
	pool.StopAndWait()
}
