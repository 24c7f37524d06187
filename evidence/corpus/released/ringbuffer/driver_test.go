package example

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/anthdm/hollywood/ringbuffer"
)

// Each item is taken once.
func TestPop(t *testing.T) {
	buffer := ringbuffer.New[int](4)
	buffer.Push(1)
	var taken atomic.Int64
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if _, ok := buffer.Pop(); ok {
				taken.Add(1)
			}
		})
	}
	wg.Wait()
	if n := taken.Load(); n != 1 || buffer.Len() != 0 {
		t.Errorf("taken %d times, length %d", n, buffer.Len())
	}
}
