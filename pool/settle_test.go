package pool_test

import (
	"context"
	"runtime"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// A panic that the user recovers leaves joins behind. Whatever was forked must be
// over when the job that forked it is.

// TestJoinWaitsForWhatRecoveredJoinsLeft: an inner Join's b is stolen, its a
// panics, the outer a recovers, and the outer b is stolen, too. The outer Join must
// not return while the inner b runs.
func TestJoinWaitsForWhatRecoveredJoinsLeft(t *testing.T) {
	p := newPool(t, 3)
	var inner, ran bool // plain: the race detector sees a Join that does not wait
	finish, outer := make(chan struct{}), make(chan struct{})
	err := p.Run(background, func(w *pool.Worker) error {
		w.Join(
			func(w *pool.Worker) {
				started := make(chan struct{})
				panicOf(func() {
					w.Join(
						func(*pool.Worker) { <-started; panic("a") },
						func(w *pool.Worker) {
							close(started)
							<-outer
							for range 1000 { // long enough for a Join that does not wait to return
								runtime.Gosched()
							}
							inner = true
							w.Go(func(*pool.Worker) { ran = true })
						})
				})
				close(finish)
			},
			func(*pool.Worker) { <-finish; close(outer) })
		if !inner {
			t.Error("the outer Join returned before the inner b was over")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if err := p.Close(background); err != nil {
		t.Error(err)
	}
	if !ran {
		t.Error("a job of the inner b was lost")
	}
}

// TestJobWaitsForWhatRecoveredJoinsLeft: the same without a Join around it, many
// times in one job: settling must not need a stack frame for each.
func TestJobWaitsForWhatRecoveredJoinsLeft(t *testing.T) {
	p := newPool(t, 2)
	const n = 20000
	var mu sync.Mutex
	ran := 0
	err := p.Run(background, func(w *pool.Worker) error {
		for range n {
			panicOf(func() {
				w.Join(func(*pool.Worker) { panic("a") }, func(*pool.Worker) { mu.Lock(); ran++; mu.Unlock() })
			})
		}
		return nil
	})
	if err != nil || ran != n {
		t.Errorf("%v; %d of %d second halves had run when the job was over", err, ran, n)
	}
}

// TestNilPanicErrorIsAPanic: a typed nil must not look like a normal return.
func TestNilPanicErrorIsAPanic(t *testing.T) {
	p := newPool(t, 1)
	v := panicOf(func() {
		err := p.Run(background, func(*pool.Worker) error { var e *pool.PanicError; panic(e) })
		t.Errorf("Run returned %v", err)
	})
	if e, ok := v.(*pool.PanicError); !ok || e == nil || len(e.Stack) == 0 {
		t.Errorf("Run panicked with %v, want a *PanicError with a stack", v)
	}
}

// TestDroppedRunKeepsNothing: a run, or a future's job, that was dropped stays in the
// injector until a worker comes to it, but what its function holds does not.
func TestDroppedRunKeepsNothing(t *testing.T) {
	t.Run("Run", func(t *testing.T) {
		droppedKeepsNothing(t, func(ctx context.Context, p *pool.Pool, f func()) error {
			return p.Run(ctx, func(*pool.Worker) error { f(); return nil })
		})
	})
	t.Run("Submit", func(t *testing.T) {
		var future *pool.Future[int]
		droppedKeepsNothing(t, func(ctx context.Context, p *pool.Pool, f func()) error {
			future = pool.Submit(ctx, p, func(*pool.Worker) (int, error) { f(); return 0, nil })
			_, err := future.Wait(background)
			return err
		})
		if !future.Ready() { // and keeps it alive up to here
			t.Error("dropped, but not ready")
		}
	})
}

func droppedKeepsNothing(t *testing.T, start func(ctx context.Context, p *pool.Pool, f func()) error) {
	p := newPool(t, 1)
	release, busy := make(chan struct{}), make(chan struct{})
	if err := p.Go(func(*pool.Worker) { close(busy); <-release }); err != nil {
		t.Fatal(err)
	}
	<-busy
	freed := make(chan struct{})
	func() {
		held := new([1 << 16]byte)
		runtime.AddCleanup(held, func(c chan struct{}) { close(c) }, freed)
		ctx, cancel := context.WithCancel(background)
		result := make(chan error)
		go func() { result <- start(ctx, p, func() { held[0]++ }) }()
		for p.State().Injected == 0 {
			runtime.Gosched()
		}
		cancel()
		if err := <-result; err != context.Canceled {
			t.Errorf("it returned %v, want %v", err, context.Canceled)
		}
	}()
	for done := false; !done; {
		runtime.GC() // the test binary's timeout is the net
		select {
		case <-freed:
			done = true
		default:
			runtime.Gosched()
		}
	}
	close(release)
}
