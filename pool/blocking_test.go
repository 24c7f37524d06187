package pool_test

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

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

// blockTogether has that many jobs of a group block until all have begun, and returns the highest
// index of a worker that ran one.
func blockTogether(t *testing.T, p *pool.Pool, jobs int) (highest int) {
	t.Helper()
	g, _ := p.Group(background)
	g.SetBlocking(true)
	var begun sync.WaitGroup
	begun.Add(jobs)
	var most atomic.Int64
	for range jobs {
		g.Go(func(w *pool.Worker) error {
			for i := int64(w.Index()); ; {
				m := most.Load()
				if i <= m || most.CompareAndSwap(m, i) {
					break
				}
			}
			begun.Done()
			begun.Wait()
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		t.Error(err)
	}
	return int(most.Load())
}

// Catches: a bound on jobs that block which nobody has asked for; spares that are made anew for each
// burst.
func TestThousandsBlock(t *testing.T) {
	const jobs = 4096
	p := newPool(t, 2)
	for range 3 {
		if i := blockTogether(t, p, jobs); i >= 2+2*jobs {
			t.Errorf("worker %d ran a job, want one of the spares of the first burst again", i)
		}
	}
	if s := p.Stats(); s.Spares != 3*jobs || s.SparesMissing != 0 {
		t.Errorf("spares were set to work %d times, and missing %d times, want %d and 0", s.Spares, s.SparesMissing, 3*jobs)
	}
}

// Catches: spares that keep their goroutines, that lose them at once, or cannot be used after that; a
// timer that runs on.
func TestSparesEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, err := pool.New(2)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			blockTogether(t, p, 8)
			synctest.Wait()
			if n := p.State().SparesAtRest; n != 8 {
				t.Errorf("%d spares at rest, want 8", n)
			}
			time.Sleep(1500 * time.Millisecond)
			blockTogether(t, p, 3) // needed within the last second
			time.Sleep(1200 * time.Millisecond)
			synctest.Wait()
			if n := p.State().SparesAtRest; n != 3 {
				t.Errorf("%d spares at rest, want 3", n)
			}
			time.Sleep(time.Hour) // at once, since no timer is left but this
			synctest.Wait()
			s := p.State()
			if s.SparesAtRest != 0 || len(s.Workers) != 2 {
				t.Errorf("spares are left:\n%v", s)
			}
		}
		blockTogether(t, p, 5)
		if err := p.Close(background); err != nil { // with spares at rest, whose goroutines would be left in the bubble
			t.Error(err)
		}
	})
}

// Catches: a job that is lost, or waits for ever, where there are no spares for all that block; one
// worker less that is never counted.
func TestMoreBlockThanThereAreSpares(t *testing.T) {
	for _, spares := range []int{0, 1, 3} {
		p := newPool(t, 1, pool.WithSpares(spares))
		g, _ := p.Group(background)
		g.SetBlocking(true)
		var ran atomic.Int64
		for range 100 {
			g.Go(func(w *pool.Worker) error {
				runtime.Gosched()
				inner, _ := p.Group(background)
				inner.SetBlocking(true)
				inner.Go(func(*pool.Worker) error { ran.Add(1); return nil })
				return inner.Wait() // runs it, if nothing else does
			})
		}
		if err := g.Wait(); err != nil || ran.Load() != 100 {
			t.Errorf("%d spares: %d jobs ran, %v", spares, ran.Load(), err)
		}
		if s := p.Stats(); s.Spares+s.SparesMissing < 200 || spares == 0 && s.Spares != 0 {
			t.Errorf("%d spares: set to work %d times, missing %d times", spares, s.Spares, s.SparesMissing)
		}
	}
}

// Catches: a limit that is exceeded, or jobs that are lost, where a spare runs the next job that
// waits for a place, whatever the last one ended by.
func TestSparesRunWhatWaitsForAPlace(t *testing.T) {
	const limit, jobs = 3, 300
	p := newPool(t, 2)
	g, _ := p.Group(background)
	g.SetBlocking(true)
	g.SetLimit(limit)
	var under, most, ran atomic.Int64
	for i := range jobs {
		g.Go(func(w *pool.Worker) error {
			n := under.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			w.Go(func(*pool.Worker) { ran.Add(1) }) // left in the spare's deque
			runtime.Gosched()
			under.Add(-1)
			if ran.Add(1); i%5 == 0 {
				runtime.Goexit()
			}
			return nil
		})
	}
	if err := g.Wait(); err != pool.ErrGoexit {
		t.Errorf("%v, want ErrGoexit", err)
	}
	if err := p.Close(background); err != nil {
		t.Error(err)
	}
	if most.Load() > limit || ran.Load() != 2*jobs {
		t.Errorf("%d jobs at a time, %d jobs ran; want at most %d, and %d", most.Load(), ran.Load(), limit, 2*jobs)
	}
}

// Catches: Close that counts the timer of spares twice, and so returns while a spare's exit handler
// runs.
func TestCloseWaitsForSparesBehindTheirTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var alive atomic.Int64
		p, err := pool.New(2,
			pool.WithStartHandler(func(*pool.Worker) error { alive.Add(1); return nil }),
			pool.WithExitHandler(func(w *pool.Worker) {
				if w.Index() >= 2 {
					time.Sleep(10 * time.Second)
				}
				time.Sleep(2 * time.Second)
				alive.Add(-1)
			}))
		if err != nil {
			t.Fatal(err)
		}
		blockTogether(t, p, 1)
		synctest.Wait() // the spare rests, and the timer runs
		if err := p.Close(background); err != nil {
			t.Error(err)
		}
		if n := alive.Load(); n != 0 {
			t.Errorf("Close has returned, and %d workers have not ended", n)
		}
	})
}
