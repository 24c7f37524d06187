package cockroach

import (
	"sync"
	"testing"
)

// A drain stops when all its workers have returned. start may be called at any time.
type drain struct {
	mu      sync.Mutex
	closing bool
	workers sync.WaitGroup
}

// start runs work in a worker. Without guard, Add may run beside the Wait of stop.
func (d *drain) start(guard bool, work func()) {
	if guard {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.closing {
			return
		}
	}
	d.workers.Go(work)
}

func (d *drain) stop() {
	d.mu.Lock()
	d.closing = true
	d.mu.Unlock()
	d.workers.Wait()
}

func cockroach4407(guard bool) {
	d := new(drain)
	var requests sync.WaitGroup
	for range 2 {
		requests.Go(func() { d.start(guard, func() {}) })
	}
	d.stop()
	requests.Wait()
}

func TestCockroach4407(*testing.T) { cockroach4407(false) }

func TestCockroach4407Fixed(*testing.T) { cockroach4407(true) }
