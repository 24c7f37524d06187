package pool_test

import (
	"runtime"
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
