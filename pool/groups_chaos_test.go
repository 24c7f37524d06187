//go:build chaos

package pool_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"runtime"
	"slices"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/channel"
	hookscontext "github.com/rouse-go/rouse/hooks/context"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/hooks/time"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/stress/mutants/kill"
)

// A groupUse is a use of a pool of two workers, and of that many spares.
type groupUse struct {
	spares int
	use    func(e *control.Engine, p *pool.Pool)
}

// groupUses are what mutants of groups, of loops whose calls fail, and of spares don't survive.
var groupUses = map[string]groupUse{
	"errors":   {0, groupErrors},
	"limit":    {0, func(e *control.Engine, p *pool.Pool) { groupLimit(e, p, false) }},
	"blocking": {1, func(e *control.Engine, p *pool.Pool) { groupLimit(e, p, true) }},
	"panics":   {0, groupPanics},
	"isolated": {0, groupIsolated},
	"loops":    {0, loopErrors},
	"results":  {0, groupResults},
	"breaks":   {0, groupBreaks},
	"spares":   {1, sparesUsedAgain},
	"meet":     {2, sparesMeet},
	"timer":    {1, sparesNotNeeded},
	"retires":  {2, spareRetires},
}

// groups runs one of these uses.
func groups(words string) (kill.Program, error) {
	u, ok := groupUses[words]
	if !ok {
		return kill.Program{}, fmt.Errorf("unknown use %q; %s", nearest.Clip(words), nearest.Hint(words, slices.Sorted(maps.Keys(groupUses))))
	}
	return kill.Program{Body: func(e *control.Engine) {
		p, err := pool.New(2, pool.WithDequeCapacity(2), pool.WithSpares(u.spares), pool.WithSleep(atOnce("", 1)...))
		if err != nil {
			panic(err)
		}
		u.use(e, p)
		closed(p)
	}}, nil
}

// groupErrors has two jobs fail, and one that waits for the context to end.
func groupErrors(e *control.Engine, p *pool.Pool) {
	g, ctx := p.Group(context.Background())
	g.Go(func(*pool.Worker) error { return errors.New("one") })
	g.Go(func(*pool.Worker) error { return errors.New("two") })
	g.Go(func(*pool.Worker) error { channel.Receive(ctx.Done()); return nil })
	if err, cause := g.Wait(), hookscontext.Cause(ctx); err == nil || err != cause {
		e.Fail(verdict.WrongResult, fmt.Sprintf("Wait returns %v, and the cause of the context is %v", err, cause))
	}
}

// groupLimit has two more jobs than the limit allows, twice.
func groupLimit(e *control.Engine, p *pool.Pool, blocking bool) {
	const limit = 1
	g, _ := p.Group(context.Background())
	g.SetLimit(limit)
	g.SetBlocking(blocking)
	var active, ran atomic.Int64
	for round := range 2 {
		enter(p, func(*pool.Worker) {
			for range limit + 2 {
				g.Go(func(*pool.Worker) error {
					if n := active.Add(1); n > limit {
						e.Fail(verdict.Invariant, fmt.Sprintf("%d jobs of a group are active, want at most %d", n, limit))
					}
					ran.Add(1)
					active.Add(-1)
					return nil
				})
			}
			_ = g.Wait()
		})
		if n, want := ran.Load(), int64(round+1)*(limit+2); n != want {
			e.Fail(verdict.LostTask, fmt.Sprintf("Wait has returned, and %d of %d jobs have run", n, want))
		}
	}
}

// groupPanics has one job fail, and then or meanwhile another panic.
func groupPanics(e *control.Engine, p *pool.Pool) {
	g, _ := p.Group(context.Background())
	g.Go(func(*pool.Worker) error { return errors.New("planned") })
	g.Go(func(*pool.Worker) error { panic("planned") })
	defer func() {
		if v, ok := recover().(*pool.PanicError); !ok || v.Value != "planned" {
			e.Fail(verdict.WrongResult, fmt.Sprintf("the panic of a job reaches Wait as %v", v))
		}
	}()
	_ = g.Wait()
}

// groupIsolated is isolated for a group.
func groupIsolated(_ *control.Engine, p *pool.Pool) {
	g, _ := p.Group(context.Background())
	enter(p, func(w *pool.Worker) {
		w.Isolated(func(w *pool.Worker) {
			g.Go(func(w *pool.Worker) error {
				var second sync.WaitGroup
				second.Add(1)
				g.Go(func(*pool.Worker) error { second.Done(); return nil })
				w.Blocking(second.Wait)
				return nil
			})
			_ = g.Wait()
		})
	})
}

// loopErrors has two calls of a loop fail.
func loopErrors(e *control.Engine, p *pool.Pool) {
	var mu sync.Mutex
	var failed []int
	enter(p, func(w *pool.Worker) {
		err := pool.ForErr(w, 4, func(_ *pool.Worker, i int) error {
			if i%3 != 0 {
				return nil
			}
			mu.Lock()
			defer mu.Unlock()
			failed = append(failed, i)
			return fmt.Errorf("call %d", i)
		}, pool.MaxLen(1))
		if want := fmt.Sprint("call ", slices.Min(failed)); err == nil || err.Error() != want {
			e.Fail(verdict.WrongResult, fmt.Sprintf("ForErr returns %v, want %s", err, want))
		}
	})
}

// groupResults counts the results that the consumer has not had.
func groupResults(e *control.Engine, p *pool.Pool) {
	const limit = 2
	g, _ := p.Group(context.Background())
	g.SetLimit(limit)
	taken, yielded := 0, 0
	values := func(yield func(int) bool) {
		for taken < 3*limit {
			if taken++; taken-yielded > 2*limit {
				e.Fail(verdict.Invariant, fmt.Sprintf("%d values are taken and not yielded, want at most %d", taken-yielded, 2*limit))
			}
			if !yield(taken - 1) {
				return
			}
		}
	}
	for v, err := range pool.Results(g, values, func(_ *pool.Worker, v int) (int, error) { return v, nil }) {
		if v != yielded || err != nil {
			e.Fail(verdict.WrongResult, fmt.Sprintf("result %d is %d, %v", yielded, v, err))
		}
		yielded++
	}
	if yielded != 3*limit {
		e.Fail(verdict.LostTask, fmt.Sprintf("%d results, want %d", yielded, 3*limit))
	}
}

// groupBreaks leaves a loop over results at the first.
func groupBreaks(e *control.Engine, p *pool.Pool) {
	g, _ := p.Group(context.Background())
	var running atomic.Int64
	f := func(_ *pool.Worker, v int) (int, error) {
		running.Add(1)
		defer running.Add(-1)
		return v, nil
	}
	for range pool.ResultsUnordered(g, slices.Values([]int{1, 2, 3}), f) {
		break
	}
	if n := running.Load(); n != 0 {
		e.Fail(verdict.LostTask, fmt.Sprintf("%d jobs run behind the loop over their results", n))
	}
	_ = g.Wait()
}

// sparesUsedAgain has each of two workers block until the other has, again and again, with one spare.
func sparesUsedAgain(e *control.Engine, p *pool.Pool) {
	for range 2 {
		var met, ended sync.WaitGroup
		met.Add(2)
		ended.Add(2)
		for range 2 {
			start(p, func(w *pool.Worker) {
				defer ended.Done()
				if w.Index() > 2 {
					e.Fail(verdict.Invariant, fmt.Sprintf("worker %d runs a job, want 2 workers and a spare", w.Index()))
				}
				w.Blocking(func() { met.Done(); met.Wait() })
			})
		}
		ended.Wait()
	}
}

// sparesNotNeeded has the spare rest and be used around the time at which it is to end.
func sparesNotNeeded(e *control.Engine, p *pool.Pool) {
	enter(p, func(w *pool.Worker) {
		for range 2 {
			w.Blocking(func() {})
			w.Blocking(func() { time.Sleep(2 * time.Second) })
		}
	})
	time.Sleep(time.Minute)
	if n := p.State().SparesAtRest; n != 0 {
		e.Fail(verdict.Leak, fmt.Sprintf("%d spares rest for a minute, want their goroutines to end", n))
	}
}

// sparesMeet has two jobs started at the same time when one spare is at rest. They wait for each other.
func sparesMeet(_ *control.Engine, p *pool.Pool) {
	g, _ := p.Group(context.Background())
	g.SetBlocking(true)
	g.Go(func(*pool.Worker) error { return nil })
	_ = g.Wait()
	var started, met sync.WaitGroup
	started.Add(2)
	met.Add(2)
	for range 2 {
		start(p, func(*pool.Worker) {
			defer started.Done()
			g.Go(func(*pool.Worker) error { met.Done(); met.Wait(); return nil })
		})
	}
	started.Wait()
	_ = g.Wait()
}

// spareRetires has a worker block twice. Two jobs block the other worker, and the spare that stood in
// the first time, until the one has run for whose sake the worker blocks again.
func spareRetires(_ *control.Engine, p *pool.Pool) {
	enter(p, func(w *pool.Worker) {
		var began, released sync.WaitGroup
		began.Add(2)
		released.Add(1)
		for range 2 {
			w.Go(func(*pool.Worker) { began.Done(); released.Wait() })
		}
		w.Blocking(began.Wait)
		w.Go(func(*pool.Worker) { released.Done() })
		w.Blocking(released.Wait)
	})
}

// Catches: what the mutants of these uses plant, or most of it: a job lost, a waiter that sleeps on, a
// limit that one more job passes, a spare that is never ended.
func TestGroupUsesUnderControl(t *testing.T) {
	most := 500
	if testing.Short() {
		most = 50
	}
	for name := range groupUses {
		for _, by := range []strategy.Strategy{strategy.Random(), strategy.PCTCycle(), strategy.POS()} {
			t.Run(name+"/"+by.Name(), func(t *testing.T) {
				p, err := groups(name)
				if err != nil {
					t.Fatal(err)
				}
				if n, _, failure := explored(t, by, most, p.Body, func(*control.Result) {}); failure != nil {
					t.Fatalf("execution %d: %s", n, summary(failure))
				}
			})
		}
	}
}

// Catches: a timer of spares that is started twice, or that stands still for good although it counts as
// running: then Close never returns.
func TestSparesRestWhileTheirTimerFires(t *testing.T) {
	for _, by := range []strategy.Strategy{strategy.Random(), strategy.PCTCycle(), strategy.POS()} {
		t.Run(by.Name(), func(t *testing.T) {
			e, err := control.New(control.Options{Strategy: by, Clock: control.Racy, Grace: -1})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			for i := range 1000 {
				r, _ := e.Run(strategy.ChildKey(1, i), func() {
					p, err := pool.New(1, pool.WithSpares(2), pool.WithSleep(atOnce("", 1)...))
					if err != nil {
						panic(err)
					}
					g, _ := p.Group(context.Background())
					g.SetBlocking(true)
					for range 2 {
						g.Go(func(*pool.Worker) error { return nil })
						g.Go(func(*pool.Worker) error { return nil })
						_ = g.Wait()
					}
					closed(p)
				})
				if r.Verdict != verdict.Pass {
					t.Fatalf("execution %d: %s: %s", i, r.Verdict, r.Summary)
				}
			}
		})
	}
}

// Catches: a spare that counts as missing when the job that it ran is over, and has given its place
// to another one, or has ended the wait for its group.
func TestSparesThatHaveRunTheirJobAreNotMissing(t *testing.T) {
	for name, start := range map[string]func(g *pool.Group){
		"in turn": func(g *pool.Group) {
			for range 3 {
				g.Go(func(*pool.Worker) error { return nil })
				_ = g.Wait()
			}
		},
		"at the limit": func(g *pool.Group) {
			g.SetLimit(1)
			g.Go(func(w *pool.Worker) error { w.Go(func(*pool.Worker) {}); return nil }) // left in its deque
			g.Go(func(*pool.Worker) error { runtime.Goexit(); return nil })
			g.Go(func(*pool.Worker) error { return nil })
		},
	} {
		for _, s := range []strategy.Strategy{strategy.Random(), strategy.PCTCycle()} {
			t.Run(name+"/"+s.Name(), func(t *testing.T) {
				chaos.Explore(t, func(c *chaos.C) {
					p, err := pool.New(1, pool.WithSpares(1), pool.WithSleep(atOnce("", 1)...))
					if err != nil {
						panic(err)
					}
					defer closed(p)
					g, _ := p.Group(context.Background())
					g.SetBlocking(true)
					start(g)
					_ = g.Wait()
					if n := p.Stats().SparesMissing; n > 0 {
						c.Errorf("a spare was missing %d times, though no two jobs were active at a time", n)
					}
				}, chaos.WithStrategy(s), chaos.WithExecutions(300))
			})
		}
	}
}

// Catches: a first job that is not counted, since another one is the first, too; a first error that
// another one replaces, so that Wait and the context differ; a result that comes when its consumer,
// an outsider, is about to wait for it.
func TestGroupsOfAnOutsiderUnderControl(t *testing.T) {
	for name, use := range map[string]func(c *chaos.C, p *pool.Pool){
		"two fail": func(c *chaos.C, p *pool.Pool) {
			g, ctx := p.Group(context.Background())
			g.Go(func(*pool.Worker) error { return errors.New("one") })
			g.Go(func(*pool.Worker) error { return errors.New("two") })
			if err, cause := g.Wait(), hookscontext.Cause(ctx); err == nil || err != cause {
				c.Errorf("Wait = %v, and the cause of the context is %v", err, cause)
			}
		},
		"two start the first job": func(c *chaos.C, p *pool.Pool) {
			g, _ := p.Group(context.Background())
			var both sync.WaitGroup
			both.Add(2)
			for range 2 {
				go hooks.Task(func() {
					defer both.Done()
					var ran atomic.Bool
					g.Go(func(*pool.Worker) error { ran.Store(true); return nil })
					if _ = g.Wait(); !ran.Load() {
						c.Errorf("Wait has returned, and a job has not run")
					}
				})()
			}
			both.Wait()
		},
		"Results": func(c *chaos.C, p *pool.Pool) {
			g, _ := p.Group(context.Background())
			outsideResults(c, pool.Results(g, slices.Values([]int{0, 1}), itself))
		},
		"ResultsUnordered": func(c *chaos.C, p *pool.Pool) {
			g, _ := p.Group(context.Background())
			outsideResults(c, pool.ResultsUnordered(g, slices.Values([]int{0, 1}), itself))
		},
	} {
		for _, s := range []strategy.Strategy{strategy.Random(), strategy.PCTCycle()} {
			t.Run(name+"/"+s.Name(), func(t *testing.T) {
				chaos.Explore(t, func(c *chaos.C) {
					p, err := pool.New(2, pool.WithSleep(atOnce("", 1)...))
					if err != nil {
						panic(err)
					}
					defer closed(p)
					use(c, p)
				}, chaos.WithStrategy(s), chaos.WithExecutions(300))
			})
		}
	}
}

func itself(_ *pool.Worker, v int) (int, error) { return v, nil }

// outsideResults wants each of the results 0 and 1 once.
func outsideResults(c *chaos.C, results iter.Seq2[int, error]) {
	var got []int
	for v, err := range results {
		if err != nil {
			c.Errorf("result %d: %v", v, err)
		}
		got = append(got, v)
	}
	if slices.Sort(got); !slices.Equal(got, []int{0, 1}) {
		c.Errorf("the results are %v, want 0 and 1", got)
	}
}
