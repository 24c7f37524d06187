package pool

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
)

func fib(w *Worker, n int) int {
	if n < 2 {
		return n
	}
	var x, y int
	w.Join(func(w *Worker) { x = fib(w, n-1) }, func(w *Worker) { y = fib(w, n-2) })
	return x + y
}

func TestSmoke(t *testing.T) {
	for _, n := range []int{1, 2, 3, 8} {
		p, err := New(n)
		if err != nil {
			t.Fatal(err)
		}
		var r int
		if err := p.Run(context.Background(), func(w *Worker) error { r = fib(w, 20); return nil }); err != nil {
			t.Fatal(err)
		}
		if r != 6765 {
			t.Fatal(r)
		}
		var c atomic.Int64
		for range 1000 {
			p.Go(func(w *Worker) {
				w.Scope(func(s *Scope) {
					for range 10 {
						s.Go(w, func(w *Worker) { c.Add(1); w.Go(func(w *Worker) { c.Add(1) }) })
					}
				})
			})
		}
		if err := p.Broadcast(context.Background(), func(w *Worker) { c.Add(1) }); err != nil {
			t.Fatal(err)
		}
		if err := p.Run(context.Background(), func(w *Worker) error {
			w.Join(func(*Worker) {}, func(*Worker) { runtime.Goexit() })
			return nil
		}); !errors.Is(err, ErrGoexit) {
			t.Fatal(err)
		}
		if err := p.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		if c.Load() != 20000+int64(n) {
			t.Fatal(c.Load())
		}
		t.Log(p.Stats(), p.State())
	}
}

func BenchmarkFib(b *testing.B) {
	p, _ := New(2)
	defer p.Close(context.Background())
	for b.Loop() {
		p.Run(context.Background(), func(w *Worker) error { fib(w, 20); return nil })
	}
}
