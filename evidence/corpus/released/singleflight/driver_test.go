package example

import (
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/singleflight"
)

// A call of Do that begins after another has returned does not get the result of that other again.
func TestDoTwice(t *testing.T) {
	var group singleflight.Group
	var calls atomic.Int64
	work := func() (any, error) { return calls.Add(1), nil }
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			first, _, _ := group.Do("key", work)
			if second, _, _ := group.Do("key", work); second == first {
				t.Errorf("both calls returned %v", first)
			}
		})
	}
	wg.Wait()
}
