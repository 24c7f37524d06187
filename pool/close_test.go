package pool_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
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

// Catches: jobs that count as not done although they are, since their worker has continued with
// others without running out of work; references that are there for jobs to come.
func TestWhatIsDoneIsNotLeft(t *testing.T) {
	p, err := pool.New(1)
	if err != nil {
		t.Fatal(err)
	}
	first, last, begun := make(chan struct{}), make(chan struct{}), make(chan struct{})
	for _, f := range []func(*pool.Worker){
		func(*pool.Worker) { <-first },
		func(*pool.Worker) {},
		func(*pool.Worker) {},
		func(*pool.Worker) { close(begun); <-last },
	} {
		if err := p.Go(f); err != nil {
			t.Fatal(err)
		}
	}
	close(first)
	<-begun
	if s := p.State(); s.References != 2 {
		t.Errorf("%d references, want the pool's and that of one job: %+v", s.References, s)
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	if err := p.Close(ctx); err == nil || err.Error() != "pool: Close: context canceled: 1 jobs are not done" {
		t.Errorf("Close: %v", err)
	}
	if err := p.Go(func(*pool.Worker) {}); !errors.Is(err, pool.ErrClosed) {
		t.Errorf("Go of a closed pool: %v", err)
	}
	close(last)
	if err := p.Close(background); err != nil {
		t.Error(err)
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

// Every entry with an error, by name: what it returns for a pool that takes nothing.
func entries(p *pool.Pool) map[string]error {
	job := func(*pool.Worker) {}
	_, submitted := pool.Submit(background, p, func(*pool.Worker) (int, error) { return 0, nil }).Wait(background)
	return map[string]error{
		"Run":              p.Run(background, func(*pool.Worker) error { return nil }),
		"Go":               p.Go(job),
		"GoContext":        p.GoContext(background, job),
		"TryGo":            p.TryGo(job),
		"GoN":              p.GoN(3, func(*pool.Worker, int) {}),
		"GoN of none":      p.GoN(0, func(*pool.Worker, int) {}),
		"GoBroadcast":      p.GoBroadcast(job),
		"Broadcast":        p.Broadcast(background, job),
		"InPlaceScope":     p.InPlaceScope(func(*pool.Scope) {}),
		"InPlaceScopeFIFO": p.InPlaceScopeFIFO(func(*pool.Scope) {}),
		"Submit":           submitted,
	}
}

// entriesFrom are those that take the handle of another pool's worker.
func entriesFrom(w *pool.Worker, p *pool.Pool) map[string]error {
	return map[string]error{
		"Worker.Run":          w.Run(p, func(*pool.Worker) error { return nil }),
		"Worker.Broadcast":    w.Broadcast(p, func(*pool.Worker) {}),
		"Worker.InPlaceScope": w.InPlaceScope(p, func(*pool.Scope) {}),
	}
}

func wantAll(t *testing.T, got map[string]error, want error) {
	t.Helper()
	for name, err := range got {
		if err != want {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}

// Catches: an entry that panics, hangs or forgets to say that the pool is closed.
func TestAnyEntryAfterClose(t *testing.T) {
	for _, options := range [][]pool.Option{nil, {pool.WithMaxInjected(1)}} {
		p, err := pool.New(2, options...)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := p.Close(background); err != nil {
				t.Error(err)
			}
			wantAll(t, entries(p), pool.ErrClosed)
			run(t, newPool(t, 1), func(w *pool.Worker) {
				wantAll(t, entriesFrom(w, p), pool.ErrClosed)
				if err := w.Close(background, p); err != nil {
					t.Error(err)
				}
			})
		}
		if s := p.State(); !s.Workers[0].Ended || !s.Workers[1].Ended {
			t.Errorf("after Close:\n%s", s)
		}
	}
}

// Catches: an entry that falls between an open and a closed pool.
func TestAnyEntryDuringClose(t *testing.T) {
	outside := newPool(t, 1)
	for range 30 {
		p := openPool(t, 2)
		var all sync.WaitGroup
		all.Go(func() {
			for name, err := range entries(p) {
				if err != nil && err != pool.ErrClosed {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
		all.Go(func() {
			run(t, outside, func(w *pool.Worker) {
				for name, err := range entriesFrom(w, p) {
					if err != nil && err != pool.ErrClosed {
						t.Errorf("%s: %v", name, err)
					}
				}
			})
		})
		if err := p.Close(background); err != nil {
			t.Error(err)
		}
		all.Wait()
	}
}

// Catches: a Pool that New did not make and that hangs, panics or says nothing
// helpful.
func TestZeroPool(t *testing.T) {
	for _, c := range []struct {
		p    *pool.Pool
		want error
	}{{new(pool.Pool), pool.ErrZeroPool}, {nil, pool.ErrNoPool}} {
		wantAll(t, entries(c.p), c.want)
		run(t, newPool(t, 1), func(w *pool.Worker) {
			wantAll(t, entriesFrom(w, c.p), c.want)
			if err := w.Close(background, c.p); err != c.want {
				t.Error(err)
			}
		})
		if err := c.p.Close(background); err != c.want {
			t.Error(err)
		}
		if n, name, c, s := c.p.Workers(), c.p.Name(), c.p.Counters(), c.p.Stats(); n != 0 || name != "" || c != (sleep.Counters{}) || s != (pool.Stats{}) {
			t.Error(n, name, c, s)
		}
		if s := c.p.State().String(); s != "pool: 0 workers, 0 inactive, 0 sleeping, JEC 0, 0 references\n" {
			t.Errorf("%q", s)
		}
	}
}

// Catches: a Close inside a job that hangs, or that closes nevertheless.
func TestCloseFromInsideAJob(t *testing.T) {
	p, other := newPool(t, 1), openPool(t, 1)
	inside := func(w *pool.Worker) {
		for _, q := range []*pool.Pool{p, other} {
			if err := q.Close(background); !errors.Is(err, pool.ErrInsideJob) {
				t.Errorf("Close: %v", err)
			}
		}
		if err := w.Close(background, p); !errors.Is(err, pool.ErrInsideJob) {
			t.Errorf("Worker.Close of its own pool: %v", err)
		}
	}
	run(t, p, func(w *pool.Worker) {
		inside(w)
		w.Scope(func(s *pool.Scope) { s.Go(w, inside) }) // on top of a wait
		w.Blocking(func() { run(t, p, inside) })         // on a spare
		var deep func(n int)
		deep = func(n int) {
			if n == 0 {
				inside(w)
				return
			}
			deep(n - 1)
		}
		deep(5000)
	})
	if err := p.Run(background, func(*pool.Worker) error { runtime.Goexit(); return nil }); err != pool.ErrGoexit {
		t.Error(err)
	}
	run(t, p, inside) // on the goroutine that took the worker's place
	// A goroutine that a job has started is an outsider; Worker.Close closes others.
	run(t, p, func(w *pool.Worker) {
		closed := make(chan error)
		third := openPool(t, 1)
		go func() { closed <- third.Close(background) }()
		if err := <-closed; err != nil {
			t.Error(err)
		}
		if err := w.Close(background, other); err != nil {
			t.Error(err)
		}
	})
	if err := other.Go(func(*pool.Worker) {}); err != pool.ErrClosed {
		t.Error(err)
	}
}

// Catches: a Worker.Close that blocks its worker, or does not heed its context.
func TestWorkerCloseWorksMeanwhile(t *testing.T) {
	p, other := newPool(t, 1), openPool(t, 1)
	goOn := jam(t, other)
	run(t, p, func(w *pool.Worker) {
		ctx, cancel := context.WithCancel(background)
		w.Go(func(*pool.Worker) { cancel() })
		if err := w.Close(ctx, other); !errors.Is(err, context.Canceled) || err.Error() != "pool: Close: context canceled: 1 jobs are not done" {
			t.Error(err)
		}
		w.Go(func(*pool.Worker) { goOn.open() })
		if err := w.Close(background, other); err != nil {
			t.Error(err)
		}
	})
}
