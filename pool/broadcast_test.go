package pool_test

import (
	"context"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// Catches: a broadcast that misses a worker, reaches one twice, is stolen, or
// returns early.
func TestBroadcast(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		for range 200 {
			reached := make([]int, p.Workers()) // plain: each worker has its own
			err := p.Broadcast(background, func(w *pool.Worker) { reached[w.Index()]++ })
			if err != nil {
				t.Error(err)
			}
			if slices.Min(reached) != 1 || slices.Max(reached) != 1 {
				t.Fatalf("reached %v", reached)
			}
		}
	})
}

// Catches: BUG-31, a worker that falls asleep although its broadcast is there (the test
// hangs), and broadcasts that reach two workers in different orders.
func TestBroadcastsConcurrently(t *testing.T) { each(t, broadcastsConcurrently) }

func broadcastsConcurrently(t *testing.T, p *pool.Pool) {
	const outsiders, rounds = 3, 100
	orders := make([][]int, p.Workers())
	done := newGate()
	var left atomic.Int32
	left.Store(outsiders)
	for i := range outsiders {
		go func() {
			for n := range rounds {
				err := p.Broadcast(background, func(w *pool.Worker) {
					orders[w.Index()] = append(orders[w.Index()], i*rounds+n)
				})
				if err != nil {
					t.Error(err)
				}
			}
			if left.Add(-1) == 0 {
				done.open()
			}
		}()
	}
	done.wait()
	for i := range orders {
		if len(orders[i]) != outsiders*rounds {
			t.Errorf("worker %d got %d broadcasts, want %d", i, len(orders[i]), outsiders*rounds)
		}
		if !slices.Equal(orders[i], orders[0]) {
			t.Errorf("worker %d got the broadcasts in another order than worker 0", i)
		}
	}
}

// Catches: a broadcast job that may not fork, or that is run on another worker's
// deque.
func TestBroadcastJobsFork(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		sums := make([]int, p.Workers())
		if err := p.Broadcast(background, func(w *pool.Worker) { sums[w.Index()] = fib(w, 12) }); err != nil {
			t.Error(err)
		}
		for i, n := range sums {
			if n != 144 {
				t.Errorf("worker %d: fib(12) = %d", i, n)
			}
		}
	})
}

// Catches: a panic of one worker's share that is lost, comes before the others are
// done, or costs the pool a worker.
func TestBroadcastPanics(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		for _, all := range []bool{true, false} {
			var ran atomic.Int32
			v := panicOf(func() {
				_ = p.Broadcast(background, func(w *pool.Worker) {
					ran.Add(1)
					if all || w.Index() == 0 {
						panic("share")
					}
				})
			})
			wantPanic(t, v, "share")
			if n := int(ran.Load()); n != p.Workers() {
				t.Errorf("ran on %d of %d workers", n, p.Workers())
			}
		}
		if err := p.Broadcast(background, func(*pool.Worker) { runtime.Goexit() }); err != pool.ErrGoexit {
			t.Error(err)
		}
		works(t, p)
	})
}

// Catches: a broadcast that waits for its job although its context has ended; one
// that then isn't run; a panic that then goes nowhere.
func TestBroadcastCancelled(t *testing.T) {
	handled := make(chan *pool.PanicError, 3)
	p := newPool(t, 2, pool.WithPanicHandler(func(e *pool.PanicError) { handled <- e }))
	ctx, cancel := context.WithCancel(background)
	until := newGate()
	var ran atomic.Int32
	err := p.Broadcast(ctx, func(w *pool.Worker) {
		cancel()
		until.wait()
		ran.Add(1)
		panic("late")
	})
	if err != context.Canceled {
		t.Error(err)
	}
	until.open()
	wantPanic(t, <-handled, "late")
	works(t, p)
	if ran.Load() != 2 {
		t.Errorf("ran on %d of 2 workers", ran.Load())
	}
	if err := p.Broadcast(ctx, func(*pool.Worker) { t.Error("it ran") }); err != context.Canceled {
		t.Error(err)
	}
	if err := p.Broadcast(background, nil); err != pool.ErrNoFunction {
		t.Error(err)
	}
	if len(handled) != 0 {
		t.Error("one broadcast, more than one panic handled")
	}
}

// Catches: jobs of a broadcast that are left over when the pool closes.
func TestBroadcastThenClose(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		for range 50 {
			p, err := pool.New(workers)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(background)
			var ran atomic.Int32
			err = p.Broadcast(ctx, func(*pool.Worker) { cancel(); ran.Add(1) })
			if err != nil && err != context.Canceled {
				t.Error(err)
			}
			cancel()
			if err := p.Close(background); err != nil {
				t.Error(err)
			}
			if int(ran.Load()) != workers {
				t.Fatalf("ran on %d of %d workers", ran.Load(), workers)
			}
		}
	}
}
