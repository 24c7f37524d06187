package pool_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// Catches: a scope that ends before its jobs, or those of its jobs; a job that
// is lost or runs twice.
func TestScope(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		for range 50 {
			var ran [30]atomic.Int32
			run(t, p, func(w *pool.Worker) {
				w.Scope(func(s *pool.Scope) {
					for i := range 10 {
						s.Go(w, func(w *pool.Worker) {
							ran[i].Add(1)
							s.Go(w, func(w *pool.Worker) {
								ran[10+i].Add(1)
								w.Scope(func(s *pool.Scope) { s.Go(w, func(*pool.Worker) { ran[20+i].Add(1) }) })
							})
						})
					}
				})
				for i := range ran {
					if n := ran[i].Load(); n != 1 {
						t.Errorf("at the end of the scope, job %d has run %d times", i, n)
					}
				}
			})
		}
	})
}

// Catches: an empty scope that waits for something.
func TestEmptyScope(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		run(t, p, func(w *pool.Worker) { w.Scope(func(*pool.Scope) {}) })
	})
}

// Catches: a scope's job that does not find into the pool when its caller is no
// worker of it. (BUG-13: it would be pushed on the wrong pool's deque.)
func TestScopeGoFromOutside(t *testing.T) {
	other := newPool(t, 1)
	each(t, func(t *testing.T, p *pool.Pool) {
		var ran atomic.Int32
		job := func(w *pool.Worker) {
			if w.Pool() != p {
				t.Error("ran in another pool")
			}
			ran.Add(1)
		}
		run(t, p, func(w *pool.Worker) {
			w.Scope(func(s *pool.Scope) {
				s.Go(nil, job)
				added := newGate()
				go func() { s.Go(nil, job); added.open() }()
				added.wait()
				if err := w.Run(other, func(w *pool.Worker) error { s.Go(w, job); return nil }); err != nil {
					t.Error(err)
				}
			})
		})
		if n := ran.Load(); n != 3 {
			t.Errorf("%d jobs ran, want 3", n)
		}
	})
}

// Catches: a scope that does not wait for the others when body or a job panics,
// that passes on no panic, or all of them.
func TestScopePanics(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		for _, c := range []struct {
			body, job bool
			want      []any
		}{{true, false, []any{"body"}}, {false, true, []any{"job"}}, {true, true, []any{"body", "job"}}} {
			var ran atomic.Int32
			v := panicOf(func() {
				run(t, p, func(w *pool.Worker) {
					w.Scope(func(s *pool.Scope) {
						for i := range 5 {
							s.Go(w, func(w *pool.Worker) {
								s.Go(w, func(*pool.Worker) { ran.Add(1) })
								ran.Add(1)
								if c.job && i%2 == 1 {
									panic("job")
								}
							})
						}
						if c.body {
							panic("body")
						}
					})
					t.Error("Scope has returned")
				})
			})
			e, ok := v.(*pool.PanicError)
			if !ok || e.Value != c.want[0] && e.Value != c.want[len(c.want)-1] {
				t.Errorf("%+v: panicked with %v", c, v)
			}
			if n := ran.Load(); n != 10 {
				t.Errorf("%+v: %d jobs ran, want 10", c, n)
			}
		}
		works(t, p)
	})
}

// Catches: a later panic that takes the place of the first.
func TestScopeFirstPanicWins(t *testing.T) {
	p := newPool(t, 1)
	run(t, p, func(w *pool.Worker) {
		for _, body := range []bool{true, false} {
			want := 0
			if body {
				want = -1
			}
			wantPanic(t, panicOf(func() {
				w.ScopeFIFO(func(s *pool.Scope) {
					s.GoN(w, 3, func(_ *pool.Worker, i int) { panic(i) })
					if body {
						panic(-1)
					}
				})
			}), want)
		}
	})
}

// Catches: a Goexit of body or of a job that leaves out the other jobs, or costs
// the pool a worker.
func TestScopeGoexit(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		for range 20 {
			for _, inBody := range []bool{true, false} {
				var ran atomic.Int32
				err := p.Run(background, func(w *pool.Worker) error {
					w.Scope(func(s *pool.Scope) {
						for range 3 {
							s.Go(w, func(*pool.Worker) { ran.Add(1) })
						}
						if inBody {
							runtime.Goexit()
						}
						s.Go(w, func(*pool.Worker) { runtime.Goexit() })
					})
					t.Error("Scope has returned")
					return nil
				})
				if err != pool.ErrGoexit {
					t.Error(err)
				}
				if n := ran.Load(); n != 3 {
					t.Errorf("in body: %t; when Run returned, %d jobs had run, want 3", inBody, n)
				}
			}
		}
		works(t, p)
	})
}

// Catches: a job that is added to a scope that has ended, for which nothing waits.
func TestScopeRefuses(t *testing.T) {
	p := newPool(t, 1)
	run(t, p, func(w *pool.Worker) {
		var escaped *pool.Scope
		w.Scope(func(s *pool.Scope) {
			escaped = s
			if v := panicOf(func() { s.Go(w, nil) }); v != pool.ErrNoFunction {
				t.Errorf("a nil job: panicked with %v", v)
			}
		})
		if v := panicOf(func() { escaped.Go(w, func(*pool.Worker) { t.Error("it ran") }) }); v == nil {
			t.Error("a job after the end: no panic")
		}
		if v := panicOf(func() { w.Scope(nil) }); v != pool.ErrNoFunction {
			t.Errorf("no body: panicked with %v", v)
		}
	})
	works(t, p)
}

// scope_fifo_order, scope_lifo_order, spawn_fifo_order and spawn_lifo_order of
// rayon: in a pool of one.
func TestOrder(t *testing.T) {
	up, down := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, []int{9, 8, 7, 6, 5, 4, 3, 2, 1, 0}
	p := newPool(t, 1)
	for name, c := range map[string]struct {
		start func(w *pool.Worker, job func(i int) func(w *pool.Worker))
		want  []int
	}{
		"Scope": {func(w *pool.Worker, job func(i int) func(w *pool.Worker)) {
			w.Scope(func(s *pool.Scope) {
				for i := range 10 {
					s.Go(w, job(i))
				}
			})
		}, down},
		"ScopeFIFO": {func(w *pool.Worker, job func(i int) func(w *pool.Worker)) {
			w.ScopeFIFO(func(s *pool.Scope) {
				for i := range 10 {
					s.Go(w, job(i))
				}
			})
		}, up},
		"Go": {func(w *pool.Worker, job func(i int) func(w *pool.Worker)) {
			for i := range 10 {
				w.Go(job(i))
			}
			for w.YieldLocal() {
			}
		}, down},
		"GoFIFO": {func(w *pool.Worker, job func(i int) func(w *pool.Worker)) {
			for i := range 10 {
				w.GoFIFO(job(i))
			}
			for w.YieldLocal() {
			}
		}, up},
	} {
		t.Run(name, func(t *testing.T) {
			var got []int
			run(t, p, func(w *pool.Worker) {
				c.start(w, func(i int) func(w *pool.Worker) { return func(*pool.Worker) { got = append(got, i) } })
			})
			if !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
	var got []int
	if err := p.InPlaceScopeFIFO(func(s *pool.Scope) {
		for i := range 10 {
			s.Go(nil, func(*pool.Worker) { got = append(got, i) })
		}
	}); err != nil || !slices.Equal(got, up) {
		t.Errorf("InPlaceScopeFIFO: %v, %v", got, err)
	}
	got = nil
	if err := p.InPlaceScopeFIFO(func(s *pool.Scope) {
		s.Go(nil, func(w *pool.Worker) { // the injector has that order anyway, a deque has not
			for i := range 10 {
				s.Go(w, func(*pool.Worker) { got = append(got, i) })
			}
		})
	}); err != nil || !slices.Equal(got, up) {
		t.Errorf("InPlaceScopeFIFO, jobs of a job: %v, %v", got, err)
	}
}

// spawn_fifo_lifo_order of rayon, mixed_fifo_lifo_order: a ticket waits among
// the deque's own jobs.
func TestOrderMixed(t *testing.T) {
	p := newPool(t, 1)
	var got []int
	run(t, p, func(w *pool.Worker) {
		job := func(i int) func(*pool.Worker) { return func(*pool.Worker) { got = append(got, i) } }
		w.Scope(func(outer *pool.Scope) {
			for i := range 10 {
				if i%2 == 0 {
					w.GoFIFO(job(i))
				} else {
					outer.Go(w, job(-i))
				}
			}
			for w.YieldLocal() {
			}
		})
	})
	if want := []int{-9, 0, -7, 2, -5, 4, -3, 6, -1, 8}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// in_place_scope_no_deadlock of rayon: the body waits for a job, which would block the only worker
// if the body ran on it.
func TestInPlaceScopeNoDeadlock(t *testing.T) {
	p := newPool(t, 1)
	done := newGate()
	if err := p.InPlaceScope(func(s *pool.Scope) {
		s.Go(nil, func(*pool.Worker) { done.open() })
		done.wait()
	}); err != nil {
		t.Error(err)
	}
}

func TestInPlaceScopeEnds(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		var ran atomic.Int32
		spawn := func(s *pool.Scope) {
			s.GoN(nil, 10, func(w *pool.Worker, _ int) {
				s.Go(w, func(*pool.Worker) { ran.Add(1) })
			})
		}
		for name, in := range map[string]func(body func(s *pool.Scope)) error{
			"Pool": func(body func(s *pool.Scope)) error { return p.InPlaceScope(body) },
			"Worker": func(body func(s *pool.Scope)) (err error) {
				own := newPool(t, 1)
				return own.Run(background, func(w *pool.Worker) error { return w.InPlaceScope(p, body) })
			},
			"Worker, own pool": func(body func(s *pool.Scope)) (err error) {
				return p.Run(background, func(w *pool.Worker) error { return w.InPlaceScope(p, body) })
			},
		} {
			t.Run(name, func(t *testing.T) {
				ran.Store(0)
				if err := in(spawn); err != nil || ran.Load() != 10 {
					t.Errorf("%d of 10 ran, %v", ran.Load(), err)
				}
				ran.Store(0)
				wantPanic(t, panicOf(func() { _ = in(func(s *pool.Scope) { spawn(s); panic("body") }) }), "body")
				if n := ran.Load(); n != 10 {
					t.Errorf("%d of 10 ran", n)
				}
				wantPanic(t, panicOf(func() {
					_ = in(func(s *pool.Scope) { s.Go(nil, func(*pool.Worker) { panic("job") }) })
				}), "job")
				err := in(func(s *pool.Scope) { s.Go(nil, func(*pool.Worker) { runtime.Goexit() }) })
				if !errors.Is(err, pool.ErrGoexit) {
					t.Errorf("Goexit in a job: %v", err)
				}
				if err := in(nil); err != pool.ErrNoFunction {
					t.Error(err)
				}
			})
		}
	})
}

// Catches: a body whose Goexit leaves the scope's jobs, or a reference, behind.
func TestInPlaceScopeBodyGoexit(t *testing.T) {
	p := newPool(t, 1)
	ran := false
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = p.InPlaceScope(func(s *pool.Scope) {
			s.Go(nil, func(*pool.Worker) { ran = true })
			runtime.Goexit()
		})
		t.Error("InPlaceScope returned")
	}()
	<-ended
	if !ran {
		t.Error("the job did not run")
	}
	if s := quiet(p); s.References != 1 {
		t.Errorf("%d references", s.References)
	}
}

// Catches: a reference to the other pool that is lost when a job on top of the wait
// calls Goexit: that pool could never be closed.
func TestInPlaceScopeWaiterGoexit(t *testing.T) {
	a, b := newPool(t, 1), newPool(t, 1)
	goOn := newGate()
	err := a.Run(background, func(w *pool.Worker) error {
		w.Go(func(*pool.Worker) { goOn.open(); runtime.Goexit() }) // runs while w waits
		return w.InPlaceScope(b, func(s *pool.Scope) { s.Go(w, func(*pool.Worker) { goOn.wait() }) })
	})
	if err != pool.ErrGoexit {
		t.Error(err)
	}
	if s := quiet(b); s.References != 1 {
		t.Fatalf("%d references, want the pool's own", s.References)
	}
}

func TestInPlaceScopeClosed(t *testing.T) {
	p, err := pool.New(1)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Close(background); err != nil {
		t.Fatal(err)
	}
	body := func(*pool.Scope) { t.Error("body was called") }
	if err := p.InPlaceScope(body); err != pool.ErrClosed {
		t.Error(err)
	}
	run(t, newPool(t, 1), func(w *pool.Worker) {
		if err := w.InPlaceScope(p, body); err != pool.ErrClosed {
			t.Error(err)
		}
		if err := w.InPlaceScope(nil, body); err != pool.ErrNoPool {
			t.Error(err)
		}
	})
}

// Catches: a scope that runs jobs after its context has ended, or loses count of
// those that it drops.
func TestScopeContext(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		ctx, cancel := context.WithCancel(background)
		run(t, p, func(w *pool.Worker) {
			if err := w.ScopeContext(ctx, func(s *pool.Scope) { s.GoN(w, 5, func(*pool.Worker, int) {}) }); err != nil {
				t.Errorf("nothing was dropped: %v", err)
			}
			began, ranOn := newGate(), false
			err := w.ScopeContext(ctx, func(s *pool.Scope) {
				s.Go(w, func(w *pool.Worker) {
					began.open()
					cancel()
					for range 100 {
						s.Go(w, func(*pool.Worker) { t.Error("began after the end of its context") })
					}
					ranOn = true
				})
				for w.YieldLocal() {
				}
				began.wait()
			})
			if err != context.Canceled || !ranOn {
				t.Errorf("%v, ran on: %v", err, ranOn)
			}
			err = w.ScopeContext(ctx, func(s *pool.Scope) { t.Error("the body was called") })
			if err != context.Canceled {
				t.Error(err)
			}
			if err := w.ScopeContext(ctx, nil); err != pool.ErrNoFunction {
				t.Error(err)
			}
		})
	})
}

// Catches: a broadcast of a scope that misses a worker, or for which the scope
// does not wait. spawn_broadcast_barrier and spawn_broadcast_nested of rayon.
func TestScopeBroadcast(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		p := newPool(t, workers)
		var shares, nested atomic.Int32
		m := newMeeting(workers)
		run(t, p, func(w *pool.Worker) {
			w.Scope(func(s *pool.Scope) {
				s.GoBroadcast(func(*pool.Worker) {
					m.attend() // all at once
					shares.Add(1)
					s.GoBroadcast(func(*pool.Worker) { nested.Add(1) })
				})
			})
			if int(shares.Load()) != workers || int(nested.Load()) != workers*workers {
				t.Errorf("%d workers: %d shares, %d nested", workers, shares.Load(), nested.Load())
			}
		})
	}
}
