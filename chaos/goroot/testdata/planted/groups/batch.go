package groups

import (
	"context"
	"sync"
)

// A Batch runs jobs, and leaves out those that have not begun when its context ends.
type Batch struct {
	wg   sync.WaitGroup
	mu   sync.Mutex
	done []int
}

// Run runs n jobs, and returns the numbers of those that were done.
func (b *Batch) Run(ctx context.Context, n int) []int {
	for i := range n {
		b.wg.Add(1)
		go b.job(ctx, i)
	}
	b.wg.Wait()
	return b.done
}

func (b *Batch) record(i int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done = append(b.done, i)
}
