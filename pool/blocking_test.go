package pool_test

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// Catches: a worker that blocks and takes its pool with it.
func TestBlockingInAPoolOfOne(t *testing.T) {
	p := newPool(t, 1)
	run(t, p, func(w *pool.Worker) {
		done := newGate()
		by := -1
		w.Go(func(w *pool.Worker) { by = w.Index(); done.open() })
		w.Blocking(func() { done.wait() })
		if by != 1 {
			t.Errorf("worker %d ran the job, want the spare, worker 1", by)
		}
		// A job that comes from outside only now.
		w.Blocking(func() {
			if err := p.Run(background, func(w *pool.Worker) error { by = 10 * w.Index(); return nil }); err != nil || by < 10 {
				t.Error(by, err)
			}
		})
	})
}

// Catches: a nested call that starts another spare; a panic or Goexit that
// leaves the worker marked as blocking, or its spare at work.
func TestBlockingEnds(t *testing.T) {
	p := newPool(t, 1, pool.WithSpares(1))
	run(t, p, func(w *pool.Worker) {
		w.Blocking(func() {
			w.Blocking(func() {})
			// Still within the outer one: the only spare is in use, and works.
			done := newGate()
			w.Go(func(*pool.Worker) { done.open() })
			done.wait()
		})
		if v := panicOf(func() { w.Blocking(func() { panic("blocked") }) }); v != "blocked" {
			t.Errorf("panicked with %v", v)
		}
	})
	for range 3 { // each needs the spare again, as soon as it is back
		run(t, p, func(w *pool.Worker) {
			done := newGate()
			w.Go(func(*pool.Worker) { done.open() })
			for quiet := false; !quiet; {
				w.Blocking(func() {
					select {
					case <-done:
						quiet = true
					default: // no spare this time: the last one is still on its way out
						runtime.Gosched() // or the one that was started has no turn before this returns
					}
				})
			}
		})
		if err := p.Run(background, func(w *pool.Worker) error { w.Blocking(runtime.Goexit); return nil }); err != pool.ErrGoexit {
			t.Error(err)
		}
	}
	if s := quiet(p); len(s.Workers) != 1 {
		t.Errorf("a spare is left:\n%v", s)
	}
}

// Catches: more spares than allowed; one that is not given back.
func TestSparesAreBounded(t *testing.T) {
	const spares = 3
	p := newPool(t, 2, pool.WithSpares(spares))
	var most, sum atomic.Int64
	run(t, p, func(w *pool.Worker) {
		w.Scope(func(s *pool.Scope) {
			for range 200 {
				s.Go(w, func(w *pool.Worker) {
					for i := int64(w.Index()); ; {
						m := most.Load()
						if i <= m || most.CompareAndSwap(m, i) {
							break
						}
					}
					w.Blocking(func() { sum.Add(int64(fibSlow(12))) })
				})
			}
		})
	})
	if i := most.Load(); i >= 2+spares {
		t.Errorf("worker %d, want below %d", i, 2+spares)
	}
	if got, want := sum.Load(), int64(200*144); got != want {
		t.Errorf("the jobs made %d, want %d", got, want)
	}
}

func fibSlow(n int) int {
	if n < 2 {
		return n
	}
	return fibSlow(n-1) + fibSlow(n-2)
}

// Catches: jobs that a spare leaves in its deque when it ends.
func TestSpareLeavesItsJobsToOthers(t *testing.T) {
	p := newPool(t, 1, pool.WithSpares(1))
	var done sync.WaitGroup
	run(t, p, func(w *pool.Worker) {
		began, over := newGate(), newGate()
		done.Add(101)
		w.Go(func(w *pool.Worker) { // on the spare
			began.open()
			over.wait()
			for range 100 {
				w.GoFIFO(func(*pool.Worker) { done.Done() })
			}
			done.Done()
		})
		w.Blocking(func() { began.wait() })
		over.open()
	})
	done.Wait()
}

func TestBlockingMisuse(t *testing.T) {
	if _, err := pool.New(1, pool.WithSpares(-1)); err == nil || !strings.Contains(err.Error(), "WithSpares(-1): want 0 or more") {
		t.Errorf("WithSpares(-1): %v", err)
	}
	p := newPool(t, 1)
	wantPanic(t, panicOf(func() { run(t, p, func(w *pool.Worker) { w.Blocking(nil) }) }), pool.ErrNoFunction)
}
