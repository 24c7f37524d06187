package example

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/alphadose/haxmap"
)

// Of two goroutines that set a key unless it is there, one sets it and the other gets that value.
func TestGetOrSet(t *testing.T) {
	m := haxmap.New[string, int]()
	var stored atomic.Int32
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			if _, loaded := m.GetOrSet("key", i); !loaded {
				stored.Add(1)
			}
		})
	}
	wg.Wait()
	if n := stored.Load(); n != 1 {
		t.Errorf("GetOrSet stored the value of %d callers, want 1", n)
	}
}
