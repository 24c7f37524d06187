package istio

import (
	"sync"
	"testing"
	"time"
)

// An expiring cache removes what is old, and calls evicted for each entry.
type expiring struct {
	entries sync.Map
	evicted func()
}

func (c *expiring) evictEvery(period time.Duration, stop <-chan struct{}) {
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			c.entries.Range(func(key, _ any) bool {
				c.entries.Delete(key)
				c.evicted()
				return true
			})
		case <-stop:
			return
		}
	}
}

// A recorder counts calls.
type recorder struct {
	mu    *sync.Mutex // nil: the counter is plain
	calls int
}

func (r *recorder) add(n int) int {
	if r.mu != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
	}
	r.calls += n
	return r.calls
}

func istio8144(mu *sync.Mutex) {
	r := &recorder{mu: mu}
	c := &expiring{evicted: func() { r.add(1) }}
	c.entries.Store("k", 1)
	stop := make(chan struct{})
	var evicter sync.WaitGroup
	evicter.Go(func() { c.evictEvery(time.Millisecond, stop) })
	time.Sleep(2 * time.Millisecond)
	_ = r.add(0) // the evicter still runs
	close(stop)
	evicter.Wait()
}

func TestIstio8144(*testing.T) { istio8144(nil) }

func TestIstio8144Fixed(*testing.T) { istio8144(new(sync.Mutex)) }
