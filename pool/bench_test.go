package pool_test

import (
	"context"
	"fmt"
	"sync"
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
