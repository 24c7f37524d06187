package splash

import (
	"sync"
	"sync/atomic"
)

// A barrier lets workers continue when all have arrived.
type barrier struct {
	mu               sync.Mutex
	all              *sync.Cond
	workers, waiting int
	round            int
}

func newBarrier(workers int) *barrier {
	b := &barrier{workers: workers}
	b.all = sync.NewCond(&b.mu)
	return b
}

func (b *barrier) wait() {
	b.mu.Lock()
	defer b.mu.Unlock()
	round := b.round
	if b.waiting++; b.waiting == b.workers {
		b.waiting = 0
		b.round++
		b.all.Broadcast()
		return
	}
	for b.round == round {
		b.all.Wait()
	}
}

// run runs work as worker 0, beside the other workers, and returns how many had ended when worker 0
// had. With waits it waits for them first.
func run(workers int, waits bool, work func(id int, b *barrier)) int {
	b := newBarrier(workers)
	var ended atomic.Int32
	var wg sync.WaitGroup
	for id := 1; id < workers; id++ {
		wg.Go(func() {
			work(id, b)
			ended.Add(1)
		})
	}
	work(0, b)
	if waits {
		wg.Wait()
	}
	defer wg.Wait()
	return int(ended.Load()) + 1
}
