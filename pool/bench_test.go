package pool_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// benchmarkPool runs b inside a job of a pool of n workers.
func benchmarkPool(b *testing.B, n int, f func(b *testing.B, w *pool.Worker)) {
	p, err := pool.New(n)
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close(context.Background())
	err = p.Run(context.Background(), func(w *pool.Worker) error { f(b, w); return nil })
	if err != nil {
		b.Fatal(err)
	}
}

func fibJoin(w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	var x, y int
	w.Join(
		func(w *pool.Worker) { x = fibJoin(w, n-1) },
		func(w *pool.Worker) { y = fibJoin(w, n-2) },
	)
	return x + y
}

func fibGoroutines(n int) int {
	if n < 2 {
		return n
	}
	var x int
	var wg sync.WaitGroup
	wg.Go(func() { x = fibGoroutines(n - 1) })
	y := fibGoroutines(n - 2)
	wg.Wait()
	return x + y
}

// fibForks is how many forks fib(20) makes.
const fibForks = 10945

// BenchmarkFork compares one fork of a pool with one of the language.
func BenchmarkFork(b *testing.B) {
	perFork := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/fibForks, "ns/fork")
	}
	for _, by := range []struct {
		name string
		fib  func(w *pool.Worker, n int) int
	}{{"Join", fibJoin}, {"Fn", fibFn.Call}} {
		for _, n := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", by.name, n), func(b *testing.B) {
				b.ReportAllocs()
				benchmarkPool(b, n, func(b *testing.B, w *pool.Worker) {
					for b.Loop() {
						by.fib(w, 20)
					}
				})
				perFork(b)
			})
		}
	}
	b.Run("goroutine+WaitGroup", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			fibGoroutines(20)
		}
		perFork(b)
	})
}

// BenchmarkRun measures the way into the pool and back, back to back.
func BenchmarkRun(b *testing.B) {
	p, err := pool.New(2)
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close(context.Background())
	b.ReportAllocs()
	for b.Loop() {
		if err := p.Run(context.Background(), func(*pool.Worker) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkGo measures injected jobs that nothing waits for.
func BenchmarkGo(b *testing.B) {
	p, err := pool.New(2)
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close(context.Background())
	b.ReportAllocs()
	for b.Loop() {
		if err := p.Go(func(*pool.Worker) {}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkGroup starts 100 jobs on a worker and waits for them, beside a scope, whose jobs return
// nothing.
func BenchmarkGroup(b *testing.B) {
	const jobs = 100
	on := func(name string, f func(w *pool.Worker)) {
		b.Run(name, func(b *testing.B) {
			run(b, newPool(b, 1), func(w *pool.Worker) {
				b.ReportAllocs()
				for b.Loop() {
					f(w)
				}
			})
		})
	}
	on("group", func(w *pool.Worker) {
		g, _ := w.Pool().Group(background)
		for range jobs {
			g.Go(func(*pool.Worker) error { return nil })
		}
		_ = g.Wait()
	})
	on("scope", func(w *pool.Worker) {
		w.Scope(func(s *pool.Scope) {
			for range jobs {
				s.Go(w, func(*pool.Worker) {})
			}
		})
	})
}

// BenchmarkIncrementAll is rayon-demo's increment_all (join_microbench.rs): a loop
// whose body is next to nothing, so that what is measured is the loop.
func BenchmarkIncrementAll(b *testing.B) {
	s := make([]uint, 100*1024)
	increment := func(_ *pool.Worker, e *uint) { *e++ }
	b.Run("sequential", func(b *testing.B) {
		for b.Loop() {
			for i := range s {
				increment(nil, &s[i])
			}
		}
	})
	for _, workers := range []int{1, 2} {
		for name, opts := range map[string][]pool.LoopOption{
			"default": nil, "MinLen=1024": {pool.MinLen(1024)}, "MaxLen=100": {pool.MaxLen(100)}, "MaxLen=1": {pool.MaxLen(1)},
		} {
			b.Run(fmt.Sprintf("%s/workers=%d", name, workers), func(b *testing.B) {
				b.ReportAllocs()
				benchmarkPool(b, workers, func(b *testing.B, w *pool.Worker) {
					for b.Loop() {
						pool.ForEach(w, s, increment, opts...)
					}
				})
			})
		}
	}
}

// BenchmarkSort sorts a million random numbers, with Sort and with the standard library.
func BenchmarkSort(b *testing.B) {
	const n = 1_000_000
	input := make([]int, n)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range input {
		input[i] = rng.Int()
	}
	s := make([]int, n)
	sorts := map[string]struct {
		sequential func()
		parallel   func(w *pool.Worker)
	}{
		"Sort":           {func() { slices.Sort(s) }, func(w *pool.Worker) { pool.Sort(w, s) }},
		"SortFunc":       {func() { slices.SortFunc(s, cmp.Compare[int]) }, func(w *pool.Worker) { pool.SortFunc(w, s, cmp.Compare[int]) }},
		"SortStableFunc": {func() { slices.SortStableFunc(s, cmp.Compare[int]) }, func(w *pool.Worker) { pool.SortStableFunc(w, s, cmp.Compare[int]) }},
	}
	for _, name := range []string{"Sort", "SortFunc", "SortStableFunc"} {
		b.Run(name+"/slices", func(b *testing.B) {
			for b.Loop() {
				copy(s, input)
				sorts[name].sequential()
			}
		})
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", name, workers), func(b *testing.B) {
				benchmarkPool(b, workers, func(b *testing.B, w *pool.Worker) {
					for b.Loop() {
						copy(s, input)
						sorts[name].parallel(w)
					}
				})
			})
		}
	}
}

// BenchmarkForEachSeq measures the bridge, with bodies that are next to nothing, and
// with bodies of about a microsecond.
func BenchmarkForEachSeq(b *testing.B) {
	const n = 10_000
	var sink atomic.Int64
	for name, rounds := range map[string]int{"cheap": 1, "microsecond": 1000} {
		body := func(_ *pool.Worker, i int) {
			x := uint64(i)
			for range rounds {
				x = x*6364136223846793005 + 1442695040888963407
			}
			if x == 1 {
				sink.Add(1)
			}
		}
		b.Run(name+"/sequential", func(b *testing.B) {
			for b.Loop() {
				for i := range count(n, nil) {
					body(nil, i)
				}
			}
		})
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", name, workers), func(b *testing.B) {
				b.ReportAllocs()
				benchmarkPool(b, workers, func(b *testing.B, w *pool.Worker) {
					for b.Loop() {
						pool.ForEachSeq(w, count(n, nil), body)
					}
				})
			})
		}
	}
}
