package serving

import (
	"sync"
	"sync/atomic"
	"testing"
)

// An ingress is ready when all its probes are.
type ingress struct {
	pending int32
	ready   chan struct{}
}

func (g *ingress) probed() {
	if atomic.AddInt32(&g.pending, -1) == 0 {
		close(g.ready)
	}
}

// probeAll hands a probe for each address to a worker. It counts them by a plain write when they
// may be running already, or before the first.
func (g *ingress) probeAll(addresses int32, probes chan<- func(), countFirst bool) {
	if countFirst {
		g.pending = addresses
	}
	for range addresses {
		probes <- g.probed
	}
	if !countFirst {
		g.pending += addresses
	}
}

func serving6472(countFirst bool) {
	g := &ingress{ready: make(chan struct{})}
	probes := make(chan func(), 2)
	var worker sync.WaitGroup
	worker.Go(func() {
		for probe := range probes {
			probe()
		}
	})
	g.probeAll(2, probes, countFirst)
	close(probes)
	worker.Wait()
}

func TestServing6472(*testing.T) { serving6472(false) }

func TestServing6472Fixed(*testing.T) { serving6472(true) }
