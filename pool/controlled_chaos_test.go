//go:build chaos

package pool_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/channel"
	hookscontext "github.com/rouse-go/rouse/hooks/context"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/hooks/time"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
)

// small is a pool in which rare things are frequent: workers are sleepy at once, and
// the counter has one bit.
func small(workers int) *pool.Pool {
	p, err := pool.New(workers, pool.WithDequeCapacity(2), pool.WithSpares(1), pool.WithSleep(
		sleep.WithWidths(sleep.Widths{Sleeping: 4, Inactive: 4, JEC: 1}), sleep.WithRoundsUntilSleepy(0)))
	if err != nil {
		panic(err)
	}
	return p
}

// closed closes the pool, as every program does in the end. Nothing is left in it.
func closed(p *pool.Pool) {
	if err := p.Close(context.Background()); err != nil {
		panic(err)
	}
	s := p.State()
	left := s.Injected
	for _, w := range s.Workers {
		left += w.Jobs + w.Broadcasts
	}
	if left > 0 {
		panic(fmt.Sprintf("closed, with %d jobs in its queues: %v", left, s))
	}
}

// enter runs f in the pool.
func enter(p *pool.Pool, f func(w *pool.Worker)) {
	if err := p.Run(context.Background(), func(w *pool.Worker) error { f(w); return nil }); err != nil {
		panic(err)
	}
}

// Programs that use the pool as it ships, under control: each entry that waits, and
// what crosses pools.
var controlledPrograms = map[string]func(c *chaos.C, workers int, small func(workers int) *pool.Pool){
	"jobs, and close": func(c *chaos.C, workers int, small func(workers int) *pool.Pool) {
		p := small(workers)
		for range 2 {
			if err := p.Go(func(*pool.Worker) {}); err != nil {
				panic(err)
			}
		}
		closed(p)
	},
	"joins": func(c *chaos.C, workers int, small func(workers int) *pool.Pool) {
		p := small(workers)
		defer closed(p)
		sum := 0
		enter(p, func(w *pool.Worker) { sum = smallFib(w, 4) })
		if sum != 3 {
			c.Errorf("fib(4) = %d", sum)
		}
	},
	"a scope": func(c *chaos.C, workers int, small func(workers int) *pool.Pool) {
		p := small(workers)
		defer closed(p)
		ran := make([]bool, 4)
		enter(p, func(w *pool.Worker) {
			w.Scope(func(s *pool.Scope) {
				for i := range ran {
					s.Go(w, func(*pool.Worker) { ran[i] = true })
				}
			})
		})
		for i, r := range ran {
			if !r {
				c.Errorf("spawn %d did not run", i)
			}
		}
	},
	"a broadcast": func(c *chaos.C, workers int, small func(workers int) *pool.Pool) {
		p := small(workers)
		defer closed(p)
		ran := make([]int, workers)
		if err := p.Broadcast(context.Background(), func(w *pool.Worker) { ran[w.Index()]++ }); err != nil {
			panic(err)
		}
		for i, n := range ran {
			if n != 1 {
				c.Errorf("worker %d ran it %d times", i, n)
			}
		}
	},
	"two pools that run into each other": func(c *chaos.C, workers int, small func(workers int) *pool.Pool) {
		a, b := small(workers), small(1)
		defer closed(a)
		defer closed(b)
		deep := false
		enter(a, func(w *pool.Worker) {
			err := w.Run(b, func(w *pool.Worker) error {
				return w.Run(a, func(*pool.Worker) error { deep = true; return nil })
			})
			if err != nil {
				panic(err)
			}
		})
		if !deep {
			c.Errorf("the inner run did not happen")
		}
	},
	"a future": func(c *chaos.C, workers int, small func(workers int) *pool.Pool) {
		p := small(workers)
		defer closed(p)
		f := pool.Submit(context.Background(), p, func(w *pool.Worker) (int, error) {
			return pool.Spawn(w, func(*pool.Worker) (int, error) { return 7, nil }).Await(w)
		})
		if v, err := f.Wait(context.Background()); v != 7 || err != nil {
			c.Errorf("%d, %v", v, err)
		}
	},
	"a future's channel": func(c *chaos.C, workers int, small func(workers int) *pool.Pool) {
		p := small(workers)
		defer closed(p)
		f := pool.Submit(context.Background(), p, func(*pool.Worker) (int, error) { return 1, nil })
		c.Go(func() { channel.Receive(f.Done()) })
		enter(p, func(w *pool.Worker) {
			f := pool.Spawn(w, func(*pool.Worker) (int, error) { return 1, nil })
			w.Blocking(func() { channel.Receive(f.Done()) })
			if !f.Ready() {
				c.Errorf("the channel was closed before there was a result")
			}
		})
	},
	"a job that blocks": func(c *chaos.C, workers int, small func(workers int) *pool.Pool) {
		p := small(workers)
		defer closed(p)
		enter(p, func(w *pool.Worker) {
			f := pool.Spawn(w, func(*pool.Worker) (int, error) { return 1, nil })
			w.Blocking(func() {
				if _, err := f.Wait(context.Background()); err != nil {
					panic(err)
				}
			})
		})
	},
	"an isolated wait": func(c *chaos.C, workers int, small func(workers int) *pool.Pool) {
		p := small(workers)
		defer closed(p)
		inside, intruded := false, false
		enter(p, func(w *pool.Worker) {
			w.Scope(func(s *pool.Scope) {
				index := w.Index()
				s.Go(w, func(w *pool.Worker) { intruded = intruded || w.Index() == index && inside })
				w.Isolated(func(w *pool.Worker) {
					inside = true
					w.Join(func(*pool.Worker) {}, func(*pool.Worker) {})
					inside = false
				})
			})
		})
		if intruded {
			c.Errorf("an isolated wait ran an unrelated job")
		}
	},
	"isolated scopes, whose waiter takes the job before its ticket is used": func(c *chaos.C, workers int, small func(workers int) *pool.Pool) {
		p := small(workers)
		defer closed(p)
		ran := make([]bool, 3)
		enter(p, func(w *pool.Worker) {
			w.Isolated(func(w *pool.Worker) {
				w.Scope(func(s *pool.Scope) {
					s.Go(w, func(w *pool.Worker) {
						s.Go(w, func(*pool.Worker) { ran[0] = true })
						s.GoN(nil, 2, func(_ *pool.Worker, i int) { ran[1+i] = true })
					})
				})
			})
		})
		for i, r := range ran {
			if !r {
				c.Errorf("spawn %d did not run", i)
			}
		}
	},
	"a run that is cancelled": func(c *chaos.C, workers int, small func(workers int) *pool.Pool) {
		p := small(workers)
		defer closed(p)
		ctx, cancel := hookscontext.WithCancel(context.Background())
		c.Go(cancel)
		ran := false
		err := p.Run(ctx, func(*pool.Worker) error { ran = true; return nil })
		switch {
		case err == nil && !ran:
			c.Errorf("a run that did not run returned no error")
		case err != nil && !errors.Is(err, context.Canceled):
			c.Errorf("a cancelled run returned %v", err)
		}
	},
	"a place in the queue, or none": func(c *chaos.C, workers int, small func(workers int) *pool.Pool) {
		p, err := pool.New(workers, pool.WithMaxInjected(1))
		if err != nil {
			panic(err)
		}
		defer closed(p)
		ctx, cancel := hookscontext.WithTimeout(context.Background(), time.Second)
		defer cancel()
		for range 3 {
			c.Go(func() {
				if err := p.GoContext(ctx, func(*pool.Worker) {}); err != nil {
					c.Errorf("GoContext: %v", err) // time is virtual: it cannot pass while any task can continue
				}
			})
		}
		enter(p, func(*pool.Worker) {})
		time.Sleep(time.Minute)
	},
	"a close that is given up": func(c *chaos.C, workers int, small func(workers int) *pool.Pool) {
		p := small(workers)
		ctx, cancel := hookscontext.WithCancel(context.Background())
		c.Go(cancel)
		if err := p.Go(func(*pool.Worker) {}); err != nil {
			panic(err)
		}
		if err := p.Close(ctx); err != nil && !errors.Is(err, context.Canceled) {
			c.Errorf("Close: %v", err)
		}
		closed(p)
	},
	"a panic, and a Goexit": func(c *chaos.C, workers int, small func(workers int) *pool.Pool) {
		p := small(workers)
		defer closed(p)
		func() {
			defer func() {
				v := recover()
				if hooks.Unwinding(v) {
					panic(v)
				}
				if v == nil {
					c.Errorf("a panic ended a run without a word")
				}
			}()
			enter(p, func(w *pool.Worker) {
				w.Join(func(*pool.Worker) { panic("bang") }, func(*pool.Worker) {})
			})
		}()
		if err := p.Run(context.Background(), func(*pool.Worker) error { runtime.Goexit(); return nil }); !errors.Is(err, pool.ErrGoexit) {
			c.Errorf("a Goexit ended a run with %v", err)
		}
	},
}

// Catches: a worker that blocks with a job in its deque, while another one sleeps that
// missed the post, because the counter rolled over, or because its searches
// failed. Any other worker comes to such a job when its own is done; one that blocks for the job's
// sake does not.
func TestNobodySleepsWhileWhoBlocksHasJobs(t *testing.T) {
	executions := 3_000
	if raceDetector() || testing.Short() {
		executions = 100
	}
	small := func(workers, spares int) *pool.Pool {
		p, err := pool.New(workers, pool.WithSpares(spares), pool.WithSleep(
			sleep.WithWidths(sleep.Widths{Sleeping: 4, Inactive: 4, JEC: 1}), sleep.WithRoundsUntilSleepy(0)))
		if err != nil {
			panic(err)
		}
		return p
	}
	t.Run("the counter rolls over", func(t *testing.T) {
		chaos.Explore(t, func(*chaos.C) {
			p := small(3, 0)
			defer closed(p)
			enter(p, func(w *pool.Worker) {
				var first, second sync.WaitGroup
				first.Add(1)
				second.Add(1)
				w.Go(func(w *pool.Worker) {
					w.Blocking(second.Wait)
					first.Done()
				})
				w.Go(func(*pool.Worker) { second.Done() })
				w.Blocking(first.Wait)
			})
		}, chaos.WithStrategy(strategy.POS()), chaos.WithExecutions(executions))
	})
	t.Run("searches fail", func(t *testing.T) {
		chaos.Explore(t, func(*chaos.C) {
			p := small(2, 1)
			defer closed(p)
			enter(p, func(w *pool.Worker) {
				var done sync.WaitGroup
				done.Add(1)
				w.Go(func(*pool.Worker) { done.Done() })
				w.Blocking(func() {
					w.Go(func(*pool.Worker) {}) // a blocking worker may still post
					done.Wait()
				})
			})
		}, chaos.WithStrategy(strategy.POS()), chaos.WithExecutions(executions), chaos.WithPlan(chaos.Plan{
			Faults: []chaos.Fault{{At: "pool/search-victim", Kind: hooks.Fails, Probability: 0.5, Count: 6}},
		}))
	})
}

func smallFib(w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	var a, b int
	w.Join(func(w *pool.Worker) { a = smallFib(w, n-1) }, func(w *pool.Worker) { b = smallFib(w, n-2) })
	return a + b
}

// Every strategy that is to lose nothing comes through the pool's programs. What their
// searches find is watched. TestLossyStrategiesLose has the others.
func TestThePoolUnderControlWithEveryStrategy(t *testing.T) {
	executions := 60
	if raceDetector() || testing.Short() {
		executions = 2
	}
	for _, v := range sleep.Variants()[1:] {
		if v.Lossy {
			continue
		}
		for name, program := range controlledPrograms {
			for _, s := range []strategy.Strategy{strategy.Random(), strategy.PCTCycle(), strategy.POS()} {
				t.Run(fmt.Sprintf("%s/%s/%s", v.Name, name, s.Name()), func(t *testing.T) {
					chaos.Explore(t, func(c *chaos.C) {
						seen := &pool.Searches{Controlled: true}
						program(c, 2, func(workers int) *pool.Pool {
							p, err := pool.New(workers, pool.WithDequeCapacity(2), pool.WithSpares(1), pool.WithSleep(atOnce(v.Name, 1)...), seen.Watch())
							if err != nil {
								panic(err)
							}
							return p
						})
						if len(seen.Overlooked) > 0 {
							c.Errorf("%s", seen.Overlooked)
						}
					}, chaos.WithStrategy(s), chaos.WithExecutions(executions))
				})
			}
		}
	}
}

func TestThePoolUnderControl(t *testing.T) {
	executions := 200
	if raceDetector() || testing.Short() {
		executions = 10
	}
	for name, program := range controlledPrograms {
		for _, workers := range []int{1, 2, 3} {
			for _, by := range []func() strategy.Strategy{strategy.Random, strategy.PCTCycle} {
				s := by()
				t.Run(fmt.Sprintf("%s/%d/%s", name, workers, s.Name()), func(t *testing.T) {
					chaos.Explore(t, func(c *chaos.C) { program(c, workers, small) }, chaos.WithStrategy(s), chaos.WithExecutions(executions))
				})
			}
		}
	}
}

// BenchmarkUnderControl: a pool of two workers, two jobs, and its end.
func BenchmarkUnderControl(b *testing.B) {
	e, err := control.New(control.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	n := 0
	for b.Loop() {
		r, _ := e.Run(uint64(n), func() {
			p, err := pool.New(2)
			if err != nil {
				panic(err)
			}
			for range 2 {
				if err := p.Go(func(*pool.Worker) {}); err != nil {
					panic(err)
				}
			}
			closed(p)
		})
		if r.Verdict != verdict.Pass {
			b.Fatal(r.Verdict, r.Summary)
		}
		n++
	}
}

// TestDefaultIsStartedOnce: goroutines that ask for the default pool at the same time get the same one.
func TestDefaultIsStartedOnce(t *testing.T) {
	t.Cleanup(pool.ForgetDefault)
	chaos.Explore(t, func(c *chaos.C) {
		pool.ForgetDefault()
		var pools [2]*pool.Pool
		var over sync.WaitGroup
		over.Add(len(pools))
		for i := range pools {
			go hooks.Task(func() {
				defer over.Done()
				pools[i] = pool.Default()
			})()
		}
		over.Wait()
		if pools[0] != pools[1] {
			c.Errorf("two goroutines got two default pools")
			closed(pools[1])
		}
		closed(pools[0])
	}, chaos.WithExecutions(100))
}
