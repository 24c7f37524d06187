package pool_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// Catches: a Run that returns early, loses the error or the handle.
func TestRun(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		ran := 0 // plain: Run orders it, which the race detector checks
		for range 100 {
			err := p.Run(background, func(w *pool.Worker) error {
				if w.Pool() != p || w.Index() < 0 || w.Index() >= p.Workers() {
					t.Errorf("worker %d of %p", w.Index(), w.Pool())
				}
				ran++
				return errTest
			})
			if err != errTest {
				t.Errorf("%v, want %v", err, errTest)
			}
		}
		if ran != 100 {
			t.Errorf("ran %d times", ran)
		}
	})
}

// Catches: a Run without a job, or with an ended context, that does anything at
// all.
func TestRunRefuses(t *testing.T) {
	p := newPool(t, 1)
	ended, cancel := context.WithCancelCause(background)
	cancel(errTest)
	if err := p.Run(background, nil); err != pool.ErrNoFunction {
		t.Error(err)
	}
	err := p.Run(ended, func(*pool.Worker) error { t.Error("it ran"); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if s := p.State(); s.References != 1 {
		t.Errorf("%d references, want the pool's own", s.References)
	}
}

// occupy keeps the only worker of p busy until the gate is opened, and returns
// when it is.
func occupy(t *testing.T, p *pool.Pool, until gate) {
	t.Helper()
	busy := newGate()
	if err := p.Go(func(*pool.Worker) { busy.open(); until.wait() }); err != nil {
		t.Fatal(err)
	}
	busy.wait()
}

// Catches: a Run that waits on although its context has ended, or whose function
// runs although the caller was notified that it was dropped.
func TestRunCancelledWhileQueued(t *testing.T) {
	p := newPool(t, 1)
	until := newGate()
	occupy(t, p, until)
	ctx, cancel := context.WithCancel(background)
	result := make(chan error)
	go func() { result <- p.Run(ctx, func(*pool.Worker) error { t.Error("it ran"); return nil }) }()
	for p.State().Injected == 0 {
		runtime.Gosched()
	}
	cancel()
	if err := <-result; err != context.Canceled {
		t.Error(err)
	}
	until.open()
	works(t, p)
	if s := quiet(p); s.References != 1 {
		t.Errorf("%d references, want the pool's own", s.References)
	}
}

// Catches: a Run that waits for a function that has begun although its context
// has ended, and one that stops that function. What it panics with afterwards
// goes to the handler.
func TestRunCancelledWhileRunning(t *testing.T) {
	for _, panics := range []bool{false, true} {
		handled := make(chan *pool.PanicError, 1)
		p := newPool(t, 1, pool.WithPanicHandler(func(e *pool.PanicError) { handled <- e }))
		ctx, cancel := context.WithCancel(background)
		until, done := newGate(), newGate()
		err := p.Run(ctx, func(*pool.Worker) error {
			defer done.open()
			cancel()
			until.wait()
			if panics {
				panic("late")
			}
			return errTest
		})
		if err != context.Canceled {
			t.Error(err)
		}
		until.open()
		done.wait()
		if panics {
			wantPanic(t, <-handled, "late")
		}
		works(t, p)
		if len(handled) != 0 {
			t.Errorf("the handler got %v", <-handled)
		}
	}
}

// Catches: a run that begins after its context has ended, before its waiter has seen
// that.
func TestRunNeverBeginsAfterItsContext(t *testing.T) {
	p := newPool(t, 1)
	for range 100 {
		ctx, cancel := context.WithCancel(background)
		busy, goOn := newGate(), newGate()
		if err := p.Go(func(*pool.Worker) { busy.open(); goOn.wait(); cancel() }); err != nil {
			t.Fatal(err)
		}
		busy.wait()
		result := make(chan error)
		go func() {
			result <- p.Run(ctx, func(*pool.Worker) error { t.Error("it began"); return nil })
		}()
		for p.State().Injected == 0 {
			runtime.Gosched()
		}
		goOn.open()
		if err := <-result; err != context.Canceled {
			t.Error(err)
		}
	}
}

// Catches: a context that can end but doesn't, and leaves something behind (the
// leak check sees it), or that ends at the same time as the job.
func TestRunCancelledAtTheEnd(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		var begun, ended atomic.Int32
		for range 300 {
			ctx, cancel := context.WithCancel(background)
			ran := false
			go cancel()
			err := p.Run(ctx, func(*pool.Worker) error { begun.Add(1); ran = true; ended.Add(1); return nil })
			switch {
			case err == nil && !ran:
				t.Error("no error, but it has not run")
			case err != nil && err != context.Canceled:
				t.Error(err)
			}
			cancel()
			if err != nil {
				works(t, p) // an abandoned one may run on: ran is not ours until then
			}
		}
		if begun.Load() != ended.Load() {
			t.Errorf("%d began, %d ended", begun.Load(), ended.Load())
		}
	})
}

func explode() { panic(errTest) }

// Catches: a panic that ends the worker, is lost, comes without the stack of the
// job, or hides the error that it was.
func TestRunPanics(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		e := wantPanic(t, panicOf(func() { run(t, p, func(*pool.Worker) { explode() }) }), errTest)
		if !strings.Contains(string(e.Stack), "pool_test.explode") {
			t.Errorf("the stack does not name the function that panicked:\n%s", e.Stack)
		}
		if !errors.Is(e, errTest) {
			t.Error("errors.Is does not find the error in the panic")
		}
		if text := e.Error(); !strings.HasPrefix(text, errTest.Error()+"\n") || !strings.Contains(text, "pool_test.explode") {
			t.Errorf("the text: %s", text)
		}
		wantPanic(t, panicOf(func() { run(t, p, func(*pool.Worker) { panic(42) }) }), 42)
		if (&pool.PanicError{Value: 42}).Unwrap() != nil {
			t.Error("42 is no error")
		}
		works(t, p)
	})
}

// Catches: a Goexit that takes a worker with it, or leaves Run waiting.
func TestRunGoexit(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		for range 10 {
			err := p.Run(background, func(*pool.Worker) error { runtime.Goexit(); return nil })
			if err != pool.ErrGoexit {
				t.Error(err)
			}
		}
		works(t, p)
	})
}

// Catches: runs from many goroutines at once of which one is lost or gets
// another's result.
func TestRunConcurrently(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		const outsiders, rounds = 4, 200
		done := make(chan int)
		for range outsiders {
			go func() {
				sum := 0
				for n := range rounds {
					run(t, p, func(w *pool.Worker) { sum += fib(w, n%5) })
				}
				done <- sum
			}()
		}
		want := rounds / 5 * (0 + 1 + 1 + 2 + 3)
		for range outsiders {
			if sum := <-done; sum != want {
				t.Errorf("%d, want %d", sum, want)
			}
		}
	})
}
