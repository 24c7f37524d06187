package pool_test

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// openPool makes a pool that the test closes itself.
func openPool(t *testing.T, workers int) *pool.Pool {
	t.Helper()
	p, err := pool.New(workers)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Catches: a Close that returns before all is done: jobs from outside, those that
// they start, and those that these start.
func TestCloseDrains(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		for range 30 {
			p := openPool(t, workers)
			var ran atomic.Int32
			var grow func(w *pool.Worker, depth int)
			grow = func(w *pool.Worker, depth int) {
				ran.Add(1)
				for range 2 {
					if depth > 0 {
						w.Go(func(w *pool.Worker) { grow(w, depth-1) })
					}
				}
			}
			for range 3 {
				if err := p.Go(func(w *pool.Worker) { grow(w, 5) }); err != nil {
					t.Error(err)
				}
			}
			if err := p.Close(background); err != nil {
				t.Error(err)
			}
			if n := ran.Load(); n != 3*63 {
				t.Fatalf("%d workers: %d jobs ran before Close returned, want %d", workers, n, 3*63)
			}
			if s := p.State(); s.References != 0 || !s.Closing || s.Injected != 0 {
				t.Errorf("afterwards:\n%s", s)
			}
		}
	}
}

// Catches: a second Close that fails, blocks, or returns before the first.
func TestCloseTwiceAndConcurrently(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		p := openPool(t, workers)
		until := newGate()
		var done atomic.Bool
		if err := p.Go(func(*pool.Worker) { until.wait(); done.Store(true) }); err != nil {
			t.Error(err)
		}
		const closers = 4
		results := make(chan error, closers)
		for range closers {
			go func() {
				err := p.Close(background)
				if !done.Load() {
					t.Error("Close has returned before the job was done")
				}
				results <- err
			}()
		}
		until.open()
		for range closers {
			if err := <-results; err != nil {
				t.Error(err)
			}
		}
		ended, cancel := context.WithCancel(background)
		cancel()
		if err := p.Close(ended); err != nil {
			t.Errorf("all is done, so the context doesn't matter: %v", err)
		}
	}
}

// Catches: a Close that ignores its context, does not say what is left, or gives
// up closing.
func TestCloseWithEndedContext(t *testing.T) {
	p := openPool(t, 1)
	until := newGate()
	occupy(t, p, until)
	if err := p.Go(func(*pool.Worker) {}); err != nil {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(background)
	cancel()
	for range 3 { // the pool gives its own reference back once
		err := p.Close(ended)
		if !errors.Is(err, context.Canceled) || err.Error() != "pool: Close: context canceled: 2 jobs are not done" {
			t.Errorf("%v", err)
		}
	}
	if err := p.Go(func(*pool.Worker) { t.Error("it ran") }); err != pool.ErrClosed {
		t.Errorf("it is closing all the same: %v", err)
	}
	until.open()
	if err := p.Close(background); err != nil {
		t.Error(err)
	}
}

// Catches: an entry that takes a job after Close, which nobody would run.
func TestEntriesAfterClose(t *testing.T) {
	p := openPool(t, 2)
	if err := p.Close(background); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"Run":       p.Run(background, func(*pool.Worker) error { t.Error("Run ran"); return nil }),
		"Go":        p.Go(func(*pool.Worker) { t.Error("Go ran") }),
		"Broadcast": p.Broadcast(background, func(*pool.Worker) { t.Error("Broadcast ran") }),
	} {
		if err != pool.ErrClosed {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s := p.State(); !s.Workers[0].Ended || !s.Workers[1].Ended {
		t.Errorf("after Close:\n%s", s)
	}
}

// Catches: a job that is neither run nor refused because it came together with
// Close; a reference that is lost: Close would hang.
func TestCloseRacesWithEntries(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		for range 100 {
			p := openPool(t, workers)
			var taken, ran atomic.Int32
			done := make(chan bool)
			for range 2 {
				go func() {
					for range 10 {
						switch err := p.Go(func(w *pool.Worker) { w.Go(func(*pool.Worker) { ran.Add(1) }) }); err {
						case nil:
							taken.Add(1)
						case pool.ErrClosed:
						default:
							t.Error(err)
						}
						runtime.Gosched()
					}
					done <- true
				}()
			}
			if err := p.Close(background); err != nil {
				t.Error(err)
			}
			<-done
			<-done
			if taken.Load() != ran.Load() {
				t.Fatalf("%d workers: %d jobs taken, %d run", workers, taken.Load(), ran.Load())
			}
		}
	}
}

// Catches: a pool without New, on which an entry would block for ever.
func TestZeroPool(t *testing.T) {
	var p pool.Pool
	if err := p.Go(func(*pool.Worker) {}); err != pool.ErrClosed {
		t.Error(err)
	}
	if err := p.Run(background, func(*pool.Worker) error { return nil }); err != pool.ErrClosed {
		t.Error(err)
	}
	if err := p.Broadcast(background, func(*pool.Worker) {}); err != pool.ErrClosed {
		t.Error(err)
	}
	if err := p.Close(background); err != nil {
		t.Error(err)
	}
	if s := p.State(); len(s.Workers) != 0 || p.Counters().Inactive != 0 || p.Stats() != (pool.Stats{}) {
		t.Errorf("a pool that New did not make is in state %v", s)
	}
}
