package queues

import (
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
	"github.com/rouse-go/rouse/hooks/sync"
)

// An eventCount lets a reader sleep until something has happened since it looked. Its highest bit says
// that the reader wants to be notified.
type eventCount struct {
	count atomic.Uint32
	mu    sync.Mutex
	moved *sync.Cond
}

const wanted = 1 << 31

// signalFence and lookFence are the fences between publishing an item and looking whether the reader
// wants to be notified, and between saying so and looking for an item.
func signalFence() { memory.Fence(memory.SeqCst) }
func lookFence()   { memory.Fence(memory.SeqCst) }

// look says that the reader wants to be notified, and returns the count.
func (e *eventCount) look() uint32 {
	n := memory.OrUint32(&e.count, wanted, memory.Acquire) &^ wanted
	lookFence()
	return n
}

// wait returns once something has happened since the look that returned n.
func (e *eventCount) wait(n uint32) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for memory.LoadUint32(&e.count, memory.Relaxed)&^wanted == n {
		e.moved.Wait()
	}
}

func (e *eventCount) signal() {
	signalFence()
	n := memory.LoadUint32(&e.count, memory.Relaxed)
	if n&wanted == 0 {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for !memory.CompareAndSwapUint32(&e.count, n, (n&^wanted)+1, memory.Relaxed, memory.Relaxed) {
		n = memory.LoadUint32(&e.count, memory.Relaxed)
	}
	e.moved.Broadcast()
}

// spsc is a queue of one writer and one reader, which sleeps if there is nothing.
func spsc(c *chaos.C) {
	const items = 2
	var events eventCount
	events.moved = sync.NewCond(&events.mu)
	last := new(node)
	first := last
	together(func() {
		for i := range int64(items) {
			n := newNode(i + 1)
			memory.StorePointer(&last.next, n, memory.Release)
			last = n
			events.signal()
		}
	}, func() {
		for i := range int64(items) {
			next := memory.LoadPointer(&first.next, memory.Acquire)
			for next == nil {
				n := events.look()
				if next = memory.LoadPointer(&first.next, memory.Acquire); next != nil {
					break
				}
				events.wait(n)
				next = memory.LoadPointer(&first.next, memory.Acquire)
			}
			first = next
			if item := memory.LoadInt64(&first.item, memory.Relaxed); item != i+1 {
				c.Errorf("item %d is %d", i+1, item)
			}
		}
	})
}

func TestSPSCQueue(t *testing.T) {
	chaos.Explore(t, spsc, onViews, chaos.WithoutFences("queues.signalFence"))
}

func TestSPSCQueueReader(t *testing.T) {
	chaos.Explore(t, spsc, onViews, chaos.WithoutFences("queues.lookFence"))
}

func TestSPSCQueueFixed(t *testing.T) { chaos.Explore(t, spsc, onViews) }
