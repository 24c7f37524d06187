package queues

import (
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
)

const (
	size   = 2       // slots of the bounded queue
	reader = 1 << 16 // of reserved: readers count above, writers below
	lower  = reader - 1
)

// A boundedQueue has any number of writers and readers, which reserve slots in one word and then
// publish, or free, what they have reserved in order. published is the order of the former.
type boundedQueue struct {
	reserved       atomic.Uint32
	written, freed atomic.Uint32
	slots          [size]atomic.Int64
	published      memory.Order
}

// reserve adds one to the readers or the writers in reserved, unless the queue is empty or full.
func (q *boundedQueue) reserve(one uint32) (n uint32, ok bool) {
	for {
		all := memory.LoadUint32(&q.reserved, memory.Acquire)
		read, wrote := all/reader, all&lower
		if one == reader && read == wrote || one == 1 && wrote == read+size {
			return 0, false
		}
		if memory.CompareAndSwapUint32(&q.reserved, all, all+one, memory.AcqRel, memory.Relaxed) {
			if one == reader {
				return read, true
			}
			return wrote, true
		}
	}
}

// write waits until the slot is free and earlier writers have published theirs.
func (q *boundedQueue) write(item int64) bool {
	n, ok := q.reserve(1)
	if !ok {
		return false
	}
	for memory.LoadUint32(&q.freed, memory.Acquire)+size <= n {
	}
	memory.StoreInt64(&q.slots[n%size], item, memory.Relaxed)
	for memory.LoadUint32(&q.written, memory.Relaxed) != n {
	}
	memory.AddUint32(&q.written, 1, q.published)
	return true
}

func (q *boundedQueue) read() (item int64, ok bool) {
	n, ok := q.reserve(reader)
	if !ok {
		return 0, false
	}
	for memory.LoadUint32(&q.written, memory.Acquire) <= n {
	}
	item = memory.LoadInt64(&q.slots[n%size], memory.Relaxed)
	for memory.LoadUint32(&q.freed, memory.Relaxed) != n {
	}
	memory.AddUint32(&q.freed, 1, memory.Release)
	return item, true
}

func mpmc(published memory.Order) func(*chaos.C) {
	return func(c *chaos.C) {
		q := boundedQueue{published: published}
		var x taken
		write := func(item int64) func() { return func() { q.write(item) } }
		read := func() {
			if item, ok := q.read(); ok {
				x.take(item)
			}
		}
		together(write(1), write(2), func() { read(); read() })
		for n := q.reserved.Load(); n/reader != n&lower; n = q.reserved.Load() {
			read()
		}
		x.once(c, 2)
	}
}

func TestMPMCQueue(t *testing.T)      { chaos.Explore(t, mpmc(memory.Relaxed), onViews) }
func TestMPMCQueueFixed(t *testing.T) { chaos.Explore(t, mpmc(memory.Release), onViews) }
