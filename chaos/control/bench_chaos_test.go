//go:build chaos

package control

import (
	"fmt"
	"iter"
	"testing"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
)

// chaseLev is Chase and Lev's deque with sequentially consistent atomics: the owner
// pushes two and takes two, a thief steals twice.
func chaseLev(e *Engine) func() {
	return func() {
		var top, bottom atomic.Int64
		var slots [4]atomic.Int64
		e.Go(func() {
			for range 2 {
				t := top.Load()
				if t >= bottom.Load() {
					continue
				}
				slots[t%4].Load()
				top.CompareAndSwap(t, t+1)
			}
		})
		for i := range int64(2) {
			b := bottom.Load()
			top.Load()
			slots[b%4].Store(i)
			bottom.Store(b + 1)
		}
		for range 2 {
			b := bottom.Load() - 1
			bottom.Store(b)
			t := top.Load()
			if t > b {
				bottom.Store(b + 1)
				continue
			}
			slots[b%4].Load()
			if t == b {
				top.CompareAndSwap(t, t+1)
				bottom.Store(b + 1)
			}
		}
	}
}

// mutexes is eight tasks that lock and unlock one mutex, five times each.
func mutexes(e *Engine) func() {
	return func() {
		var mu sync.Mutex
		for range 8 {
			e.Go(func() {
				for range 5 {
					passThrough(&mu)
				}
			})
		}
	}
}

// Executions per second: the recording is on, as it always is.
func BenchmarkExecutions(b *testing.B) {
	for _, c := range []struct {
		name    string
		subject func(e *Engine) func()
	}{{"chase-lev", chaseLev}, {"mutexes", mutexes}} {
		for _, by := range []func() strategy.Strategy{strategy.Random, strategy.PCTCycle, strategy.POS, func() strategy.Strategy { return strategy.Portfolio() }} {
			s := by()
			b.Run(c.name+"/"+s.Name(), func(b *testing.B) {
				e, err := New(Options{Strategy: s})
				if err != nil {
					b.Fatal(err)
				}
				defer e.Close()
				body := c.subject(e)
				steps, n := 0, 0
				for b.Loop() {
					r, _ := e.Run(uint64(n), body)
					steps += r.Steps
					n++
				}
				b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "executions/s")
				b.ReportMetric(float64(steps)/float64(n), "steps/op")
			})
		}
	}
}

// BenchmarkTasks is a step of many tasks: they lock and unlock one mutex, or one each.
func BenchmarkTasks(b *testing.B) {
	for _, own := range []bool{false, true} {
		for _, name := range []string{"default", "random", "pct(3)", "pos", "surw", "urw"} {
			for _, tasks := range []int{8, 64, 512, 4096, 100_000} {
				b.Run(fmt.Sprintf("%s/%s/%d", map[bool]string{false: "one", true: "own"}[own], name, tasks), func(b *testing.B) {
					s, err := strategy.Parse(name)
					if err != nil {
						b.Fatal(err)
					}
					e, err := New(Options{Strategy: s, MaxSteps: 1 << 30})
					if err != nil {
						b.Fatal(err)
					}
					defer e.Close()
					body := lockers(e, tasks, own)
					steps, n := 0, 0
					run := func() {
						r, _ := e.Run(uint64(n), body)
						n++
						if r.Verdict != verdict.Pass {
							b.Fatal(r)
						}
						steps += r.Steps
					}
					run() // it makes the goroutines, and measures
					steps = 0
					for b.Loop() {
						run()
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
				})
			}
		}
	}
}

// lockers is tasks that lock and unlock a mutex five times each.
func lockers(e *Engine, tasks int, own bool) func() {
	return func() {
		one := new(sync.Mutex)
		for range tasks {
			mu := one
			if own {
				mu = new(sync.Mutex)
			}
			e.Go(func() {
				for range 5 {
					passThrough(mu)
				}
			})
		}
	}
}

// BenchmarkWeakExecutions is executions on weak memories, with the orders that Chase and Lev's deque needs.
func BenchmarkWeakExecutions(b *testing.B) {
	for _, m := range memories {
		b.Run(m.String(), func(b *testing.B) {
			e, err := New(Options{Memory: m})
			if err != nil {
				b.Fatal(err)
			}
			defer e.Close()
			body := ownerAndThief(e, true)
			n := 0
			for b.Loop() {
				e.Run(uint64(n), body)
				n++
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "executions/s")
		})
	}
}

// A step that stays on its task.
func BenchmarkStep(b *testing.B) {
	e, err := New(Options{Strategy: strategy.Default(), MaxSteps: 1 << 30})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	e.Run(0, func() {
		var x atomic.Uint64
		for b.Loop() {
			x.Add(1)
		}
	})
}

// BenchmarkPull is what two switches cost on this machine, bare: executions per
// second can be compared between machines by it.
func BenchmarkPull(b *testing.B) {
	next, stop := iter.Pull(func(yield func(struct{}) bool) {
		for yield(struct{}{}) {
		}
	})
	defer stop()
	for b.Loop() {
		next()
	}
}
