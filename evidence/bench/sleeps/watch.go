package sleeps

import (
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// watchEvery is longer than any iteration.
const watchEvery = time.Second

// A watcher rescues a pool that has lost a job: some ways to sleep may, and the demo would
// wait for ever. It gives the pool a job, whose post wakes a worker, which finds the lost one.
// The round is spoilt, and its row shows that.
type watcher struct {
	iterations atomic.Int64 // completed
	rescues    int
	done       chan struct{}
	ended      chan struct{}
}

// watch watches until stop.
func watch(p *pool.Pool, every time.Duration) *watcher {
	w := &watcher{done: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		defer close(w.ended)
		ticks := time.NewTicker(every)
		defer ticks.Stop()
		for last := int64(-1); ; {
			select {
			case <-w.done:
				return
			case <-ticks.C:
			}
			now := w.iterations.Load()
			if now == last && p.Go(func(*pool.Worker) {}) == nil {
				w.rescues++
			}
			last = now
		}
	}()
	return w
}

// stop ends the watch and returns the number of rescues.
func (w *watcher) stop() int {
	close(w.done)
	<-w.ended
	return w.rescues
}
