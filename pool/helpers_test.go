package pool_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

var background = context.Background()

// newPool makes a pool that the test closes.
func newPool(t testing.TB, workers int, options ...pool.Option) *pool.Pool {
	t.Helper()
	p, err := pool.New(workers, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(background); err != nil {
			t.Error(err)
		}
	})
	return p
}

// each runs a test with pools of one to three workers.
func each(t *testing.T, f func(t *testing.T, p *pool.Pool)) {
	for workers := 1; workers <= 3; workers++ {
		t.Run(fmt.Sprintf("%d workers", workers), func(t *testing.T) { f(t, newPool(t, workers)) })
	}
}

// run runs f in p and fails the test if there is an error.
func run(t testing.TB, p *pool.Pool, f func(w *pool.Worker)) {
	t.Helper()
	if err := p.Run(background, func(w *pool.Worker) error { f(w); return nil }); err != nil {
		t.Error(err)
	}
}

// panicOf calls f and returns what it panics with: nil if it returns.
func panicOf(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// wantPanic fails the test unless v is a *PanicError of that value.
func wantPanic(t testing.TB, v, value any) *pool.PanicError {
	t.Helper()
	e, ok := v.(*pool.PanicError)
	if !ok || e.Value != value {
		t.Errorf("panicked with %v, want a *PanicError of %v", v, value)
		return &pool.PanicError{}
	}
	return e
}

// works fails the test unless every worker of p still does: a broadcast reaches
// them all, and a run that forks comes to its end.
func works(t testing.TB, p *pool.Pool) {
	t.Helper()
	reached := make([]int, p.Workers())
	if err := p.Broadcast(background, func(w *pool.Worker) { reached[w.Index()]++ }); err != nil {
		t.Error(err)
	}
	for i, n := range reached {
		if n != 1 {
			t.Errorf("a broadcast reached worker %d %d times", i, n)
		}
	}
	run(t, p, func(w *pool.Worker) {
		if n := fib(w, 10); n != 55 {
			t.Errorf("fib(10) = %d", n)
		}
	})
}

func fib(w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	var x, y int
	w.Join(
		func(w *pool.Worker) { x = fib(w, n-1) },
		func(w *pool.Worker) { y = fib(w, n-2) })
	return x + y
}

var errTest = errors.New("an error of the test")

// A gate is closed once, by the first that comes to it.
type gate chan struct{}

func newGate() gate  { return make(gate) }
func (g gate) open() { close(g) }
func (g gate) wait() { <-g }
