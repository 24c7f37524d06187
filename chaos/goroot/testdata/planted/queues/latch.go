package queues

import (
	"sync"
	"sync/atomic"
)

// A Latch keeps goroutines until it is opened.
type Latch struct {
	open    atomic.Bool
	mu      sync.Mutex
	changed *sync.Cond
}

func NewLatch() *Latch {
	l := &Latch{}
	l.changed = sync.NewCond(&l.mu)
	return l
}
