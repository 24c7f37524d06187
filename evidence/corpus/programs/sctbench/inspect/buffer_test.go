package inspect

import (
	"sync"
	"testing"
)

// A buffer has room for one item.
type buffer struct {
	mu                sync.Mutex
	notFull, notEmpty *sync.Cond
	held              bool
}

func (b *buffer) put() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.held {
		b.notFull.Wait()
	}
	b.held = true
	b.notEmpty.Signal()
}

func (b *buffer) get() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for !b.held {
		b.notEmpty.Wait()
	}
	b.held = false
	b.notFull.Signal()
}

func boundedBuffer(b *buffer) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { b.put(); b.put() })
		wg.Go(func() { b.get(); b.get() })
	}
	wg.Wait()
}

// TestBoundedBuffer has one condition for both sides, of which Signal may wake one that has to wait
// again.
func TestBoundedBuffer(t *testing.T) {
	b := new(buffer)
	b.notFull = sync.NewCond(&b.mu)
	b.notEmpty = b.notFull
	boundedBuffer(b)
}

func TestBoundedBufferFixed(t *testing.T) {
	b := new(buffer)
	b.notFull, b.notEmpty = sync.NewCond(&b.mu), sync.NewCond(&b.mu)
	boundedBuffer(b)
}
