package example

import (
	"sync"
	"testing"

	"github.com/alitto/pond/v2"
)

// Two goroutines wait for a place in the queue of a pool, while its last worker ends.
func TestQueueStaysFull(t *testing.T) {
	pool := pond.NewPool(1, pond.WithQueueSize(1))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { pool.Submit(func() {}) })
	}
	wg.Wait()
	pool.StopAndWait()
}
