package example

import (
	"sync"
	"testing"

	queue "github.com/enriquebris/goconcurrentqueue"
)

// Two elements reach two consumers.
func TestConsumers(t *testing.T) {
	q := queue.NewFIFO()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { _, _ = q.DequeueOrWaitForNextElement() })
		wg.Go(func() { _ = q.Enqueue(1) })
	}
	wg.Wait()
}
