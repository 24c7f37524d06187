package pool_test

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// Catches: a join that returns early, or runs a side twice or never.
func TestJoin(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		run(t, p, func(w *pool.Worker) {
			if n := fib(w, 20); n != 6765 {
				t.Errorf("fib(20) = %d", n)
			}
		})
	})
}

// Catches: a side that gets another worker's handle: it would push on a deque
// that is not its own.
func TestJoinHandles(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		run(t, p, func(w *pool.Worker) {
			w.Join(func(a *pool.Worker) {
				if a != w {
					t.Error("a has another handle than its caller")
				}
			}, func(b *pool.Worker) {
				if b.Pool() != p {
					t.Error("b runs in another pool")
				}
				b.Join(func(*pool.Worker) {}, func(*pool.Worker) {})
			})
		})
	})
}

// Catches: with one worker, a b that begins before a has returned, or does not run
// at once after it.
func TestJoinOrderOfOneWorker(t *testing.T) {
	p := newPool(t, 1)
	var order []string
	say := func(what string) func(*pool.Worker) {
		return func(*pool.Worker) { order = append(order, what) }
	}
	run(t, p, func(w *pool.Worker) {
		w.Join(func(w *pool.Worker) {
			w.Go(say("left behind by a"))
			w.Join(say("aa"), say("ab"))
		}, say("b"))
		say("behind")(w)
	})
	if got := strings.Join(order, ", "); got != "aa, ab, left behind by a, b, behind" {
		t.Error(got)
	}
}

// Catches: a join that skips a side because the other panicked, prefers b's panic,
// or forgets the stack.
func TestJoinPanics(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		for _, c := range []struct {
			a, b any // what they panic with
			want any
		}{{"a", nil, "a"}, {nil, "b", "b"}, {"a", "b", "a"}} {
			for range 20 {
				ran := [2]int{}
				side := func(i int, v any) func(*pool.Worker) {
					return func(*pool.Worker) {
						ran[i]++
						if v != nil {
							panic(v)
						}
					}
				}
				e := wantPanic(t, panicOf(func() {
					run(t, p, func(w *pool.Worker) { w.Join(side(0, c.a), side(1, c.b)) })
				}), c.want)
				if ran != [2]int{1, 1} {
					t.Errorf("%+v: ran %v times", c, ran)
				}
				if !strings.Contains(string(e.Stack), "TestJoinPanics") {
					t.Errorf("the stack does not name the job:\n%s", e.Stack)
				}
			}
		}
		works(t, p)
	})
}

// Catches: a b that a user's recover, between the panic of a and the job that
// called Join, leaves on the deque for ever, or that is taken for the b of the
// next join.
func TestJoinPanicRecoveredByTheJob(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		const joins = 50
		ran := make([]int, joins)
		job := func(w *pool.Worker) {
			for i := range joins {
				v := panicOf(func() {
					w.Join(func(*pool.Worker) { panic(i) }, func(*pool.Worker) { ran[i]++ })
				})
				if e, ok := v.(*pool.PanicError); v != i && (!ok || e.Value != i) {
					t.Errorf("join %d panicked with %v", i, v)
				}
				if n := fib(w, 5); n != 5 {
					t.Errorf("fib(5) = %d", n)
				}
			}
		}
		run(t, p, func(w *pool.Worker) {
			w.Scope(func(s *pool.Scope) { s.Go(w, job) })
			for i, n := range ran { // over when the job is, that called Join
				if n != 1 {
					t.Errorf("when the job was over, b of join %d had run %d times", i, n)
				}
			}
		})
	})
}

// Catches: a panic that crosses several joins and loses its first stack or its
// value on the way, or is wrapped again.
func TestJoinPanicThroughNestedJoins(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		var nest func(w *pool.Worker, depth int)
		nest = func(w *pool.Worker, depth int) {
			if depth == 0 {
				explode()
			}
			w.Join(func(*pool.Worker) {}, func(w *pool.Worker) { nest(w, depth-1) })
		}
		e := wantPanic(t, panicOf(func() { run(t, p, func(w *pool.Worker) { nest(w, 20) }) }), errTest)
		if !strings.Contains(string(e.Stack), "pool_test.explode") {
			t.Errorf("stack:\n%s", e.Stack)
		}
	})
}

// Catches: a panic that gets a new stack where it crosses a boundary: that of a
// scope, of a job, of a run in another pool. The first one reports where it began.
func TestPanicKeepsItsFirstStack(t *testing.T) {
	p, other := newPool(t, 1), newPool(t, 1)
	e := wantPanic(t, panicOf(func() {
		run(t, p, func(w *pool.Worker) {
			w.Scope(func(s *pool.Scope) {
				s.Go(w, func(w *pool.Worker) {
					_ = w.Run(other, func(w *pool.Worker) error {
						w.Scope(func(*pool.Scope) { explode() })
						return nil
					})
				})
			})
		})
	}), errTest)
	if !strings.Contains(string(e.Stack), "pool_test.explode") {
		t.Errorf("the stack does not name the function that panicked:\n%s", e.Stack)
	}
}

// Catches: a Goexit of either side that leaves the other one out, leaves a waiter
// waiting, or costs the pool a worker. (BUG-02's kin.)
func TestJoinGoexit(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		exit := func(*pool.Worker) { runtime.Goexit() }
		for range 20 {
			ran := 0
			count := func(*pool.Worker) { ran++ }
			for name, join := range map[string]func(w *pool.Worker){
				"a":    func(w *pool.Worker) { w.Join(exit, count) },
				"b":    func(w *pool.Worker) { w.Join(count, exit) },
				"both": func(w *pool.Worker) { w.Join(exit, exit); count(w) },
			} {
				deferred := false
				err := p.Run(background, func(w *pool.Worker) error {
					defer func() { deferred = true }()
					join(w)
					t.Error("Join has returned")
					return nil
				})
				if err != pool.ErrGoexit || !deferred {
					t.Errorf("%s: %v, deferred calls: %t", name, err, deferred)
				}
			}
			if ran != 2 {
				t.Errorf("the other sides ran %d times, want 2", ran)
			}
		}
		works(t, p)
	})
}

// Catches: the Goexit of a b that was stolen and that the Join takes for a return.
func TestJoinStolenGoexit(t *testing.T) {
	p := newPool(t, 2)
	for range 20 {
		err := p.Run(background, func(w *pool.Worker) error {
			stolen := newGate()
			w.Join(
				func(*pool.Worker) { stolen.wait() },
				func(*pool.Worker) { stolen.open(); runtime.Goexit() })
			t.Error("Join returned")
			return nil
		})
		if err != pool.ErrGoexit {
			t.Error(err)
		}
	}
	works(t, p)
}

// Catches: a Goexit, of a job that runs on top of a waiting one, after which the
// one below is not finished: its waiter would wait for ever.
func TestGoexitOnTopOfOtherJobs(t *testing.T) {
	p := newPool(t, 1)
	below := make(chan string, 1)
	err := p.Run(background, func(w *pool.Worker) error {
		defer func() { below <- "deferred call of the job below" }()
		w.Scope(func(s *pool.Scope) {
			s.Go(w, func(*pool.Worker) {})
			w.Go(func(*pool.Worker) { runtime.Goexit() }) // runs while Scope waits
		})
		return nil
	})
	if err != pool.ErrGoexit {
		t.Error(err)
	}
	if len(below) != 1 {
		t.Error("Run has returned before the job below was over")
	}
	works(t, p)
}

// Catches: a join whose stack, or whose bookkeeping, grows by more than a frame,
// or that is quadratic in its depth.
func TestJoinDeeply(t *testing.T) {
	const depth = 50_000
	p := newPool(t, 2)
	bottom, right := 0, 0
	var nest func(w *pool.Worker, left int)
	nest = func(w *pool.Worker, left int) {
		if left == 0 {
			bottom++
			return
		}
		b := 0
		w.Join(func(w *pool.Worker) { nest(w, left-1) }, func(*pool.Worker) { b = 1 })
		right += b
	}
	run(t, p, func(w *pool.Worker) { nest(w, depth) })
	if bottom != 1 || right != depth {
		t.Errorf("came to the bottom %d times, ran %d of %d right sides", bottom, right, depth)
	}
}

// Catches: a nil side that is found out only when it is run.
func TestJoinRefusesNil(t *testing.T) {
	p := newPool(t, 1)
	run(t, p, func(w *pool.Worker) {
		f := func(*pool.Worker) { t.Error("it ran") }
		for _, v := range []any{panicOf(func() { w.Join(nil, f) }), panicOf(func() { w.Join(f, nil) })} {
			if v != pool.ErrNoFunction {
				t.Errorf("panicked with %v", v)
			}
		}
	})
	works(t, p)
}

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
