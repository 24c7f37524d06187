package concbugs

import (
	"sync"
	"sync/atomic"
	"testing"
)

// A fifo has blocks to compress. Its lock goes away with it.
type fifo struct {
	mu      atomic.Pointer[sync.Mutex]
	filled  *sync.Cond
	blocks  int
	allRead bool
}

func newFifo() *fifo {
	f := new(fifo)
	mu := new(sync.Mutex)
	f.mu.Store(mu)
	f.filled = sync.NewCond(mu)
	return f
}

// consume compresses blocks until all are done, and counts them.
func (f *fifo) consume(done *sync.WaitGroup) {
	for {
		f.mu.Load().Lock()
		for f.blocks == 0 && !f.allRead {
			f.filled.Wait()
		}
		if f.blocks == 0 {
			f.mu.Load().Unlock()
			return
		}
		f.blocks--
		f.mu.Load().Unlock()
		done.Done()
	}
}

// pbzip2 compresses blocks with consumers, waits until all blocks are done, and deletes the queue. It
// may wait for the consumers first.
func pbzip2(waits bool) {
	const blocks, consumers = 3, 2
	f := newFifo()
	var done, ended sync.WaitGroup
	done.Add(blocks)
	for range consumers {
		ended.Go(func() { f.consume(&done) })
	}
	for range blocks {
		f.mu.Load().Lock()
		f.blocks++
		f.filled.Signal()
		f.mu.Load().Unlock()
	}
	f.mu.Load().Lock()
	f.allRead = true
	f.filled.Broadcast()
	f.mu.Load().Unlock()
	done.Wait()
	if waits {
		ended.Wait()
	}
	f.mu.Store(nil)
	ended.Wait()
}

func TestPbzip2(t *testing.T)      { pbzip2(false) }
func TestPbzip2Fixed(t *testing.T) { pbzip2(true) }
