package example

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/bluele/gcache"
)

// Concurrent Gets of a key load it once.
func TestLoadOnce(t *testing.T) {
	var loads atomic.Int32
	c := gcache.New(1).LRU().LoaderFunc(func(any) (any, error) { return loads.Add(1), nil }).Build()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if v, err := c.Get("key"); err != nil || v != int32(1) {
				t.Errorf("Get returned %v, %v", v, err)
			}
		})
	}
	wg.Wait()
}
