package curves

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/evidence/bench/gopools"
	"github.com/rouse-go/rouse/pool"
)

// Jobs returns the cost of a nearly empty job as the number of jobs grows.
func Jobs() Curve {
	const workers = 2
	inside := func(name string, once func(w *pool.Worker, n int) int) Line {
		return Line{name, func(n int) (float64, time.Duration, error) {
			return inPool(workers, n, func(w *pool.Worker) error { return want(once(w, n), n) })
		}}
	}
	c := Curve{
		Name:  "jobs",
		About: "What a job costs that is next to nothing, as there are more of them, in a pool of two. Joins, loops and scopes are begun within a job; Go is from outside, by one goroutine, until all are done.",
		X:     "jobs", Y: "ns per job",
		At: decades(3, 8, 1),
		Lines: []Line{
			inside("Fn.Join, balanced", balanced.Call),
			inside("closures, balanced", balancedClosures),
			inside("FoldRange, leaves of one", foldLeaves),
			inside("Scope.Go", scopeJobs),
		},
	}
	for _, kind := range gopools.Kinds() {
		name := kind.Name
		switch name {
		case "rouse":
			name = "Pool.Go"
		case "channel(1024)", "goroutine + WaitGroup":
		default:
			continue
		}
		c.Lines = append(c.Lines, Line{name, func(n int) (float64, time.Duration, error) { return outside(kind, workers, n) }})
	}
	return c
}

// balanced is a tree of joins with n leaves; it returns the number of leaves.
var balanced = pool.NewFn(func(balanced *pool.Fn[int, int], w *pool.Worker, n int) int {
	if n == 1 {
		return 1
	}
	a, b := balanced.Join(w, n/2, n-n/2)
	return a + b
})

func balancedClosures(w *pool.Worker, n int) int {
	if n == 1 {
		return 1
	}
	var a, b int
	w.Join(
		func(w *pool.Worker) { a = balancedClosures(w, n/2) },
		func(w *pool.Worker) { b = balancedClosures(w, n-n/2) },
	)
	return a + b
}

// foldLeaves is a loop in leaves of one, which are counted.
func foldLeaves(w *pool.Worker, n int) int {
	return pool.FoldRange(w, n, func() int { return 0 },
		func(_ *pool.Worker, sum, lo, hi int) int { return sum + hi - lo },
		func(_ *pool.Worker, a, b int) int { return a + b }, pool.MaxLen(1))
}

// scopeJobs are n jobs of a scope, which count themselves.
func scopeJobs(w *pool.Worker, n int) int {
	var done atomic.Int64
	job := func(*pool.Worker) { done.Add(1) }
	w.Scope(func(s *pool.Scope) {
		for range n {
			s.Go(w, job)
		}
	})
	return int(done.Load())
}

// outside starts n jobs, which count themselves, and waits for all.
func outside(kind gopools.Kind, workers, n int) (float64, time.Duration, error) {
	p, err := kind.New(workers)
	if err != nil {
		return 0, 0, err
	}
	defer p.Wait()
	var jobs sync.WaitGroup
	done := jobs.Done
	return repeated(n, func() error {
		jobs.Add(n)
		for range n {
			p.Go(done)
		}
		jobs.Wait()
		return nil
	})
}
