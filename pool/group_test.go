package pool_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// insideAndOutside calls f with a group of p, in a job of p and outside.
func insideAndOutside(t *testing.T, p *pool.Pool, f func(t *testing.T, g *pool.Group, ctx context.Context)) {
	t.Run("outside", func(t *testing.T) {
		g, ctx := p.Group(background)
		f(t, g, ctx)
	})
	t.Run("inside", func(t *testing.T) {
		run(t, p, func(*pool.Worker) {
			g, ctx := p.Group(background)
			f(t, g, ctx)
		})
	})
}

// Catches: a job that is lost or runs twice; Wait that returns before one is over; a group that
// cannot be used again; a context that Wait does not cancel.
func TestGroupRunsEachJobOnce(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		insideAndOutside(t, p, func(t *testing.T, g *pool.Group, ctx context.Context) {
			for round := range 3 {
				const n = 100
				done := make([]int, n) // plain: the race detector sees an early return
				for i := range n {
					g.Go(func(*pool.Worker) error { done[i]++; return nil })
				}
				if err := g.Wait(); err != nil {
					t.Errorf("round %d: %v", round, err)
				}
				for i, times := range done {
					if times != 1 {
						t.Errorf("round %d: job %d ran %d times", round, i, times)
					}
				}
			}
			if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("after Wait, the context's cause is %v", err)
			}
		})
	})
}

// Catches: another error than the first; one that does not cancel, or not with the cause; jobs that
// are dropped behind it; a first error that is forgotten when the group is used again.
func TestGroupKeepsTheFirstError(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		insideAndOutside(t, p, func(t *testing.T, g *pool.Group, ctx context.Context) {
			g.Go(func(*pool.Worker) error { return errTest })
			if err := g.Wait(); err != errTest || context.Cause(ctx) != errTest {
				t.Errorf("Wait = %v, the cause is %v", err, context.Cause(ctx))
			}
			ran := false
			g.Go(func(*pool.Worker) error { ran = true; return errors.New("a later one") })
			if err := g.Wait(); err != errTest || !ran {
				t.Errorf("then Wait = %v, and the later job ran: %t", err, ran)
			}
		})
	})
}

// Catches: a context that is not made of the caller's, so that its end or its values are lost.
func TestGroupContextIsMadeOfTheCallers(t *testing.T) {
	p := newPool(t, 1)
	for name, group := range map[string]func(ctx context.Context) (*pool.Group, context.Context){
		"Pool.Group": p.Group, "WithContext": pool.WithContext,
	} {
		type key struct{}
		parent, cancel := context.WithCancelCause(context.WithValue(background, key{}, "value"))
		g, ctx := group(parent)
		g.Go(func(*pool.Worker) error { cancel(errTest); return nil })
		<-ctx.Done() // nothing else ends it before Wait
		if cause := context.Cause(ctx); cause != errTest || ctx.Value(key{}) != "value" {
			t.Errorf("%s: the cause is %v, the value %v", name, cause, ctx.Value(key{}))
		}
		if err := g.Wait(); err != nil {
			t.Errorf("%s: Wait = %v", name, err)
		}
	}
}

// Catches: an error that cancels only when Wait does; nothing else would end these jobs.
func TestGroupErrorEndsTheOthers(t *testing.T) {
	p := newPool(t, 3)
	g, ctx := p.Group(background)
	for range 2 {
		g.Go(func(*pool.Worker) error { <-ctx.Done(); return ctx.Err() })
	}
	g.Go(func(*pool.Worker) error { return errTest })
	if err := g.Wait(); err != errTest {
		t.Error(err)
	}
}

// Catches: a zero Group that does not work, or has a limit; one that runs elsewhere than on
// Default(); WithContext that does.
func TestGroupOnTheDefaultPool(t *testing.T) {
	defer func() { _ = pool.Default().Close(background) }()
	with, ctx := pool.WithContext(background)
	for _, g := range []*pool.Group{{}, with} {
		var other atomic.Bool
		for range 50 {
			g.Go(func(w *pool.Worker) error { other.CompareAndSwap(false, w.Pool() != pool.Default()); return errTest })
		}
		if err := g.Wait(); err != errTest || other.Load() {
			t.Errorf("%v; ran in another pool: %t", err, other.Load())
		}
	}
	if context.Cause(ctx) != errTest {
		t.Error(context.Cause(ctx))
	}
}

// Catches: a panic that is lost, that loses its stack, that does not cancel, that keeps other jobs
// from running, or that an error hides.
func TestGroupPanics(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		insideAndOutside(t, p, func(t *testing.T, g *pool.Group, ctx context.Context) {
			var others atomic.Int32
			g.Go(func(*pool.Worker) error { return errors.New("hides no panic") })
			_ = g.Wait()
			g.Go(func(*pool.Worker) error { explode(); return nil })
			for range 10 {
				g.Go(func(*pool.Worker) error { others.Add(1); return nil })
			}
			e := wantPanic(t, panicOf(func() { _ = g.Wait() }), errTest)
			if !strings.Contains(string(e.Stack), "explode") {
				t.Errorf("the stack is %s", e.Stack)
			}
			if others.Load() != 10 {
				t.Errorf("%d other jobs ran", others.Load())
			}
			if again := panicOf(func() { _ = g.Wait() }); again != any(e) {
				t.Errorf("the next Wait panicked with %v", again)
			}
		})
		g, ctx := p.Group(background)
		g.Go(func(*pool.Worker) error { explode(); return nil })
		<-ctx.Done()
		wantPanic(t, context.Cause(ctx), errTest)
		wantPanic(t, panicOf(func() { _ = g.Wait() }), errTest)
	})
}

// Catches: a Goexit that is lost, or that takes a worker, a place or a reference with it.
func TestGroupGoexit(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		g, ctx := p.Group(background)
		g.SetLimit(1)
		for range 5 {
			g.Go(func(*pool.Worker) error { runtime.Goexit(); return nil })
		}
		if err := g.Wait(); err != pool.ErrGoexit || context.Cause(ctx) != pool.ErrGoexit {
			t.Errorf("%v, cause %v", err, context.Cause(ctx))
		}
		works(t, p)
	})
}

// Catches: Wait in a job that ends with the Goexit of another before the group's jobs are over.
func TestGroupGoexitOnTopOfWait(t *testing.T) {
	p := newPool(t, 1)
	done := make([]int, 20)
	err := p.Run(background, func(w *pool.Worker) error {
		q, _ := p.Group(background)
		for i := range done {
			q.Go(func(*pool.Worker) error { done[i]++; runtime.Goexit(); return nil })
		}
		return q.Wait()
	})
	if err != pool.ErrGoexit {
		t.Error(err)
	}
	for i, n := range done {
		if n != 1 {
			t.Errorf("job %d ran %d times", i, n)
		}
	}
	works(t, p)
}

// Catches: Wait that blocks the worker, by either way to wait.
func TestGroupParentWaitsForAChildInAPoolOfOne(t *testing.T) {
	for name, wait := range map[string]func(w *pool.Worker, g *pool.Group) error{
		"Group.Wait":  func(_ *pool.Worker, g *pool.Group) error { return g.Wait() },
		"Worker.Wait": func(w *pool.Worker, g *pool.Group) error { return w.Wait(g) },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPool(t, 1)
			var nest func(depth int) func(w *pool.Worker) error
			nest = func(depth int) func(w *pool.Worker) error {
				return func(w *pool.Worker) error {
					if depth == 0 {
						return errTest
					}
					g, _ := p.Group(background)
					g.SetLimit(1)
					for range 2 {
						g.Go(nest(depth - 1))
					}
					return wait(w, g)
				}
			}
			if err := p.Run(background, nest(8)); err != errTest {
				t.Error(err)
			}
		})
	}
}

// Catches: more jobs at a time than the limit; Go that returns before its job has a place; a wait
// for a place that never ends.
func TestGroupLimit(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		for _, limit := range []int{1, 2, 5} {
			insideAndOutside(t, p, func(t *testing.T, g *pool.Group, _ context.Context) {
				g.SetLimit(limit)
				var running, over atomic.Int64
				for i := range 200 {
					g.Go(func(*pool.Worker) error {
						if n := running.Add(1); n > int64(limit) {
							t.Errorf("limit %d: %d jobs at once", limit, n)
						}
						runtime.Gosched()
						running.Add(-1)
						over.Add(1)
						return nil
					})
					if started := int64(i) + 1 - over.Load(); started > int64(limit)+1 { // one is over but for its place
						t.Errorf("limit %d: %d jobs were started and not over", limit, started)
					}
				}
				if err := g.Wait(); err != nil || over.Load() != 200 {
					t.Errorf("%v; %d jobs ran", err, over.Load())
				}
			})
		}
	})
}

// Catches: a job of the group that waits for a place which only its own end would make.
func TestGroupLimitWithinItsJobs(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		g, _ := p.Group(background)
		g.SetLimit(1)
		var running, done atomic.Int64
		var visit func(depth int) func(w *pool.Worker) error
		visit = func(depth int) func(w *pool.Worker) error {
			return func(w *pool.Worker) error {
				if running.Add(1) > 1 {
					t.Error("two at once")
				}
				defer running.Add(-1)
				done.Add(1)
				for range 3 {
					if depth > 0 {
						g.Go(visit(depth - 1))
					}
				}
				return nil
			}
		}
		g.Go(visit(5))
		if err := g.Wait(); err != nil || done.Load() != 364 { // 1 + 3 + ... + 3^5
			t.Errorf("%v; %d jobs ran", err, done.Load())
		}
	})
}

// Catches: a place that is given to a caller that is suspended beneath another one which waits, too.
func TestGroupLimitWithManyProducers(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		g, _ := p.Group(background)
		g.SetLimit(1)
		var done atomic.Int64
		producers, _ := p.Group(background)
		for range 20 {
			producers.Go(func(*pool.Worker) error {
				for range 20 {
					g.Go(func(*pool.Worker) error { runtime.Gosched(); done.Add(1); return nil })
				}
				return nil
			})
		}
		if err := producers.Wait(); err != nil {
			t.Error(err)
		}
		if err := g.Wait(); err != nil || done.Load() != 400 {
			t.Errorf("%v; %d jobs ran", err, done.Load())
		}
	})
}

// Catches: TryGo that exceeds the limit, or keeps a place.
func TestGroupTryGo(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		g, _ := p.Group(background)
		g.SetLimit(2)
		for range 3 {
			end := newGate()
			wait := func(*pool.Worker) error { end.wait(); return nil }
			started := 0
			for range 3 {
				if g.TryGo(wait) {
					started++
				}
			}
			if started != 2 {
				t.Errorf("%d of three jobs started, want two", started)
			}
			end.open()
			if err := g.Wait(); err != nil {
				t.Error(err)
			}
		}
		g.SetLimit(0)
		if g.TryGo(func(*pool.Worker) error { return nil }) {
			t.Error("limit 0: want none")
		}
		g.SetLimit(-1)
		for range 100 {
			if !g.TryGo(func(*pool.Worker) error { return nil }) {
				t.Error("no limit: want all")
			}
		}
		if err := g.Wait(); err != nil {
			t.Error(err)
		}
	})
}

// Catches: an option that is changed under jobs that use it; one that Wait leaves locked.
func TestGroupOptionsWantNoActiveJobs(t *testing.T) {
	p := newPool(t, 1)
	g, _ := p.Group(background)
	end := newGate()
	g.Go(func(*pool.Worker) error { end.wait(); return nil })
	for want, set := range map[string]func(){
		"pool: Group.SetLimit(3) while jobs are active (1): want it before the first Go, or after Wait":       func() { g.SetLimit(3) },
		"pool: Group.SetBlocking(true) while jobs are active (1): want it before the first Go, or after Wait": func() { g.SetBlocking(true) },
	} {
		if got := fmt.Sprint(panicOf(set)); got != want {
			t.Errorf("panicked with %q, want %q", got, want)
		}
	}
	end.open()
	if err := g.Wait(); err != nil {
		t.Error(err)
	}
	g.SetLimit(3)
	g.SetBlocking(true)
}

// Catches: a group that says nothing of a closed pool, or counts what has not started; a pool that
// ends under a group, or refuses the jobs of its own jobs.
func TestGroupAndClose(t *testing.T) {
	p, err := pool.New(2)
	if err != nil {
		t.Fatal(err)
	}
	g, _ := p.Group(background)
	started, end := newGate(), newGate()
	ran := false
	g.Go(func(*pool.Worker) error {
		started.open()
		end.wait()
		inner, _ := p.Group(background)
		inner.Go(func(*pool.Worker) error { ran = true; return nil })
		return inner.Wait()
	})
	started.wait()
	closing, cancel := context.WithCancel(background)
	cancel()
	if err := p.Close(closing); !errors.Is(err, context.Canceled) {
		t.Errorf("Close over an active job: %v", err)
	}
	late, ctx := p.Group(background)
	late.SetLimit(1)
	for range 2 {
		late.Go(func(*pool.Worker) error { t.Error("a closed pool ran a job"); return nil })
		if late.TryGo(func(*pool.Worker) error { t.Error("a closed pool ran a job"); return nil }) {
			t.Error("TryGo")
		}
	}
	if err := late.Wait(); err != pool.ErrClosed || context.Cause(ctx) != pool.ErrClosed {
		t.Errorf("%v, cause %v", err, context.Cause(ctx))
	}
	end.open()
	if err := g.Wait(); err != nil || !ran {
		t.Errorf("%v; the job's job ran: %t", err, ran)
	}
	if err := p.Close(background); err != nil {
		t.Error(err)
	}
}

// Catches: a wait that would never end, and is not given up.
func TestGroupWaitInItsOwnJob(t *testing.T) {
	p := newPool(t, 1)
	g, _ := p.Group(background)
	g.Go(func(w *pool.Worker) error {
		if err := w.Wait(g); !isDeadlock(err, "Worker.Wait") {
			t.Error(err)
		}
		inner, _ := p.Group(background)
		inner.Go(func(*pool.Worker) error { return g.Wait() })
		return inner.Wait()
	})
	if err := g.Wait(); !isDeadlock(err, "Group.Wait") {
		t.Error(err)
	}
}

func isDeadlock(err error, entry string) bool {
	var d *pool.DeadlockError
	return errors.As(err, &d) && d.Entry == entry && strings.Contains(d.Error(), "is a job of the group that it waits for")
}

// Catches: blocking jobs that hold their workers: these wait for each other.
func TestGroupBlocking(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		insideAndOutside(t, p, func(t *testing.T, g *pool.Group, _ context.Context) {
			g.SetBlocking(true)
			g.SetLimit(8)
			for range 3 {
				var meet sync.WaitGroup
				meet.Add(8)
				for range 8 {
					g.Go(func(*pool.Worker) error { meet.Done(); meet.Wait(); return nil })
				}
				if err := g.Wait(); err != nil {
					t.Error(err)
				}
			}
		})
		works(t, p)
	})
}

// Catches: nested groups of blocking jobs that use up all spares, and then wait for each other.
func TestGroupBlockingNestedWithoutSpares(t *testing.T) {
	p := newPool(t, 1, pool.WithSpares(1))
	g, _ := p.Group(background)
	g.SetBlocking(true)
	var done atomic.Int32
	for range 10 {
		g.Go(func(*pool.Worker) error {
			inner, _ := p.Group(background)
			inner.SetBlocking(true)
			for range 3 {
				inner.Go(func(*pool.Worker) error { done.Add(1); return nil })
			}
			return inner.Wait()
		})
	}
	if err := g.Wait(); err != nil || done.Load() != 30 {
		t.Errorf("%v; %d jobs", err, done.Load())
	}
}

// Catches: an isolated wait that runs anything but the group's jobs, or not those.
func TestGroupIsolated(t *testing.T) {
	for _, spares := range []int{0, 2} {
		p := newPool(t, 1, pool.WithSpares(spares))
		run(t, p, func(w *pool.Worker) {
			within := true
			w.Go(func(*pool.Worker) {
				if spares == 0 && within {
					t.Error("ran on top of an isolated wait")
				}
			})
			w.Isolated(func(w *pool.Worker) {
				g, _ := p.Group(background)
				g.SetLimit(2)
				var done atomic.Int32
				for range 10 {
					g.Go(func(*pool.Worker) error {
						g.Go(func(*pool.Worker) error { done.Add(1); return nil })
						return nil
					})
				}
				if err := g.Wait(); err != nil || done.Load() != 10 {
					t.Errorf("%d spares: %v; %d jobs", spares, err, done.Load())
				}
			})
			within = false
		})
	}
}

// Catches: a group of another pool whose wait blocks the worker, or its pool; jobs in the wrong
// pool.
func TestGroupOfAnotherPool(t *testing.T) {
	a, b := newPool(t, 1), newPool(t, 1)
	run(t, a, func(*pool.Worker) {
		g, _ := b.Group(background)
		g.SetLimit(2)
		for range 10 {
			g.Go(func(w *pool.Worker) error {
				if w.Pool() != b {
					t.Error("ran in the wrong pool")
				}
				back, _ := a.Group(background)
				back.Go(func(w *pool.Worker) error {
					if w.Pool() != a {
						t.Error("ran in the wrong pool")
					}
					return errTest
				})
				return back.Wait()
			})
		}
		if err := g.Wait(); err != errTest {
			t.Error(err)
		}
	})
}

// Catches: a group that finds its caller by the goroutine that was the worker before a Goexit.
func TestGroupAfterAGoexitOfItsWorker(t *testing.T) {
	p := newPool(t, 1)
	g, _ := p.Group(background)
	for range 10 {
		if err := p.Run(background, func(*pool.Worker) error {
			g.Go(func(*pool.Worker) error { return nil })
			_ = g.Wait()
			runtime.Goexit()
			return nil
		}); err != pool.ErrGoexit {
			t.Error(err)
		}
	}
	if err := g.Wait(); err != nil {
		t.Error(err)
	}
	works(t, p)
}

// Catches: a function, or a pool, that is missed only when a worker needs it.
func TestGroupOfNothing(t *testing.T) {
	p := newPool(t, 1)
	g, _ := p.Group(background)
	for entry, call := range map[string]func(){
		"Go":    func() { g.Go(nil) },
		"TryGo": func() { g.TryGo(nil) },
	} {
		if v := panicOf(call); v != any(pool.ErrNoFunction) {
			t.Errorf("%s(nil) panicked with %v", entry, v)
		}
	}
	var none *pool.Pool
	if v := panicOf(func() { none.Group(background) }); v != any(pool.ErrNoPool) {
		t.Errorf("a nil pool's Group panicked with %v", v)
	}
	if err := g.Wait(); err != nil {
		t.Error(err)
	}
}

// Catches: waiters of a group of which only one is woken.
func TestGroupHasManyWaiters(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		g, _ := p.Group(background)
		end := newGate()
		g.Go(func(*pool.Worker) error { end.wait(); return errTest })
		var waiters sync.WaitGroup
		for range 5 {
			waiters.Go(func() {
				if err := g.Wait(); err != errTest {
					t.Error(err)
				}
			})
		}
		end.open()
		waiters.Wait()
	})
}

// Catches: allocations that a job of a group needs and one of Worker.Go does not.
func TestGroupAllocates(t *testing.T) {
	p := newPool(t, 1)
	run(t, p, func(w *pool.Worker) {
		g, _ := p.Group(background)
		f := func(*pool.Worker) error { return nil }
		if n := testing.AllocsPerRun(100, func() {
			for range 100 {
				g.Go(f)
			}
			_ = g.Wait()
		}); n > 105 {
			t.Errorf("%v allocations for 100 jobs", n)
		}
	})
}

// Catches: isolated waiters of one group whose list is changed by several at a time: the race
// detector sees that.
func TestGroupHasManyIsolatedWaiters(t *testing.T) {
	const waiters = 4
	p := newPool(t, waiters)
	for range 20 {
		g, _ := p.Group(background)
		var ran atomic.Int64
		waiting := make(chan struct{}, waiters)
		g.Go(func(*pool.Worker) error {
			for range waiters - 1 {
				<-waiting
			}
			return nil
		})
		var all sync.WaitGroup
		for range waiters - 1 {
			all.Go(func() {
				run(t, p, func(w *pool.Worker) {
					w.Isolated(func(*pool.Worker) {
						g.Go(func(*pool.Worker) error { ran.Add(1); return nil })
						waiting <- struct{}{}
						if err := g.Wait(); err != nil {
							t.Error(err)
						}
					})
				})
			})
		}
		all.Wait()
		if n := ran.Load(); n != waiters-1 {
			t.Errorf("%d jobs ran, want %d", n, waiters-1)
		}
	}
}
