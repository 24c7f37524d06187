package rows

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/evidence/bench/gopools"
	"github.com/rouse-go/rouse/evidence/bench/measure"
	"github.com/rouse-go/rouse/evidence/bench/peers"
)

const (
	p50 = "ns-p50"
	p99 = "ns-p99"
)

// wake measures the time from starting a job in a sleeping pool to its beginning: if the
// starter computes on, as a worker that forks does, and if it blocks, after it has computed and
// after it has slept.
func (s *Setup) wake() []peers.Row {
	const workers = 2
	computes := peers.Row{
		Name:    "wake/computes",
		About:   fmt.Sprintf("From starting a job to its beginning; %d workers sleep; the starter has computed for %v, and computes on for %v at least.", workers, s.Quiet, s.Busy),
		Metrics: []string{p50, p99},
		Contestants: []peers.Contestant{
			s.Rayon.turns("rayon", exactly(float64(s.Wakes)), latencies, "wake-computes", workers, s.Wakes, int(s.Quiet), int(s.Busy), int(s.LatestWake)),
		},
		Bounds: []peers.Bound{
			{What: "wake, the waker computes on: p50", Of: "rouse", Metric: p50, Over: []string{"rayon"}, Limit: 1.1},
			{What: "wake, the waker computes on: p99", Of: "rouse", Metric: p99, Over: []string{"rayon"}, Limit: 1.1},
			{What: "wake, the waker computes on: p50", Of: "rouse", Metric: p50, Over: gopools.Libraries(), Limit: 0.4},
		},
	}
	blocks := peers.Row{
		Name:    "wake/blocks",
		About:   fmt.Sprintf("The same if the starter has slept for %v, and blocks until it has begun.", s.Quiet),
		Metrics: []string{p50, p99},
		Contestants: []peers.Contestant{
			s.Rayon.turns("rayon", exactly(float64(s.Wakes)), latencies, "wake-blocks", workers, s.Wakes, int(s.Quiet)),
		},
		Bounds: []peers.Bound{
			{What: "wake, the waker blocks: p50", Of: "rouse", Metric: p50, Over: []string{"bare channel"}, Limit: 2},
		},
	}
	computed := peers.Row{
		Name:    "wake/computed-blocks",
		About:   fmt.Sprintf("The same if the starter has computed for %v, and blocks until it has begun. After a sleep Go's threads are sometimes half awake.", s.Quiet),
		Metrics: []string{p50, p99},
		Bounds: []peers.Bound{
			{What: "wake, the waker has computed, and blocks: p50", Of: "rouse", Metric: p50, Over: []string{"bare channel"}, Limit: 2},
		},
	}
	for _, kind := range append(gopools.Kinds(), gopools.Kind{Name: "bare channel", New: newBareChannel}) {
		computes.Contestants = append(computes.Contestants, s.waking(kind, workers, s.wakeAndCompute))
		computed.Contestants = append(computed.Contestants, s.waking(kind, workers, s.computeAndBlock))
		blocks.Contestants = append(blocks.Contestants, s.waking(kind, workers, s.sleepAndBlock))
	}
	return []peers.Row{computes, computed, blocks}
}

// waking returns a contestant that starts jobs in a sleeping pool, one at a time; once returns how
// long a job took to begin.
func (s *Setup) waking(kind gopools.Kind, workers int, once func(p gopools.Pool) time.Duration) peers.Contestant {
	return peers.Contestant{Name: kind.Name, Turn: func(ctx context.Context) (peers.Figures, error) {
		return on(workers, func() (peers.Figures, error) {
			p, err := kind.New(workers)
			if err != nil {
				return nil, err
			}
			defer p.Wait()
			runtime.GC()
			figures := make([]float64, s.Wakes)
			for i := range figures {
				figures[i] = float64(once(p))
			}
			return latencies(figures)
		})(ctx)
	}}
}

func (s *Setup) wakeAndCompute(p gopools.Pool) time.Duration {
	spin(s.Quiet)
	var took atomic.Int64
	start := time.Now()
	p.Go(func() { took.Store(int64(time.Since(start))) })
	spin(s.Busy)
	for took.Load() == 0 {
		if time.Since(start) > s.LatestWake {
			runtime.Gosched() // the job would not begin before that
		}
	}
	return time.Duration(took.Load())
}

func (s *Setup) computeAndBlock(p gopools.Pool) time.Duration {
	spin(s.Quiet)
	return wakeAndBlock(p)
}

func (s *Setup) sleepAndBlock(p gopools.Pool) time.Duration {
	time.Sleep(s.Quiet)
	return wakeAndBlock(p)
}

func wakeAndBlock(p gopools.Pool) time.Duration {
	begun := make(chan time.Duration)
	start := time.Now()
	p.Go(func() { begun <- time.Since(start) })
	return <-begun
}

// spin computes for a while.
func spin(d time.Duration) {
	for start := time.Now(); time.Since(start) < d; {
	}
}

// latencies returns quantiles of latencies in ns.
func latencies(ns []float64) (peers.Figures, error) {
	if len(ns) == 0 {
		return nil, fmt.Errorf("no latencies")
	}
	sorted := measure.Series(ns).Sorted()
	return peers.Figures{p50: sorted.Quantile(0.5), p99: sorted.Quantile(0.99)}, nil
}

// A bareChannel hands a job to the one goroutine that waits for it.
type bareChannel struct {
	jobs  chan func()
	ended chan struct{}
}

func newBareChannel(int) (gopools.Pool, error) {
	c := bareChannel{make(chan func()), make(chan struct{})}
	go func() {
		defer close(c.ended)
		for job := range c.jobs {
			job()
		}
	}()
	return c, nil
}

func (c bareChannel) Go(f func()) { c.jobs <- f }

func (c bareChannel) Flood(n int) {
	for range n {
		c.jobs <- func() {}
	}
}

func (c bareChannel) Wait() {
	close(c.jobs)
	<-c.ended
}
