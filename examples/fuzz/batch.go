package fuzz

import "github.com/rouse-go/rouse/hooks/sync"

// A Batch collects values and hands them out together. Its methods are safe for concurrent use.
type Batch struct {
	mu     sync.Mutex
	values []byte
	out    func([]byte)
}

// Add adds a value. It hands out a full batch, and also the batch with an urgent value, which is above
// 0xf0.
func (b *Batch) Add(v byte) {
	b.mu.Lock()
	b.values = append(b.values, v)
	if v <= 0xf0 {
		if len(b.values) == 4 {
			b.out(b.values)
			b.values = nil
		}
		b.mu.Unlock()
		return
	}
	urgent := b.values
	b.mu.Unlock()
	b.out(urgent)
	b.mu.Lock()
	b.values = nil // the defect: also values added meanwhile
	b.mu.Unlock()
}

// Flush hands out the current values.
func (b *Batch) Flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.out(b.values)
	b.values = nil
}
