package istio

import (
	"sync"
	"sync/atomic"
	"testing"
)

type stats struct{ writes, hits int64 }

// A counted cache counts its writes with atomic additions.
type counted struct{ stats stats }

func (c *counted) set() { atomic.AddInt64(&c.stats.writes, 1) }

// snapshot copies the counters by plain reads, or each by an atomic one.
func (c *counted) snapshot(loads bool) stats {
	if loads {
		return stats{atomic.LoadInt64(&c.stats.writes), atomic.LoadInt64(&c.stats.hits)}
	}
	return c.stats
}

func istio8214(loads bool) {
	c := new(counted)
	var checks sync.WaitGroup
	for range 2 {
		checks.Go(func() {
			c.set()
			_ = c.snapshot(loads)
		})
	}
	checks.Wait()
}

func TestIstio8214(*testing.T) { istio8214(false) }

func TestIstio8214Fixed(*testing.T) { istio8214(true) }
