package queues

import (
	"sync"
	"testing"
)

func TestLatch(t *testing.T) {
	l := NewLatch()
	ready := false
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			l.Wait()
			if !ready {
				t.Error("the latch is open, and nothing is ready")
			}
		}()
	}
	ready = true
	l.Open()
	wg.Wait()
}
