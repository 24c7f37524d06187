package soak

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

// A batch is some jobs of one kind, with their ledger. A driver runs one batch at a time.
type batch struct {
	*ledger
	kind   *Kind
	number int
	n      int // jobs
	seed   uint64
	random *rand.Rand // the driver's only
	env    *env
	caught *ledger // panics of jobs, nil if none of them panics
	exited atomic.Int64
	plant  Plant // the defect planted in this batch
	found  int   // defects when it was settled
	// For jobs that nothing waits for: how many have not run, and a channel that is closed when all have.
	left     atomic.Int64
	finished chan struct{}
}

func (e *env) newBatch(d draw) *batch {
	return &batch{
		ledger: newLedger(d.jobs), kind: d.kind, number: d.number, n: d.jobs, env: e, seed: d.seed,
		random: rand.New(rand.NewPCG(d.seed, 0)), plant: e.plantFor(d), finished: make(chan struct{}),
	}
}

// run notes that job i runs. Every job calls it once.
func (b *batch) run(i int) bool {
	if b.plant != "" && i == 0 {
		switch b.plant {
		case PlantLost:
			return false
		case PlantTwice:
			b.ledger.run(i)
		case PlantHang:
			<-b.env.release
		}
	}
	return b.ledger.run(i)
}

// value returns the result of job i.
func (b *batch) value(i int) uint64 {
	x := (b.seed + uint64(i)) * 0x9e3779b97f4a7c15
	x ^= x >> 31
	if b.plant == PlantWrong && i == 0 {
		x++
	}
	return x
}

// work is a job with a result.
func (b *batch) work(i int) uint64 {
	b.run(i)
	return b.value(i)
}

// sum returns the sum of work's results for jobs lo to hi-1, computed in another way.
func (b *batch) sum(lo, hi int) (sum uint64) {
	for i := lo; i < hi; i++ {
		x := (b.seed + uint64(i)) * 0x9e3779b97f4a7c15
		sum += x ^ x>>31
	}
	return sum
}

func (b *batch) wantSum(what string, got uint64, lo, hi int) {
	if want := b.sum(lo, hi); got != want {
		b.defect(WrongResult, "%s of jobs %d to %d: %#x, want %#x", what, lo, hi-1, got, want)
	}
}

// want reports an error other than the one wanted.
func (b *batch) want(what string, got, want error) {
	if !errors.Is(got, want) {
		b.defect(WrongResult, "%s: %v, want %v", what, got, want)
	}
}

func (b *batch) defect(what, format string, args ...any) { b.env.defect(b, what, format, args...) }

// expect sets how many jobs end with done, and must be waited for.
func (b *batch) expect(jobs int) { b.left.Store(int64(jobs)) }

// done is like run, for a job that nothing waits for. A job that runs twice is counted once, so that
// the driver waits for all others.
func (b *batch) done(i int) {
	if b.run(i) {
		b.forget()
	}
}

// forget is like done, for a job that was refused.
func (b *batch) forget() {
	if b.left.Add(-1) == 0 {
		close(b.finished)
	}
}

// wait returns when all expected jobs are done.
func (b *batch) wait() { <-b.finished }

// root runs f as a job from outside, and returns its error.
func (b *batch) root(s *subject, f func(w *pool.Worker) error) error {
	s.injected.Add(1)
	return s.Run(context.Background(), f)
}

// inside is like root, for jobs that return no error.
func (b *batch) inside(s *subject, f func(w *pool.Worker)) {
	b.want("Pool.Run", b.root(s, func(w *pool.Worker) error { f(w); return nil }), nil)
}

// send starts a job from outside that nothing waits for, and notes if it was refused.
func (b *batch) send(s *subject, i int, start func(func(*pool.Worker)) error, f func(w *pool.Worker)) {
	switch err := start(f); {
	case err == nil:
		s.injected.Add(1)
	case errors.Is(err, pool.ErrClosed), errors.Is(err, pool.ErrFull):
		b.reported[i] = refused
		b.forget()
	default:
		b.reported[i] = refused
		b.defect(WrongResult, "job %d was refused: %v", i, err)
		b.forget()
	}
}

// parallel calls f on n goroutines, each with the bounds of a share of the jobs, and waits for them.
func (b *batch) parallel(n int, f func(lo, hi int)) {
	var all sync.WaitGroup
	for k := range n {
		lo, hi := b.n*k/n, b.n*(k+1)/n
		all.Go(func() { f(lo, hi) })
	}
	all.Wait()
}

// again settles the batch once more: it reports a job that has run again since.
func (b *batch) again() {
	found := 0
	b.settle(func(string, string, ...any) { found++ })
	if found > b.found {
		b.settle(b.defect)
	}
}

// finish settles the batch.
func (b *batch) finish() Account {
	switch b.plant {
	case PlantDropped:
		b.reported[0] = dropped
	case PlantRefused:
		b.reported[0] = refused
	}
	a := b.settle(func(what, format string, args ...any) {
		b.found++
		b.defect(what, format, args...)
	})
	a.Batches = 1
	a.Exited = int(b.exited.Load())
	if b.caught != nil {
		for i := range b.caught.ran {
			n := b.caught.ran[i].Load()
			a.Panicked += min(int(n), 1)
			if want := b.caught.reported[i]; uint32(want) != n {
				b.defect(WrongResult, "the panic of job %d was caught %d times, want %d", i, n, want)
			}
		}
	}
	return a
}
