package selftest

import (
	"sync"
	"sync/atomic"
	"testing"
)

// How many executions it takes to explore all orders of these tests is a number.

func TestCountAtomics(t *testing.T) {
	var x, y, a, b atomic.Int32
	var wg sync.WaitGroup
	wg.Go(func() {
		x.Store(1)
		a.Store(y.Load())
	})
	y.Store(1)
	b.Store(x.Load())
	wg.Wait()
	if a.Load() == 0 && b.Load() == 0 {
		t.Error("not sequentially consistent")
	}
}

func TestCountLocks(t *testing.T) {
	var mu sync.Mutex
	var rw sync.RWMutex
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.Lock()
		mu.Unlock()
		rw.RLock()
		rw.RUnlock()
	})
	mu.Lock()
	mu.Unlock()
	rw.Lock()
	rw.Unlock()
	wg.Wait()
}

func TestCountReaders(t *testing.T) {
	var rw sync.RWMutex
	var wg sync.WaitGroup
	wg.Go(func() {
		rw.RLock()
		rw.RUnlock()
	})
	rw.RLock()
	rw.RUnlock()
	wg.Wait()
}

func TestCountChannels(t *testing.T) {
	c := make(chan int, 1)
	for i := range 2 {
		go func() { c <- i }()
	}
	shows(uint64(<-c))
	<-c
}
