package example

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/bytedance/gopkg/util/gopool"
)

// A pool with a capacity of one runs one function at a time.
func TestCapacity(t *testing.T) {
	p := gopool.NewPool("pool", 1, gopool.NewConfig())
	var running atomic.Int32
	var wg sync.WaitGroup
	wg.Add(2)
	for range 2 {
		go p.Go(func() {
			defer wg.Done()
			if n := running.Add(1); n > 1 {
				t.Errorf("%d functions run at once", n)
			}
			running.Add(-1)
		})
	}
	wg.Wait()
}
