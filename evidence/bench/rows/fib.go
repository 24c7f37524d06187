package rows

import (
	"fmt"
	"sync"

	"github.com/rouse-go/rouse/evidence/bench/peers"
	"github.com/rouse-go/rouse/pool"
)

const (
	perJoin   = "ns/join"
	allocJoin = "allocs/join"
)

// fib measures the cost of a fork: the tree of fib(32), with no cutoff, so that nearly all of the
// work is joins.
func (s *Setup) fib() (rows []peers.Row) {
	n, small := s.Fib, s.SlowFib
	right, joins := exactly(float64(fibonacci(n))), joinsOf(n)
	goroutines := fmt.Sprintf("goroutine + WaitGroup, fib(%d)", small)
	for _, workers := range []int{1, 2} {
		ours := func(name string, fib func(w *pool.Worker, n int) int) peers.Contestant {
			return peers.Contestant{Name: name, Turn: inPool(workers, func(p *pool.Pool) (peers.Figures, error) {
				err := run(p, func(w *pool.Worker) { fib(w, min(n, 20)) })
				if err != nil {
					return nil, err
				}
				got := 0
				figures, err := counted(perJoin, allocJoin, joins, func() error { return run(p, func(w *pool.Worker) { got = fib(w, n) }) })
				if err == nil {
					err = right(float64(got))
				}
				return figures, err
			})}
		}
		plain := func(name string, n int, fib func(n int) int) peers.Contestant {
			return peers.Contestant{Name: name, Turn: on(workers, func() (peers.Figures, error) {
				got := fib(min(n, 20))
				figures, err := counted(perJoin, allocJoin, joinsOf(n), func() error { got = fib(n); return nil })
				if err == nil {
					err = exactly(float64(fibonacci(n)))(float64(got))
				}
				return figures, err
			})}
		}
		in := fmt.Sprintf("fib(%d), %s: ", n, plural(workers, "worker"))
		rows = append(rows, peers.Row{
			Name:    fmt.Sprintf("fib/workers=%d", workers),
			About:   fmt.Sprintf("fib(%d) without a cutoff, %s: what a fork costs.", n, plural(workers, "worker")),
			Metrics: []string{perJoin, allocJoin},
			Contestants: []peers.Contestant{
				s.Rayon.turn("rayon", right, perJoin, joins, "fib", workers, n),
				ours("rouse Fn.Join", typedFib.Call),
				ours("rouse Join(w, f, a1, a2)", genericFib),
				ours("rouse closures behind Saturated", saturatedFib),
				ours("rouse closures", closureFib),
				plain(bareName, n, func(n int) int { return bareFib.body(bareFib, nil, n) }),
				s.TBB.turn("TBB", right, perJoin, joins, "fib", workers, n),
				plain(goroutines, small, goroutineFib),
				plain("sequential Go", n, func(n int) int { return int(fibonacci(n)) }),
			},
			Bounds: []peers.Bound{
				{What: in + "typed join", Of: "rouse Fn.Join", Metric: perJoin, Over: []string{"rayon"}, Limit: 0.5},
				{What: in + "typed join, allocations", Of: "rouse Fn.Join", Metric: allocJoin, Limit: 0.0005},
				{What: in + "closures behind Saturated", Of: "rouse closures behind Saturated", Metric: perJoin, Over: []string{"rayon"}, Limit: 0.5},
				{What: in + "closures", Of: "rouse closures", Metric: perJoin, Over: []string{goroutines}, Limit: 0.15},
			},
		})
	}
	return rows
}

// joinsOf returns the number of joins in fib(n).
func joinsOf(n int) float64 { return float64(fibonacci(n+1) - 1) }

// fibonacci computes the expected result sequentially.
func fibonacci(n int) uint64 {
	if n < 2 {
		return uint64(n)
	}
	return fibonacci(n-1) + fibonacci(n-2)
}

var typedFib = pool.NewFn(func(fib *pool.Fn[int, int], w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	a, b := fib.Join(w, n-1, n-2)
	return a + b
})

// bareName names the contestant whose typed joins fork nothing: the lower bound that Go's calls leave.
const bareName = "the calls of a Fn.Join, without a pool"

// A bareFn is a pool.Fn whose Join does nothing but call.
type bareFn[A, R any] struct {
	body func(fn *bareFn[A, R], w *pool.Worker, a A) R
}

func (fn *bareFn[A, R]) Join(w *pool.Worker, a1, a2 A) (r1, r2 R) {
	r1 = fn.body(fn, w, a1)
	r2 = fn.body(fn, w, a2)
	return r1, r2
}

var bareFib = &bareFn[int, int]{func(fib *bareFn[int, int], w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	a, b := fib.Join(w, n-1, n-2)
	return a + b
}}

func genericFib(w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	a, b := pool.Join(w, genericFib, n-1, n-2)
	return a + b
}

func closureFib(w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	var a, b int
	w.Join(
		func(w *pool.Worker) { a = closureFib(w, n-1) },
		func(w *pool.Worker) { b = closureFib(w, n-2) },
	)
	return a + b
}

// saturatedFib forks only if a worker might take the fork.
func saturatedFib(w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	if w.Saturated() {
		return saturatedFib(w, n-1) + saturatedFib(w, n-2)
	}
	var a, b int
	w.Join(
		func(w *pool.Worker) { a = saturatedFib(w, n-1) },
		func(w *pool.Worker) { b = saturatedFib(w, n-2) },
	)
	return a + b
}

func goroutineFib(n int) int {
	if n < 2 {
		return n
	}
	var other sync.WaitGroup
	var a, b int
	other.Go(func() { b = goroutineFib(n - 2) })
	a = goroutineFib(n - 1)
	other.Wait()
	return a + b
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
