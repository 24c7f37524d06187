package queues

import (
	"errors"
	"sync"
	"sync/atomic"
)

// ErrClosed is what Submit returns after Close.
var ErrClosed = errors.New("the pool is closed")

// Workers run jobs.
type Workers struct {
	jobs   chan func()
	closed atomic.Bool
	mu     sync.RWMutex // held for reading by Submit
	wg     sync.WaitGroup
}

func NewWorkers(n int) *Workers {
	w := &Workers{jobs: make(chan func(), n)}
	for range n {
		w.wg.Go(func() {
			for job := range w.jobs {
				job()
			}
		})
	}
	return w
}
