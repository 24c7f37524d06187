package serving

import (
	"sync"
	"testing"
)

// A pool runs work in one worker, until wait is called.
type pool struct {
	mu     sync.RWMutex
	closed bool
	work   chan func()
	worker sync.WaitGroup
}

func newPool() *pool {
	p := &pool{work: make(chan func(), 5)}
	p.worker.Go(func() {
		for f := range p.work {
			f()
		}
	})
	return p
}

// submit hands over f. With check, what comes after wait is dropped.
func (p *pool) submit(f func(), check bool) {
	if check {
		p.mu.RLock()
		defer p.mu.RUnlock()
		if p.closed {
			return
		}
	}
	p.work <- f
}

// wait closes the channel of the work and waits for the worker.
func (p *pool) wait() {
	p.mu.Lock()
	p.closed = true
	close(p.work)
	p.mu.Unlock()
	p.worker.Wait()
}

func serving3068(check bool) {
	p := newPool()
	var user sync.WaitGroup
	user.Go(func() {
		for range 3 {
			p.submit(func() {}, check)
		}
	})
	p.wait()
	user.Wait()
}

func TestServing3068(*testing.T) { serving3068(false) }

func TestServing3068Fixed(*testing.T) { serving3068(true) }
