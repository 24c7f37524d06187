package soak

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

// openPool opens a pool for the batch alone.
func (b *batch) openPool(workers int, options ...pool.Option) *subject {
	s, err := b.env.start(workers, append(options, pool.WithPanicHandler(b.env.handle))...)
	if err != nil {
		panic(err) // the options are fixed in this package
	}
	return s
}

func (b *batch) closePool(s *subject) {
	for _, d := range b.env.close(s) {
		b.defect(WrongCounter, "%s", d)
	}
}

// cross runs pairs of jobs: the first in the other pool, the second back in the own one.
func cross(b *batch) {
	b.parallel(16, func(lo, hi int) { b.across(b.env.p, b.env.q, lo, hi) })
}

func (b *batch) across(from, to *subject, lo, hi int) {
	for i := lo; i < hi; i += 2 {
		err := b.root(from, func(w *pool.Worker) error {
			to.injected.Add(1)
			return w.Run(to.Pool, func(w *pool.Worker) error {
				b.run(i)
				if i+1 == hi {
					return nil
				}
				from.injected.Add(1)
				return w.Run(from.Pool, func(*pool.Worker) error { b.run(i + 1); return nil })
			})
		})
		b.want("Worker.Run", err, nil)
	}
}

// crossBounded runs such pairs into a pool of its own with a bounded injector. Only half of the jobs
// do; the others are sent there directly.
func crossBounded(b *batch) {
	bounds := []int{1, 2, 8, 64}
	from := b.openPool(1+b.random.IntN(4), pool.WithName("from"))
	to := b.openPool(1+b.random.IntN(3), pool.WithName("bounded"), pool.WithMaxInjected(bounds[b.random.IntN(len(bounds))]))
	b.parallel(32, func(lo, hi int) {
		half := lo + (hi-lo)/2
		b.across(from, to, lo, half)
		for i := half; i < hi; i++ {
			b.direct(to, i)
		}
	})
	b.closePool(from)
	b.closePool(to) // after which all accepted jobs have run
}

// direct sends a job to a bounded pool. Only the goroutine that closes the pool waits for it.
func (b *batch) direct(s *subject, i int) {
	f := func(*pool.Worker) { b.run(i) }
	switch i % 4 {
	case 0:
		b.send(s, i, s.Go, f)
	case 1:
		b.send(s, i, s.TryGo, f)
	case 2:
		b.sendContext(s, i, f)
	default:
		s.injected.Add(1)
		_, err := pool.Submit(context.Background(), s.Pool, func(w *pool.Worker) (int, error) { f(w); return 0, nil }).Wait(context.Background())
		b.want("the future of a job of a bounded pool", err, nil)
	}
}

// sendContext waits for room until its context ends, which happens concurrently.
func (b *batch) sendContext(s *subject, i int, f func(w *pool.Worker)) {
	ctx, cancel := context.WithCancel(context.Background())
	var canceller sync.WaitGroup
	canceller.Go(cancel)
	defer canceller.Wait()
	switch err := s.GoContext(ctx, f); {
	case err == nil:
		s.injected.Add(1)
	case errors.Is(err, context.Canceled):
		b.reported[i] = dropped
	default:
		b.reported[i] = dropped
		b.defect(WrongResult, "Pool.GoContext: %v", err)
	}
}

// lifecycle closes a pool while producers send jobs to it. When Close has returned, all accepted
// jobs and the jobs that they started have run.
func lifecycle(b *batch) {
	options := []pool.Option{pool.WithName("brief"), pool.WithDequeCapacity(1 << b.random.IntN(4))}
	if b.random.IntN(2) == 0 {
		options = append(options, pool.WithSharedForks())
	}
	if b.random.IntN(4) == 0 {
		options = append(options, pool.WithMaxInjected(1+b.random.IntN(16)))
	}
	s := b.openPool(1+b.random.IntN(4), options...)
	closeAt := int64(b.random.IntN(b.n)) // jobs that have run by then
	inside := b.random.IntN(2) == 0
	var ran atomic.Int64
	reached := make(chan struct{})
	job := func(i int) {
		b.run(i)
		if ran.Add(1) == closeAt {
			close(reached)
		}
	}
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		b.parallel(4, func(lo, hi int) { b.sendPairs(s, lo, hi, job) })
	}()
	select {
	case <-reached:
	case <-sent:
	}
	if inside {
		b.want("Worker.Close", b.root(b.env.p, func(w *pool.Worker) error { return w.Close(context.Background(), s.Pool) }), nil)
	} else {
		b.parallel(2, func(int, int) { b.want("Pool.Close", s.Close(context.Background()), nil) })
	}
	<-sent
	b.closePool(s) // once more, for its counters
}

// sendPairs sends every second job; each starts the next one, which is refused with it.
func (b *batch) sendPairs(s *subject, lo, hi int, job func(i int)) {
	for i := lo; i < hi; i += 2 {
		err := s.Go(func(w *pool.Worker) {
			if i+1 < hi {
				w.Go(func(*pool.Worker) { job(i + 1) })
			}
			job(i)
		})
		if err == nil {
			s.injected.Add(1)
			continue
		}
		b.want("Pool.Go of a pool that is being closed", err, pool.ErrClosed)
		for k := i; k < min(i+2, hi); k++ {
			b.reported[k] = refused
		}
	}
}
