package queues

import (
	"sync"
	"sync/atomic"
	"testing"
)

func TestBuffer(t *testing.T) {
	const producers, each = 2, 1
	b := NewBuffer(1)
	var wg sync.WaitGroup
	var sum atomic.Int64
	for p := range producers {
		wg.Go(func() {
			for i := range each {
				b.Put(10*p + i + 1)
			}
		})
		wg.Go(func() {
			for range each {
				sum.Add(int64(b.Get()))
			}
		})
	}
	wg.Wait()
	if got := sum.Load(); got != 12 {
		t.Errorf("the sum of all items is %d, want 12", got)
	}
}
