package queues

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

func TestWorkersClose(t *testing.T) {
	t.Parallel()
	w := NewWorkers(2)
	var accepted, done atomic.Int64
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 2 {
				switch err := w.Submit(func() { done.Add(1) }); {
				case err == nil:
					accepted.Add(1)
				case !errors.Is(err, ErrClosed):
					t.Errorf("Submit: %v", err)
				}
			}
		}()
	}
	w.Close()
	wg.Wait()
	if accepted.Load() != done.Load() {
		t.Errorf("%d jobs accepted, %d done", accepted.Load(), done.Load())
	}
}
