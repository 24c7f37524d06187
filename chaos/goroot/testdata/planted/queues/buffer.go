package queues

import "sync"

// A Buffer is a bounded queue.
type Buffer struct {
	mu      sync.Mutex
	changed *sync.Cond
	items   []int
	limit   int
}

func NewBuffer(limit int) *Buffer {
	b := &Buffer{limit: limit}
	b.changed = sync.NewCond(&b.mu)
	return b
}

// Put waits for room.
func (b *Buffer) Put(v int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.items) == b.limit {
		b.changed.Wait()
	}
	b.items = append(b.items, v)
	b.notify()
}

// Get waits for an item.
func (b *Buffer) Get() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.items) == 0 {
		b.changed.Wait()
	}
	v := b.items[0]
	b.items = b.items[1:]
	b.notify()
	return v
}
