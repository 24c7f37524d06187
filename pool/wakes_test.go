package pool

import (
	"sync"
	"sync/atomic" // not the drop-in: what watches is no step of what is watched

	"github.com/rouse-go/rouse/sleep"
)

// Wakes count how often each worker has come back from a search in vain, be it asleep
// meanwhile or not: whoever slept, and has not, has at most been notified, and is inactive still.
type Wakes [8]atomic.Int64

// wakes stand between a pool and its strategy.
type wakes struct {
	sleep.Strategy
	*Wakes
}

// Watch is an option of one pool. It takes the place of a start handler.
func (s *Wakes) Watch() Option {
	return func(c *config) {
		var once sync.Once
		c.startHandler = func(w *Worker) error {
			once.Do(func() { s.watch(w.pool) })
			return nil
		}
	}
}

// WatchUnstarted is Watch for an unstarted pool.
func (s *Wakes) WatchUnstarted(w []*Worker) { s.watch(w[0].pool) }

func (s *Wakes) watch(p *Pool) { p.sleep.Strategy = &wakes{p.sleep.Strategy, s} }

// NoWorkFound implements sleep.Strategy.
func (s *wakes) NoWorkFound(idle *sleep.IdleState, latch *sleep.CoreLatch, jobs sleep.Injected) {
	s.Strategy.NoWorkFound(idle, latch, jobs)
	s.Wakes[jobs.(*finalCheck).index].Add(1)
}

// WakesAt is what they were at some time.
type WakesAt [8]int64

// Now returns what they are.
func (s *Wakes) Now() (now WakesAt) {
	for i := range s {
		now[i] = s[i].Load()
	}
	return now
}

// Since returns how many workers have come back since then.
func (s *Wakes) Since(then WakesAt) (n int) {
	for i := range s {
		if s[i].Load() != then[i] {
			n++
		}
	}
	return n
}
