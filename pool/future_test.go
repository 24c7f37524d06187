package pool_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

func answer(*pool.Worker) (int, error) { return 42, errTest }

// Catches: a result, or an error, that does not arrive; a second waiter that gets
// nothing.
func TestFuture(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		f := pool.Submit(background, p, answer)
		for range 2 {
			if v, err := f.Wait(background); v != 42 || err != errTest || !f.Ready() {
				t.Errorf("%d, %v", v, err)
			}
		}
		<-f.Done()
		run(t, p, func(w *pool.Worker) {
			if v, err := f.Await(w); v != 42 || err != errTest {
				t.Errorf("%d, %v", v, err)
			}
			if err := w.Wait(f); err != errTest {
				t.Error(err)
			}
			g := pool.Spawn(w, answer)
			if v, err := g.Await(w); v != 42 || err != errTest {
				t.Errorf("%d, %v", v, err)
			}
		})
	})
}

// Catches: waiters of any kind that are not woken.
func TestFutureManyWaiters(t *testing.T) {
	p, other := newPool(t, 2), newPool(t, 2)
	for range 50 {
		begun, goOn := newGate(), newGate()
		f := pool.Submit(background, p, func(*pool.Worker) (int, error) { begun.open(); goOn.wait(); return 7, nil })
		begun.wait()
		var all sync.WaitGroup
		var sum atomic.Int64
		for range 3 {
			all.Go(func() {
				v, _ := f.Wait(background)
				sum.Add(int64(v))
			})
			all.Go(func() { <-f.Done(); sum.Add(7) })
			for _, in := range []*pool.Pool{p, other} {
				all.Go(func() {
					run(t, in, func(w *pool.Worker) {
						v, _ := f.Await(w)
						sum.Add(int64(v))
					})
				})
			}
		}
		goOn.open()
		all.Wait()
		if sum.Load() != 12*7 {
			t.Fatalf("sum %d, want %d", sum.Load(), 12*7)
		}
	}
}

// Catches: a job that runs again when its queue comes to it after a waiter has
// run it, or while it does.
func TestFutureRunsOnce(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		for range 200 {
			var ran, waits atomic.Int32
			futures := make([]*pool.Future[int], 8)
			for i := range futures {
				futures[i] = pool.Submit(background, p, func(*pool.Worker) (int, error) { ran.Add(1); return i, nil })
			}
			run(t, p, func(w *pool.Worker) {
				w.Scope(func(s *pool.Scope) {
					for range 2 {
						s.Go(w, func(w *pool.Worker) {
							for i, f := range futures {
								if v, err := f.Await(w); v != i || err != nil {
									t.Errorf("future %d: %d, %v", i, v, err)
								}
								waits.Add(1)
							}
						})
					}
				})
			})
			if ran.Load() != 8 || waits.Load() != 16 {
				t.Fatalf("%d jobs ran, %d waits", ran.Load(), waits.Load())
			}
		}
		if s := quiet(p); s.References != 1 {
			t.Errorf("%d references", s.References)
		}
	})
}

func TestFutureOfWhatCannotStart(t *testing.T) {
	p := openPool(t, 1)
	cancelled, cancel := context.WithCancel(background)
	cancel()
	none := func(*pool.Worker) (int, error) { t.Error("ran"); return 0, nil }
	for name, c := range map[string]struct {
		f    *pool.Future[int]
		want error
	}{
		"cancelled":   {pool.Submit(cancelled, p, none), context.Canceled},
		"no pool":     {pool.Submit(background, nil, none), pool.ErrNoPool},
		"zero pool":   {pool.Submit(background, new(pool.Pool), none), pool.ErrZeroPool},
		"no function": {pool.Submit[int](background, p, nil), pool.ErrNoFunction},
	} {
		if _, err := c.f.Wait(background); err != c.want || !c.f.Ready() {
			t.Errorf("%s: %v", name, err)
		}
	}
	run(t, p, func(w *pool.Worker) {
		if _, err := pool.Spawn[int](w, nil).Await(w); err != pool.ErrNoFunction {
			t.Error(err)
		}
	})
	if err := p.Close(background); err != nil {
		t.Error(err)
	}
	if _, err := pool.Submit(background, p, none).Wait(background); err != pool.ErrClosed {
		t.Error(err)
	}
}

func TestFutureCancelWhileQueued(t *testing.T) {
	p := newPool(t, 1)
	ctx, cancel := context.WithCancel(background)
	busy, goOn := newGate(), newGate()
	if err := p.Go(func(*pool.Worker) { busy.open(); goOn.wait() }); err != nil {
		t.Fatal(err)
	}
	busy.wait()
	f := pool.Submit(ctx, p, func(*pool.Worker) (int, error) { t.Error("ran"); return 1, nil })
	cancel()
	if _, err := f.Wait(background); err != context.Canceled {
		t.Error(err)
	}
	goOn.open()
	if s := quiet(p); s.References != 1 || s.Injected != 0 {
		t.Errorf("left behind:\n%v", s)
	}
}

func TestFutureCancelWhileRunning(t *testing.T) {
	p := newPool(t, 1)
	ctx, cancel := context.WithCancel(background)
	begun, goOn := newGate(), newGate()
	f := pool.Submit(ctx, p, func(*pool.Worker) (int, error) { begun.open(); goOn.wait(); return 3, nil })
	begun.wait()
	cancel()
	if _, err := f.Wait(ctx); err != context.Canceled || f.Ready() {
		t.Errorf("the wait of a context that has ended: %v", err)
	}
	goOn.open()
	if v, err := f.Wait(background); v != 3 || err != nil {
		t.Errorf("it did not run on: %d, %v", v, err)
	}
}

// Catches: a panic that is lost, or reaches one waiter only; a Goexit that does.
func TestFuturePanicAndGoexit(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		f := pool.Submit(background, p, func(*pool.Worker) (int, error) { panic("future") })
		for range 2 {
			wantPanic(t, panicOf(func() { _, _ = f.Wait(background) }), "future")
		}
		run(t, p, func(w *pool.Worker) {
			wantPanic(t, panicOf(func() { _ = w.Wait(f) }), "future")
			g := pool.Spawn(w, func(*pool.Worker) (int, error) { panic("spawned") })
			wantPanic(t, panicOf(func() { _, _ = g.Await(w) }), "spawned")
		})
		f = pool.Submit(background, p, func(*pool.Worker) (int, error) { runtime.Goexit(); return 1, nil })
		if _, err := f.Wait(background); err != pool.ErrGoexit {
			t.Error(err)
		}
		// The waiter runs it itself: both end.
		var g *pool.Future[int]
		err := p.Run(background, func(w *pool.Worker) error {
			g = pool.Spawn(w, func(*pool.Worker) (int, error) { runtime.Goexit(); return 1, nil })
			return w.Wait(g)
		})
		if err != pool.ErrGoexit {
			t.Error(err)
		}
		if _, err := g.Wait(background); err != pool.ErrGoexit {
			t.Error(err)
		}
		works(t, p)
	})
}

// Catches: an isolated wait that depends on a queue which it does not look at.
func TestFutureIsolated(t *testing.T) {
	p := newPool(t, 1, pool.WithSpares(0))
	run(t, p, func(w *pool.Worker) {
		w.Isolated(func(w *pool.Worker) {
			f := pool.Submit(background, p, answer)
			if v, err := f.Await(w); v != 42 || err != errTest {
				t.Errorf("%d, %v", v, err)
			}
		})
	})
}

// Catches: a wait whose latch belongs to the wrong pool.
func TestFutureOfAnotherPool(t *testing.T) {
	a, b := newPool(t, 1), newPool(t, 1)
	for range 50 {
		run(t, a, func(w *pool.Worker) {
			f := pool.Submit(background, b, func(w *pool.Worker) (int, error) {
				return pool.Submit(background, a, answer).Await(w)
			})
			if v, err := f.Await(w); v != 42 || !errors.Is(err, errTest) {
				t.Errorf("%d, %v", v, err)
			}
		})
	}
}

// Catches: a job that begins after its context has ended, before the goroutine that watches
// that has seen it.
func TestFutureNeverBeginsAfterItsContext(t *testing.T) {
	p := newPool(t, 1) // another worker might be faster than the second cancel
	late := func(*pool.Worker) (int, error) { t.Error("it began"); return 1, nil }
	for range 100 {
		goOn := jam(t, p)
		ctx, cancel := context.WithCancel(background)
		queued := pool.Submit(ctx, p, late)
		cancel()
		goOn.open()
		if v, err := queued.Wait(background); v != 0 || err != context.Canceled {
			t.Errorf("%d, %v", v, err)
		}
		run(t, p, func(w *pool.Worker) {
			ctx, cancel := context.WithCancel(background)
			f := pool.Submit(ctx, p, late)
			cancel()
			if v, err := f.Await(w); v != 0 || err != context.Canceled {
				t.Errorf("%d, %v", v, err)
			}
		})
	}
}

// Catches: jobs that their waiters have run themselves, and that stay in the deque
// until the worker runs out of work.
func TestAwaitedFuturesLeaveNothing(t *testing.T) {
	p := newPool(t, 1)
	run(t, p, func(w *pool.Worker) {
		for i := range 100 {
			if v, err := pool.Spawn(w, func(*pool.Worker) (int, error) { return i, nil }).Await(w); v != i || err != nil {
				t.Errorf("%d, %v", v, err)
			}
		}
		if s := p.State(); s.Workers[0].Jobs != 0 || s.References != 2 {
			t.Errorf("left behind:\n%v", s)
		}
	})
	if s := quiet(p); s.References != 1 {
		t.Errorf("%d references", s.References)
	}
}

// A watched context never ends, and counts its watchers.
type watched struct {
	context.Context
	watchers atomic.Int32
}

func (c *watched) Done() <-chan struct{} { return make(chan struct{}) }

func (c *watched) AfterFunc(func()) (stop func() bool) {
	c.watchers.Add(1)
	return func() bool { c.watchers.Add(-1); return true }
}

// Catches: jobs and waits that watch their context for ever: a context that lives as
// long as the process would remember each of them.
func TestNobodyWatchesInTheEnd(t *testing.T) {
	for _, options := range [][]pool.Option{nil, {pool.WithMaxInjected(1)}} {
		p := newPool(t, 1, options...)
		ctx := &watched{Context: background}
		for range 3 {
			f := pool.Submit(ctx, p, answer)
			if v, err := f.Wait(ctx); v != 42 || err != errTest {
				t.Errorf("%d, %v", v, err)
			}
			if err := p.Run(ctx, func(*pool.Worker) error { return errTest }); err != errTest {
				t.Error(err)
			}
			if err := p.Broadcast(ctx, func(*pool.Worker) {}); err != nil {
				t.Error(err)
			}
			if err := p.GoContext(ctx, func(*pool.Worker) {}); err != nil {
				t.Error(err)
			}
		}
		if err := p.Close(ctx); err != nil {
			t.Error(err)
		}
		if n := ctx.watchers.Load(); n != 0 {
			t.Errorf("%d still watch", n)
		}
	}
}
