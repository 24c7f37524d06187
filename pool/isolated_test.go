package pool_test

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// stray waits, as job of worker 0 in a pool of two, for a job that worker 1 has
// and that continues only when a stray job from outside has run. It returns the
// worker that ran the stray job.
func stray(t *testing.T, p *pool.Pool, w *pool.Worker, wait func(w *pool.Worker, child func(w *pool.Worker))) int {
	t.Helper()
	stolen, strayed := newGate(), newGate()
	by := -1
	wait(w, func(*pool.Worker) {
		if err := p.Go(func(w *pool.Worker) { by = w.Index(); strayed.open() }); err != nil {
			t.Error(err)
		}
		stolen.open()
		strayed.wait()
	})
	stolen.wait()
	return by
}

// Catches: an isolated wait that runs a job that it does not wait for; and, by its
// counterpart, a test in which no wait ever would.
func TestIsolatedWaitRunsNoStray(t *testing.T) {
	waits := map[string]func(w *pool.Worker, child func(w *pool.Worker)){
		"Join": func(w *pool.Worker, child func(w *pool.Worker)) {
			begun := newGate()
			w.Join(
				func(*pool.Worker) { begun.wait() }, // until the child is stolen
				func(w *pool.Worker) { begun.open(); child(w) })
		},
		"Scope": func(w *pool.Worker, child func(w *pool.Worker)) {
			begun := newGate()
			w.Scope(func(s *pool.Scope) {
				s.Go(w, func(w *pool.Worker) { begun.open(); child(w) })
				begun.wait()
			})
		},
		"Run": func(w *pool.Worker, child func(w *pool.Worker)) {
			other := newPool(t, 1)
			if err := w.Run(other, func(w *pool.Worker) error { child(w); return nil }); err != nil {
				t.Error(err)
			}
		},
		"InPlaceScope": func(w *pool.Worker, child func(w *pool.Worker)) {
			other := newPool(t, 1)
			if err := w.InPlaceScope(other, func(s *pool.Scope) { s.Go(w, child) }); err != nil {
				t.Error(err)
			}
		},
	}
	for name, wait := range waits {
		t.Run(name, func(t *testing.T) {
			p := newPool(t, 2, pool.WithSpares(1))
			run(t, p, func(w *pool.Worker) {
				// The third worker, if there is a spare, or else the one that waits: the
				// second is busy with the child, or made busy here.
				busy := newGate()
				if name == "Run" || name == "InPlaceScope" {
					begun := newGate()
					w.Go(func(*pool.Worker) { begun.open(); busy.wait() })
					begun.wait()
				}
				if by := stray(t, p, w, wait); by != w.Index() {
					t.Errorf("a plain wait of worker %d left the stray job to worker %d", w.Index(), by)
				}
				w.Isolated(func(w *pool.Worker) {
					if by := stray(t, p, w, wait); by != 2 {
						t.Errorf("worker %d ran the stray job, want the spare, worker 2", by)
					}
				})
				for len(p.State().Workers) > 2 { // the spare is on its way out, and could still take a job
					runtime.Gosched()
				}
				if by := stray(t, p, w, wait); by != w.Index() {
					t.Errorf("a plain wait after an isolated one left the stray job to worker %d", by)
				}
				busy.open()
			})
		})
	}
}

// rayon #592: a job holds a lock over a Join, and jobs that want the lock are
// about. Without isolation the Join may run one of them on top of its own job, or a thief
// of its b may. TryLock replaces Lock, so that the test does not hang.
func TestLockHeldOverJoin(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		for range 50 {
			var mu sync.Mutex
			holder := make([]int, 64) // by worker: how many frames of its stack hold the lock or wait for it
			locked := func(w *pool.Worker, f func(w *pool.Worker)) {
				if holder[w.Index()] > 0 {
					t.Errorf("worker %d wants the lock on top of a job of its own that holds it, or waits for it", w.Index())
					return
				}
				holder[w.Index()]++
				mu.Lock()
				w.Isolated(f)
				mu.Unlock()
				holder[w.Index()]--
			}
			run(t, p, func(w *pool.Worker) {
				w.Scope(func(s *pool.Scope) {
					for range 6 {
						s.Go(w, func(w *pool.Worker) {
							locked(w, func(w *pool.Worker) { fib(w, 6) })
						})
					}
				})
			})
		}
	})
}

// Catches: an isolated scope that waits for a thief to take its jobs.
func TestIsolatedInAPoolOfOne(t *testing.T) {
	p := newPool(t, 1, pool.WithSpares(0))
	run(t, p, func(w *pool.Worker) {
		w.Isolated(func(w *pool.Worker) {
			if n := fib(w, 10); n != 55 {
				t.Errorf("fib(10) = %d", n)
			}
			order := []int{}
			w.ScopeFIFO(func(s *pool.Scope) {
				s.GoN(w, 3, func(w *pool.Worker, i int) {
					w.Scope(func(s *pool.Scope) {
						s.Go(w, func(*pool.Worker) { order = append(order, i) })
					})
				})
			})
			if len(order) != 3 || order[0] != 0 || order[1] != 1 || order[2] != 2 {
				t.Errorf("order %v", order)
			}
			shares := 0
			w.Scope(func(s *pool.Scope) { s.GoBroadcast(func(*pool.Worker) { shares++ }) })
			if err := w.Broadcast(p, func(*pool.Worker) { shares++ }); err != nil || shares != 2 {
				t.Errorf("%d shares, %v", shares, err)
			}
		})
	})
}

// Catches: an isolated run in another pool that runs back, and finds the only
// worker waiting for it without a spare in its place.
func TestIsolatedRunsIntoEachOther(t *testing.T) {
	a, b := newPool(t, 1), newPool(t, 1)
	run(t, a, func(w *pool.Worker) {
		w.Isolated(func(w *pool.Worker) {
			err := w.Run(b, func(w *pool.Worker) error {
				return w.Run(a, func(w *pool.Worker) error {
					return w.Run(b, func(*pool.Worker) error { return errTest })
				})
			})
			if err != errTest {
				t.Error(err)
			}
		})
	})
}

// Catches: an injected job that no worker is notified of, since the worker that may
// run it sleeps privately.
func TestJobForAPrivateSleeper(t *testing.T) {
	for name, start := range map[string]func(s *pool.Scope, waiter *pool.Worker, f func(w *pool.Worker)){
		"Go": func(s *pool.Scope, _ *pool.Worker, f func(w *pool.Worker)) { s.Go(nil, f) },
		"GoN": func(s *pool.Scope, _ *pool.Worker, f func(w *pool.Worker)) {
			s.GoN(nil, 1, func(w *pool.Worker, _ int) { f(w) })
		},
		"GoBroadcast": func(s *pool.Scope, waiter *pool.Worker, f func(w *pool.Worker)) {
			s.GoBroadcast(func(w *pool.Worker) {
				if w == waiter {
					f(w)
				}
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPool(t, 2, pool.WithSpares(0))
			run(t, p, func(w *pool.Worker) {
				w.Isolated(func(w *pool.Worker) {
					begun, done := newGate(), newGate()
					by := -1
					w.Scope(func(s *pool.Scope) {
						s.Go(w, func(*pool.Worker) { begun.open(); done.wait() })
						begun.wait() // the other worker has it, and waits
						go func() {
							for !p.State().Workers[w.Index()].Asleep {
								runtime.Gosched()
							}
							start(s, w, func(w *pool.Worker) { by = w.Index(); done.open() })
						}()
					})
					if by != w.Index() {
						t.Errorf("worker %d ran it, worker %d waited for it", by, w.Index())
					}
				})
			})
		})
	}
}

// Catches: a fire-and-forget job that is lost or run when an isolated Join sets it
// aside to get at its own b.
func TestIsolatedJoinSetsAside(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		ran := make(chan int, 1)
		run(t, p, func(w *pool.Worker) {
			inside := true
			w.Isolated(func(w *pool.Worker) {
				w.Join(
					func(w *pool.Worker) {
						w.Go(func(o *pool.Worker) {
							if o == w && inside {
								t.Error("ran on top of an isolated join")
							}
							ran <- o.Index()
						})
					},
					func(*pool.Worker) {})
			})
			inside = false
		})
		<-ran
	})
}

// Catches: an isolated Join that gives its worker's share of a broadcast to others.
func TestIsolatedJoinKeepsItsBroadcasts(t *testing.T) {
	p := newPool(t, 2, pool.WithSpares(0))
	shares := make(chan int, 2)
	run(t, p, func(w *pool.Worker) {
		w.Isolated(func(w *pool.Worker) {
			stolen := newGate()
			w.Join(
				func(w *pool.Worker) {
					stolen.wait()
					w.GoBroadcast(func(w *pool.Worker) { shares <- w.Index() })
				},
				func(*pool.Worker) {
					stolen.open()
					for !p.State().Workers[w.Index()].Private {
						runtime.Gosched()
					}
				})
			if n := p.State().Workers[w.Index()].Broadcasts; n != 1 {
				t.Errorf("%d shares wait for the worker, want 1", n)
			}
		})
	})
	if x, y := <-shares, <-shares; x+y != 1 {
		t.Errorf("the shares ran on workers %d and %d", x, y)
	}
}

// Catches: an isolated Join that gives the b of a join, which a has left behind by a
// recover, to the others, and then waits for them: there may be none.
func TestIsolatedJoinSettles(t *testing.T) {
	p := newPool(t, 1, pool.WithSpares(0))
	run(t, p, func(w *pool.Worker) {
		w.Isolated(func(w *pool.Worker) {
			left, b := 0, 0
			w.Join(
				func(w *pool.Worker) {
					_ = panicOf(func() {
						w.Join(func(*pool.Worker) { panic(errTest) }, func(*pool.Worker) { left++ })
					})
				},
				func(*pool.Worker) { b++ })
			if left != 1 || b != 1 {
				t.Errorf("the b that was left behind ran %d times, the other %d times", left, b)
			}
		})
	})
}

// Catches: an isolation that outlasts a panic.
func TestIsolatedPanic(t *testing.T) {
	p := newPool(t, 2, pool.WithSpares(1))
	run(t, p, func(w *pool.Worker) {
		var ran atomic.Bool
		v := panicOf(func() {
			w.Isolated(func(w *pool.Worker) {
				w.Join(func(*pool.Worker) { panic(errTest) }, func(*pool.Worker) { ran.Store(true) })
			})
		})
		if err, _ := v.(error); !errors.Is(err, errTest) || !ran.Load() {
			t.Errorf("panicked with %v; b has run before Isolated ended: %v", v, ran.Load())
		}
		wait := func(w *pool.Worker, child func(w *pool.Worker)) {
			begun := newGate()
			w.Join(func(*pool.Worker) { begun.wait() }, func(w *pool.Worker) { begun.open(); child(w) })
		}
		if by := stray(t, p, w, wait); by != w.Index() {
			t.Errorf("the worker still waits isolated: worker %d ran the stray job", by)
		}
	})
	if v := panicOf(func() { run(t, p, func(w *pool.Worker) { w.Isolated(nil) }) }); v == nil {
		t.Error("Isolated(nil) did not panic")
	}
}

// Catches: an isolation that outlasts the Goexit of an isolated job: the waits below
// it on the stack, which continue while that unwinds, would run nothing any more.
func TestIsolatedGoexit(t *testing.T) {
	for name, isolatedJob := range map[string]func(w *pool.Worker) (wait func()){
		"Go": func(w *pool.Worker) func() {
			w.Go(func(*pool.Worker) { runtime.Goexit() })
			return func() {}
		},
		"Await": func(w *pool.Worker) func() {
			f := pool.Spawn(w, func(*pool.Worker) (int, error) { runtime.Goexit(); return 0, nil })
			return func() { _, _ = f.Await(w) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPool(t, 1, pool.WithSpares(0))
			ran := false
			err := p.Run(background, func(w *pool.Worker) error {
				w.Scope(func(s *pool.Scope) {
					s.Go(w, func(*pool.Worker) { ran = true })
					wait := func() {}
					w.Isolated(func(w *pool.Worker) { wait = isolatedJob(w) })
					wait()
				})
				return nil
			})
			if err != pool.ErrGoexit || !ran {
				t.Errorf("%v, the scope's job ran: %v", err, ran)
			}
			works(t, p)
		})
	}
}

// Catches: an isolated scope that does not wait for its other jobs if one that its
// waiter runs calls Goexit.
func TestIsolatedScopeGoexit(t *testing.T) {
	p := newPool(t, 2, pool.WithSpares(0))
	var returned, done atomic.Bool
	err := p.Run(background, func(w *pool.Worker) error {
		w.Isolated(func(w *pool.Worker) {
			w.Scope(func(s *pool.Scope) {
				begun, gone := newGate(), newGate()
				s.Go(w, func(*pool.Worker) {
					begun.open()
					gone.wait()
					for !p.State().Workers[w.Index()].Private && !returned.Load() {
						runtime.Gosched()
					}
					done.Store(!returned.Load())
				})
				begun.wait() // the other worker has it
				s.Go(w, func(*pool.Worker) { gone.open(); runtime.Goexit() })
			})
		})
		return nil
	})
	returned.Store(true)
	if err != pool.ErrGoexit || !done.Load() {
		t.Errorf("%v, the other job was done: %v", err, done.Load())
	}
}

// Catches: an isolated broadcast that does not wait for the others' shares if its own
// calls Goexit.
func TestIsolatedBroadcastGoexit(t *testing.T) {
	p := newPool(t, 2, pool.WithSpares(0))
	var returned, done atomic.Bool
	err := p.Run(background, func(w *pool.Worker) error {
		w.Isolated(func(w *pool.Worker) {
			_ = w.Broadcast(p, func(of *pool.Worker) {
				if of == w {
					runtime.Goexit()
				}
				for !p.State().Workers[w.Index()].Private && !returned.Load() {
					runtime.Gosched()
				}
				done.Store(!returned.Load())
			})
		})
		return nil
	})
	returned.Store(true)
	if err != pool.ErrGoexit || !done.Load() {
		t.Errorf("%v, the other share was done: %v", err, done.Load())
	}
}

// Catches: tickets of scopes that are over, and what they hold, that pile up as long
// as a worker is isolated.
func TestIsolatedScopesLeaveNothing(t *testing.T) {
	p := newPool(t, 1, pool.WithSpares(0))
	run(t, p, func(w *pool.Worker) {
		w.Isolated(func(w *pool.Worker) {
			for range 100 {
				w.Scope(func(s *pool.Scope) {
					s.GoN(w, 3, func(w *pool.Worker, _ int) {
						w.Scope(func(s *pool.Scope) { s.Go(w, func(*pool.Worker) {}) })
					})
				})
			}
			if n := p.State().Workers[0].Jobs; n != 0 {
				t.Errorf("%d are left in the deque", n)
			}
		})
	})
}

// isIsolated reports whether w is: then it does not yield to a job of its own. There
// must be no thief.
func isIsolated(w *pool.Worker) bool {
	w.Go(func(*pool.Worker) {})
	return !w.YieldLocal()
}

// Catches: a job that does not inherit the isolation of the one that has started it,
// or passes on its own to one that has not.
func TestIsolationIsInherited(t *testing.T) {
	other := newPool(t, 1)
	for name, start := range map[string]func(w *pool.Worker, child func(w *pool.Worker)){
		"Go":       func(w *pool.Worker, child func(w *pool.Worker)) { w.Go(child) },
		"GoN":      func(w *pool.Worker, child func(w *pool.Worker)) { w.GoN(1, func(w *pool.Worker, _ int) { child(w) }) },
		"GoFIFO":   func(w *pool.Worker, child func(w *pool.Worker)) { w.GoFIFO(child) },
		"Scope.Go": func(w *pool.Worker, child func(w *pool.Worker)) { w.Scope(func(s *pool.Scope) { s.Go(w, child) }) },
		"Scope.GoN": func(w *pool.Worker, child func(w *pool.Worker)) {
			w.Scope(func(s *pool.Scope) { s.GoN(w, 1, func(w *pool.Worker, _ int) { child(w) }) })
		},
		"ScopeFIFO": func(w *pool.Worker, child func(w *pool.Worker)) {
			w.ScopeFIFO(func(s *pool.Scope) { s.Go(w, child) })
		},
		"Scope.GoBroadcast": func(w *pool.Worker, child func(w *pool.Worker)) {
			w.Scope(func(s *pool.Scope) { s.GoBroadcast(child) })
		},
		"Broadcast": func(w *pool.Worker, child func(w *pool.Worker)) { _ = w.Broadcast(w.Pool(), child) },
		"Spawn": func(w *pool.Worker, child func(w *pool.Worker)) {
			pool.Spawn(w, func(w *pool.Worker) (int, error) { child(w); return 0, nil })
		},
		"Await": func(w *pool.Worker, child func(w *pool.Worker)) {
			f := pool.Spawn(w, func(w *pool.Worker) (int, error) { child(w); return 0, nil })
			_, _ = f.Await(w)
		},
		"Await of a job from outside": func(w *pool.Worker, child func(w *pool.Worker)) {
			f := pool.Submit(background, w.Pool(), func(w *pool.Worker) (int, error) { child(w); return 0, nil })
			_, _ = f.Await(w)
		},
		"Run in another pool": func(w *pool.Worker, child func(w *pool.Worker)) {
			_ = w.Run(other, func(w *pool.Worker) error { child(w); return nil })
		},
		"InPlaceScope in another pool": func(w *pool.Worker, child func(w *pool.Worker)) {
			_ = w.InPlaceScope(other, func(s *pool.Scope) { s.Go(w, child) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPool(t, 1, pool.WithSpares(0))
			inside, outside := make(chan bool, 1), make(chan bool, 1)
			run(t, p, func(w *pool.Worker) {
				w.Isolated(func(w *pool.Worker) { start(w, func(w *pool.Worker) { inside <- isIsolated(w) }) })
				if isIsolated(w) {
					t.Error("the job is still isolated")
				}
			})
			run(t, p, func(w *pool.Worker) {
				start(w, func(w *pool.Worker) { outside <- isIsolated(w) })
				if isIsolated(w) {
					t.Error("the job has become isolated")
				}
			})
			if !<-inside {
				t.Error("started inside, it was not isolated")
			}
			if <-outside {
				t.Error("started outside, it was isolated")
			}
		})
	}
	t.Run("stolen b of a Join", func(t *testing.T) {
		p := newPool(t, 2, pool.WithSpares(0))
		run(t, p, func(w *pool.Worker) {
			w.Isolated(func(w *pool.Worker) {
				stolen := newGate()
				w.Join(
					func(*pool.Worker) { stolen.wait() },
					func(w *pool.Worker) {
						if !isIsolated(w) { // the only thief is busy with a
							t.Error("it was not isolated")
						}
						stolen.open()
					})
			})
		})
	})
	t.Run("job from outside", func(t *testing.T) {
		p := newPool(t, 1, pool.WithSpares(0))
		run(t, p, func(w *pool.Worker) {
			f := pool.Spawn(w, func(w *pool.Worker) (bool, error) { return isIsolated(w), nil })
			w.Isolated(func(w *pool.Worker) {
				if is, _ := f.Await(w); !is { // on top of a wait that is
					t.Error("run by an isolated wait, it was not isolated")
				}
			})
		})
	})
}

// Catches: an isolated broadcast by a spare, which has no share of its own.
func TestIsolatedBroadcastBySpare(t *testing.T) {
	p := newPool(t, 1, pool.WithSpares(1))
	shares := make(chan int, 2)
	done := newGate()
	run(t, p, func(w *pool.Worker) {
		begun := newGate()
		w.Go(func(w *pool.Worker) { // on the spare
			begun.open()
			w.Isolated(func(w *pool.Worker) {
				if err := w.Broadcast(p, func(of *pool.Worker) { shares <- of.Index() }); err != nil {
					t.Error(err)
				}
			})
			done.open()
		})
		w.Blocking(begun.wait)
	})
	done.wait()
	if len(shares) != 1 || <-shares != 0 {
		t.Error("want one share, on worker 0")
	}
}

// Catches: a worker that a dump takes for one that still waits, after it has slept
// privately, and counts that it keeps to itself while it sleeps.
func TestStateOfAPrivateSleeper(t *testing.T) {
	p := newPool(t, 2, pool.WithSpares(0))
	run(t, p, func(w *pool.Worker) {
		state := func() pool.WorkerState { return p.State().Workers[w.Index()] }
		w.Isolated(func(w *pool.Worker) {
			begun := newGate()
			w.Join(
				func(*pool.Worker) { begun.wait() },
				func(*pool.Worker) {
					begun.open()
					for !state().Private {
						runtime.Gosched()
					}
					if s, joins := state(), p.Stats().Joins; s.WaitsFor != "the other half of a join" || joins != 1 {
						t.Errorf("asleep it waits for %q, with %d joins", s.WaitsFor, joins)
					}
				})
		})
		if s := state(); s.WaitsFor != "" || s.Private {
			t.Errorf("awake: %+v", s)
		}
	})
}
