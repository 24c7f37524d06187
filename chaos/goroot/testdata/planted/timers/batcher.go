package timers

import (
	"sync"
	"time"
)

// A Batcher collects lines, and sends them together after a while.
type Batcher struct {
	mu     sync.Mutex
	lines  []string
	timer  *time.Timer
	out    chan []string
	closed bool
}

func NewBatcher(out chan []string) *Batcher { return &Batcher{out: out} }

// Add adds a line to the next batch.
func (b *Batcher) Add(line string, delay time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lines = append(b.lines, line)
	if len(b.lines) == 1 {
		b.timer = time.AfterFunc(delay, b.flush)
	}
}
