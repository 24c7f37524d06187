package pool_test

import (
	"context"
	"errors"
	"regexp"
	"runtime"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// Each of these waits would never return: a test that does not detect it does not end.

// wantDeadlock fails the test unless err is a *DeadlockError of that entry that says all
// this of the jobs.
func wantDeadlock(t *testing.T, err error, entry, says string) {
	t.Helper()
	var e *pool.DeadlockError
	if !errors.As(err, &e) || e.Entry != entry {
		t.Errorf("%s: %v, want a *DeadlockError", entry, err)
		return
	}
	if !regexp.MustCompile(says).MatchString(e.Error()) {
		t.Errorf("%v\nwant %s", e, says)
	}
}

// suspended runs f in a pool of one as a job of its own, on top of which top runs.
func suspended(w *pool.Worker, top func(w *pool.Worker)) {
	w.Scope(func(s *pool.Scope) { s.Go(w, top) })
}

func TestAwaitOfTheJobBeneath(t *testing.T) {
	p := newPool(t, 1, pool.WithName("x"))
	var f *pool.Future[int]
	begin := newGate()
	f = pool.Submit(background, p, func(w *pool.Worker) (int, error) { // the job beneath: func1
		begin.wait()
		suspended(w, func(w *pool.Worker) {
			suspended(w, func(w *pool.Worker) { // the job on top: func1.1.1
				_, err := f.Await(w)
				wantDeadlock(t, err, "Future.Await", `^pool: Future.Await in \S+TestAwaitOfTheJobBeneath\S+1\.1\S* \(deadlock_test.go:\d+\) would never return: \S+TestAwaitOfTheJobBeneath\.func1 \(deadlock_test.go:\d+\), suspended beneath it on worker 0 of x, is the job that it waits for; want `)
				wantDeadlock(t, w.Wait(f), "Worker.Wait", "is the job that it waits for")
				w.Blocking(func() {
					_, err := f.Wait(background)
					wantDeadlock(t, err, "Future.Wait", "is the job that it waits for")
				})
			})
		})
		return 7, nil
	})
	begin.open()
	if n, err := f.Wait(background); n != 7 || err != nil {
		t.Errorf("%d, %v: the job beneath continues", n, err)
	}
	works(t, p)
}

// Also if the waiter runs the job itself, and if the job waits for itself.
func TestAwaitOfTheJobItself(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		run(t, p, func(w *pool.Worker) {
			var f *pool.Future[int]
			f = pool.Spawn(w, func(w *pool.Worker) (int, error) {
				_, err := f.Await(w)
				wantDeadlock(t, err, "Future.Await", `^pool: Future.Await in \S+TestAwaitOfTheJobItself\S+ \(deadlock_test.go:\d+\) would never return: that job itself, on worker \d, is the job that it waits for$`)
				return 7, nil
			})
			if n, err := f.Await(w); n != 7 || err != nil {
				t.Error(n, err)
			}
		})
	})
}

// What runs on top of jobs that are over, by a Goexit as well, waits for others as before.
func TestAwaitAboveJobsThatAreOver(t *testing.T) {
	p := newPool(t, 1)
	over := pool.Submit(background, p, func(w *pool.Worker) (int, error) {
		suspended(w, func(*pool.Worker) { runtime.Goexit() })
		return 0, nil
	})
	if _, err := over.Wait(background); err != pool.ErrGoexit {
		t.Error(err)
	}
	run(t, p, func(w *pool.Worker) {
		suspended(w, func(w *pool.Worker) {
			if _, err := over.Await(w); err != pool.ErrGoexit {
				t.Error(err)
			}
			f := pool.Spawn(w, func(*pool.Worker) (int, error) { return 7, nil })
			if n, err := f.Await(w); n != 7 || err != nil {
				t.Error(n, err)
			}
		})
	})
}

// closedOnTop has a job of q wait until one on top of it has tried to close p.
func closedOnTop(t *testing.T, w *pool.Worker, p *pool.Pool) {
	t.Helper()
	suspended(w, func(w *pool.Worker) {
		wantDeadlock(t, w.Close(background, p), "Worker.Close", "never return: .+, suspended beneath it on worker 0, is a job that the other pool waits for")
	})
}

// The ways in which a worker of p waits for a job of q, on top of which another closes p.
var waysToWaitForAnotherPool = map[string]func(t *testing.T, w *pool.Worker, q *pool.Pool){
	"Run": func(t *testing.T, w *pool.Worker, q *pool.Pool) {
		p := w.Pool()
		if err := w.Run(q, func(w *pool.Worker) error { closedOnTop(t, w, p); return nil }); err != nil {
			t.Error(err)
		}
	},
	"Broadcast": func(t *testing.T, w *pool.Worker, q *pool.Pool) {
		p := w.Pool()
		if err := w.Broadcast(q, func(w *pool.Worker) { closedOnTop(t, w, p) }); err != nil {
			t.Error(err)
		}
	},
	"InPlaceScope": func(t *testing.T, w *pool.Worker, q *pool.Pool) {
		p := w.Pool()
		err := w.InPlaceScope(q, func(s *pool.Scope) {
			s.Go(nil, func(w *pool.Worker) { closedOnTop(t, w, p) })
			s.GoN(nil, 2, func(w *pool.Worker, _ int) { closedOnTop(t, w, p) })
		})
		if err != nil {
			t.Error(err)
		}
	},
	"Await": func(t *testing.T, w *pool.Worker, q *pool.Pool) {
		p, waits := w.Pool(), newGate()
		f := pool.Submit(background, q, func(w *pool.Worker) (int, error) {
			waits.wait()
			closedOnTop(t, w, p)
			return 1, nil
		})
		go func() {
			for p.State().Workers[w.Index()].WaitsFor != "a future" {
				runtime.Gosched()
			}
			waits.open()
		}()
		if _, err := f.Await(w); err != nil {
			t.Error(err)
		}
	},
}

func TestCloseOnTopOfWhatTheOtherPoolWaitsFor(t *testing.T) {
	for name, wait := range waysToWaitForAnotherPool {
		t.Run(name, func(t *testing.T) {
			p, q := newPool(t, 1), newPool(t, 1)
			run(t, p, func(w *pool.Worker) { wait(t, w, q) })
			if err := p.Run(background, func(*pool.Worker) error { return nil }); err != pool.ErrClosed {
				t.Errorf("%v: the pool continues to close", err)
			}
			works(t, q)
		})
	}
}

// A scope in another pool keeps that open until the job on top of it is over.
func TestCloseOnTopOfAScopeInThatPool(t *testing.T) {
	p, q := newPool(t, 1), newPool(t, 1)
	run(t, p, func(w *pool.Worker) {
		err := w.InPlaceScope(q, func(s *pool.Scope) {
			wantDeadlock(t, w.Close(background, q), "Worker.Close", `that job itself, on worker 0, has a scope in the other pool`)
			goOn := newGate()
			s.Go(nil, func(*pool.Worker) { goOn.wait() })
			w.Go(func(w *pool.Worker) { // on top of the scope's wait
				wantDeadlock(t, w.Close(background, q), "Worker.Close", `never return: \S+run.func1 \(\S+\), suspended beneath it on worker 0, has a scope in the other pool`)
				goOn.open()
			})
		})
		if err != nil {
			t.Error(err)
		}
		if err := w.Close(background, q); err != nil {
			t.Errorf("behind the scope: %v", err)
		}
	})
}

// A worker that waits isolated does not come to its share of a broadcast.
func TestBroadcastThatWhoWaitsIsolatedWaitsFor(t *testing.T) {
	nothing := func(*pool.Worker) {}
	p, q := newPool(t, 2, pool.WithSpares(0)), newPool(t, 1)
	const says = "waits for isolated, and so does not come to its share"
	run(t, p, func(w *pool.Worker) {
		w.Isolated(func(w *pool.Worker) {
			err := w.Run(q, func(w *pool.Worker) error {
				suspended(w, func(w *pool.Worker) {
					wantDeadlock(t, w.Broadcast(p, nothing), "Worker.Broadcast", says)
				})
				return w.Broadcast(q, nothing)
			})
			if err != nil {
				t.Error(err)
			}
			stolen := newGate()
			w.Scope(func(s *pool.Scope) {
				s.Go(w, func(thief *pool.Worker) {
					defer stolen.open()
					wantDeadlock(t, thief.Broadcast(p, nothing), "Worker.Broadcast", says)
				})
				stolen.wait()
			})
		})
		if err := w.Run(q, func(w *pool.Worker) error { return w.Broadcast(p, nothing) }); err != nil {
			t.Errorf("not isolated: %v", err)
		}
	})
	ctx, cancel := context.WithCancel(background)
	cancel()
	if err := p.Broadcast(ctx, nothing); err != context.Canceled {
		t.Error(err)
	}
	works(t, p)
}

// Two jobs wait for runs elsewhere, and each one's worker may meanwhile begin the job that
// awaits the other. Catches, under load: futures that never come.
func TestAwaitAcrossWorkers(t *testing.T) {
	p, q := newPool(t, 2), newPool(t, 1)
	never := 0
	waits := func(w *pool.Worker) (int, error) {
		return 1, w.Run(q, func(*pool.Worker) error { runtime.Gosched(); return nil })
	}
	for range 3000 {
		x, y := pool.Submit(background, p, waits), pool.Submit(background, p, waits)
		var awaits []*pool.Future[int]
		for _, f := range []*pool.Future[int]{x, y} {
			awaits = append(awaits, pool.Submit(background, p, func(w *pool.Worker) (int, error) { return f.Await(w) }))
		}
		for _, f := range append(awaits, x, y) {
			n, err := f.Wait(background)
			var e *pool.DeadlockError
			if errors.As(err, &e) {
				never++
			} else if n != 1 || err != nil {
				t.Fatal(n, err)
			}
		}
	}
	t.Logf("%d waits were given up", never)
	works(t, p)
}
