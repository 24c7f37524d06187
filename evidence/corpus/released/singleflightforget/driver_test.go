package example

import (
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/singleflight"
)

// After Forget, one execution is in flight at a time, also when the forgotten one ends.
func TestForget(t *testing.T) {
	var group singleflight.Group
	var running atomic.Int64
	work := func() (any, error) {
		if running.Add(1) > 1 {
			t.Error("two executions at a time")
		}
		return running.Add(-1), nil
	}
	started := make(chan bool)
	go group.Do("key", func() (any, error) { close(started); return 0, nil })
	<-started
	group.Forget("key")
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { group.Do("key", work) })
	}
	wg.Wait()
}
