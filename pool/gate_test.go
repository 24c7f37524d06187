package pool_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// jam makes the workers of a pool busy until the returned gate is opened.
func jam(t *testing.T, p *pool.Pool) gate {
	t.Helper()
	goOn := newGate()
	for range p.Workers() {
		begun := newGate()
		if err := p.Go(func(*pool.Worker) { begun.open(); goOn.wait() }); err != nil {
			t.Fatal(err)
		}
		begun.wait()
	}
	return goOn
}

// Catches: a bound that does not hold, or that is counted wrongly when jobs are
// taken; a caller that waits for ever.
func TestBoundedInjection(t *testing.T) {
	const bound = 3
	p := newPool(t, 2, pool.WithMaxInjected(bound))
	for range 20 {
		goOn := jam(t, p)
		var ran atomic.Int32
		job := func(*pool.Worker) { ran.Add(1) }
		for range bound {
			if err := p.TryGo(job); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.TryGo(job); err != pool.ErrFull {
			t.Errorf("TryGo: %v", err)
		}
		ctx, cancel := context.WithCancel(background)
		cancel()
		if err := p.GoContext(ctx, job); err != context.Canceled {
			t.Errorf("GoContext: %v", err)
		}
		ctx, cancel = context.WithCancel(background)
		ended := make(chan error, 3)
		go func() { ended <- p.GoContext(ctx, job) }()
		go func() { ended <- p.Run(ctx, func(*pool.Worker) error { return errTest }) }()
		go func() {
			_, err := pool.Submit(ctx, p, func(*pool.Worker) (int, error) { return 1, errTest }).Wait(background)
			ended <- err
		}()
		cancel()
		for range 3 {
			if err := <-ended; err != context.Canceled {
				t.Errorf("without room: %v", err)
			}
		}
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				if err := p.Go(job); err != nil {
					t.Error(err)
				}
			})
		}
		all.Go(func() {
			if err := p.GoN(10, func(w *pool.Worker, _ int) { job(w) }); err != nil {
				t.Error(err)
			}
		})
		for p.State().References < 10 { // most of them wait
			runtime.Gosched()
		}
		if n := p.State().Injected; n > bound {
			t.Errorf("%d jobs in the injector", n)
		}
		goOn.open()
		all.Wait()
		if s := quiet(p); s.References != 1 || ran.Load() != bound+20 {
			t.Errorf("%d jobs ran, want %d\n%v", ran.Load(), bound+20, s)
		}
	}
}

// Catches: room that is lost with a job whose context ends: while it is in the
// queue, and while its caller waits for room.
func TestCancelledJobsGiveTheirRoomBack(t *testing.T) {
	nothing := func(*pool.Worker) error { return nil }
	for name, start := range map[string]func(ctx context.Context, p *pool.Pool) error{
		"Run": func(ctx context.Context, p *pool.Pool) error { return p.Run(ctx, nothing) },
		"Submit": func(ctx context.Context, p *pool.Pool) error {
			_, err := pool.Submit(ctx, p, func(w *pool.Worker) (int, error) { return 0, nothing(w) }).Wait(background)
			return err
		},
		"GoContext": func(ctx context.Context, p *pool.Pool) error {
			return p.GoContext(ctx, func(w *pool.Worker) { _ = nothing(w) })
		},
	} {
		for _, full := range []bool{false, true} {
			if name == "GoContext" && !full {
				continue // it has returned, and its context does not matter any more
			}
			t.Run(fmt.Sprintf("%s, full: %v", name, full), func(t *testing.T) {
				p := newPool(t, 1, pool.WithMaxInjected(1))
				goOn := jam(t, p)
				if full {
					if err := p.TryGo(func(*pool.Worker) {}); err != nil {
						t.Error(err)
					}
				}
				before := p.State().References
				ctx, cancel := context.WithCancel(background)
				ended := make(chan error)
				go func() { ended <- start(ctx, p) }()
				for s := p.State(); s.References == before || s.Injected == 0; s = p.State() {
					runtime.Gosched()
				}
				cancel()
				if err := <-ended; err != context.Canceled {
					t.Error(err)
				}
				goOn.open()
				if s := quiet(p); s.References != 1 {
					t.Errorf("%d references, want the pool's own", s.References)
				}
				if err := p.TryGo(func(*pool.Worker) {}); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// Catches: a wait for room that blocks a worker of another pool.
func TestBoundedInjectionFromAnotherPool(t *testing.T) {
	a, b := newPool(t, 1), newPool(t, 1, pool.WithMaxInjected(1))
	goOn := jam(t, b)
	if err := b.TryGo(func(*pool.Worker) {}); err != nil {
		t.Fatal(err)
	}
	run(t, a, func(w *pool.Worker) {
		w.Go(func(*pool.Worker) { goOn.open() }) // runs while w waits for room
		if err := w.Run(b, func(*pool.Worker) error { return errTest }); err != errTest {
			t.Error(err)
		}
	})
}

// Catches: room that is lost when a Goexit ends the wait for it.
func TestBoundedInjectionGoexit(t *testing.T) {
	a, b := newPool(t, 1), newPool(t, 1, pool.WithMaxInjected(1))
	for range 3 {
		goOn := jam(t, b)
		if err := b.TryGo(func(*pool.Worker) {}); err != nil {
			t.Fatal(err)
		}
		err := a.Run(background, func(w *pool.Worker) error {
			w.Go(func(*pool.Worker) { goOn.open(); runtime.Goexit() })
			return w.Run(b, func(*pool.Worker) error { return nil })
		})
		if err != pool.ErrGoexit {
			t.Error(err)
		}
		if s := quiet(b); s.References != 1 {
			t.Errorf("%d references", s.References)
		}
	}
}

// Catches: a Close that loses the waiters for room.
func TestCloseWhileSomebodyWaitsForRoom(t *testing.T) {
	p, err := pool.New(1, pool.WithMaxInjected(1))
	if err != nil {
		t.Fatal(err)
	}
	goOn := jam(t, p)
	var ran atomic.Int32
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			if err := p.Go(func(*pool.Worker) { ran.Add(1) }); err != nil {
				t.Error(err)
			}
		})
	}
	for p.State().References < 7 { // the pool's, the jam's, and five
		runtime.Gosched()
	}
	closed := make(chan error)
	go func() { closed <- p.Close(background) }()
	goOn.open()
	if err := <-closed; err != nil || ran.Load() != 5 {
		t.Errorf("%d ran, %v", ran.Load(), err)
	}
	all.Wait()
}

func TestMaxInjectedMisuse(t *testing.T) {
	if _, err := pool.New(1, pool.WithMaxInjected(0)); err == nil || err.Error() != "pool: WithMaxInjected(0): want 1 or more" {
		t.Error(err)
	}
}

// busyFor computes for about so long.
func busyFor(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		continue
	}
}

// Catches: room that is given to a run which is buried under another one that waits
// for room: its worker comes back to it only when that one has had room.
func TestRunsIntoABoundedPoolUnderLoad(t *testing.T) {
	const goroutines, each = 100, 100
	for _, bound := range []int{1, 4, 8, 16, 64} {
		t.Run(fmt.Sprintf("bound %d", bound), func(t *testing.T) {
			p, q := newPool(t, 4), newPool(t, 2, pool.WithMaxInjected(bound))
			var ran atomic.Int64
			var all sync.WaitGroup
			for range goroutines {
				all.Go(func() {
					for range each {
						err := p.Run(background, func(w *pool.Worker) error {
							return w.Run(q, func(*pool.Worker) error {
								busyFor(10 * time.Microsecond)
								ran.Add(1)
								return nil
							})
						})
						if err != nil {
							t.Error(err)
						}
					}
				})
			}
			all.Wait()
			if n := ran.Load(); n != goroutines*each {
				t.Errorf("%d jobs ran, want %d", n, goroutines*each)
			}
		})
	}
}
