package radbench

import (
	"sync"
	"sync/atomic"
	"testing"
)

// A context belongs to a thread, or to none.
type context struct {
	thread   atomic.Pointer[thread]
	mu       sync.Mutex // of the requests
	requests int
}

type thread struct{ id int32 }

// collect looks at the thread of a context that is in use, as the collector does. clear may take the
// thread away between the look and the use.
func (c *context) collect() (id int32) {
	if c.thread.Load() != nil {
		return c.thread.Load().id
	}
	return 0
}

func (c *context) collectFixed() (id int32) {
	if th := c.thread.Load(); th != nil {
		return th.id
	}
	return 0
}

func (c *context) use() {
	c.thread.Store(&thread{id: 1})
	c.mu.Lock()
	c.requests++
	c.mu.Unlock()
	c.mu.Lock()
	c.requests--
	c.mu.Unlock()
	c.thread.Store(nil)
}

func bug2(collect func(*context) int32) {
	c := new(context)
	var wg sync.WaitGroup
	wg.Go(c.use)
	collect(c)
	wg.Wait()
}

func TestBug2(t *testing.T)      { bug2((*context).collect) }
func TestBug2Fixed(t *testing.T) { bug2((*context).collectFixed) }

// bug6 has a reader that takes the lock twice, and a writer: when the writer waits, the second read
// lock waits for it.
func bug6(readsTwice bool) {
	var mu sync.RWMutex
	var wg sync.WaitGroup
	wg.Go(func() { mu.Lock(); mu.Unlock() })
	read := func() {
		mu.RLock()
		if readsTwice {
			mu.RLock()
			mu.RUnlock()
		}
		mu.RUnlock()
	}
	wg.Go(read)
	read()
	wg.Wait()
}

func TestBug6(t *testing.T)      { bug6(true) }
func TestBug6Fixed(t *testing.T) { bug6(false) }
