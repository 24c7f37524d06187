//go:build chaos

package control

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/channel"
	"github.com/rouse-go/rouse/hooks/sync"
)

// pollThenSleep loses a wakeup if the waiter polls to the end of its loop before the
// flag is set: it announces its sleep only after its last look.
func pollThenSleep(e *Engine, rounds int, yields bool) func() {
	return func() {
		var flag, sleeps atomic.Bool
		var mu sync.Mutex
		cond := sync.NewCond(&mu)
		woken := false
		e.Go(func() {
			for range rounds {
				if flag.Load() {
					return
				}
				if yields {
					hooks.Gosched()
				}
			}
			if flag.Load() {
				return
			}
			sleeps.Store(true) // too late: the setter may have looked
			mu.Lock()
			for !woken {
				cond.Wait()
			}
			mu.Unlock()
		})
		flag.Store(true)
		if sleeps.Load() {
			mu.Lock()
			woken = true
			cond.Signal()
			mu.Unlock()
		}
	}
}

// everyStrategy are the strategies by name, and executions in which each finds what
// pollThenSleep has: about three times what the worst of ten seeds needed.
var everyStrategy = map[string]int{
	"random": 20_000, "pct": 10_000, "pct(3)": 10_000, "pos": 10_000, "urw": 20_000, "surw": 10_000, "portfolio": 10_000,
	"dfs": 100, "dfs(2)": 100, "dpor": 50,
}

// startAlone is start for subjects of which nothing is outside: a stuck execution is not
// waited for.
func startAlone(t *testing.T, o Options) *Engine {
	t.Helper()
	o.Grace = -1
	return start(t, o)
}

func parsed(t *testing.T, name string) strategy.Strategy {
	t.Helper()
	s, err := strategy.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A loop that is bounded comes to its end although others could continue, under every
// strategy, and in about as many executions whether it has eight rounds or a thousand.
func TestPollsComeToTheirEnd(t *testing.T) {
	for name, most := range everyStrategy {
		for _, yields := range []bool{false, true} {
			for _, rounds := range []int{1, 8, 32, 1000} {
				for seed := range uint64(3) {
					e := startAlone(t, Options{Strategy: parsed(t, name)})
					n, found := 0, false
					for ; n < most && !found; n++ {
						r, more := e.Run(strategy.ChildKey(strategy.ChildKey(seed, 0), n), pollThenSleep(e, rounds, yields))
						if !more {
							break
						}
						found = r.Verdict == verdict.Leak
					}
					e.Close()
					if !found {
						t.Errorf("%s, %d rounds, yields: %v, seed %d: the lost wakeup is not found in %d executions", name, rounds, yields, seed, n)
					}
				}
			}
		}
	}
}

// A spinner is a program with loops that have no bound but another task's writes.
var spinLoops = map[string]func(e *Engine, yield func()){
	"a flag": func(e *Engine, yield func()) {
		var flag atomic.Bool
		var other atomic.Int64
		e.Go(func() {
			for !flag.Load() {
				yield()
			}
		})
		for range 50 {
			other.Add(1)
		}
		flag.Store(true)
	},
	"two that wait for each other in turn": func(e *Engine, yield func()) {
		var turn atomic.Int64
		wait := func(mine int64) {
			for i := range int64(5) {
				for turn.Load() != 2*i+mine {
					yield()
				}
				turn.Add(1)
			}
		}
		e.Go(func() { wait(0) })
		wait(1)
	},
	"a backoff": func(e *Engine, yield func()) {
		var flag atomic.Bool
		e.Go(func() {
			for pause := 1; !flag.Load(); pause = min(2*pause, 64) {
				for range pause {
					yield()
				}
			}
		})
		e.Go(func() { flag.Store(true) })
	},
	"a spin lock": func(e *Engine, yield func()) {
		var lock atomic.Bool
		n := 0
		for range 3 {
			e.Go(func() {
				for range 3 {
					for !lock.CompareAndSwap(false, true) {
						yield()
					}
					n++
					lock.Store(false)
				}
			})
		}
	},
	"one that is written often": func(e *Engine, yield func()) {
		var count atomic.Int64
		e.Go(func() {
			for count.Load() < 300 {
				yield()
			}
		})
		for range 300 {
			count.Add(1)
		}
	},
	"a poll of a channel": func(e *Engine, yield func()) {
		c := make(chan int)
		e.Go(func() {
			for channel.Select(channel.OnReceive(c, nil, nil), channel.Default) != 0 {
				yield()
			}
		})
		channel.Send(c, 1)
	},
}

// Loops that only others end do end, and cost no more steps than a task may make alone.
func TestSpinLoopsEnd(t *testing.T) {
	for name, loop := range spinLoops {
		for by := range everyStrategy {
			for _, yield := range []func(){func() {}, hooks.Gosched} {
				e := start(t, Options{Strategy: parsed(t, by)})
				most := 0
				for n := range 100 {
					r, more := e.Run(strategy.ChildKey(1, n), func() { loop(e, yield) })
					if !more {
						break
					}
					if most = max(most, r.Steps); r.Verdict != verdict.Pass || most > 20_000 {
						t.Errorf("%s by %s, execution %d: %s after %d steps: %s", name, by, n, r.Verdict, r.Steps, r.Summary)
						break
					}
				}
				e.Close()
			}
		}
	}
}

// Loops that never end are a livelock under every strategy.
func TestLoopsThatNobodyEnds(t *testing.T) {
	for name, loop := range map[string]func(e *Engine, yield func()){
		"two readers": func(e *Engine, yield func()) {
			var a, b atomic.Bool
			e.Go(func() {
				for !a.Load() {
					yield()
				}
				b.Store(true)
			})
			for !b.Load() {
				yield()
			}
			a.Store(true)
		},
		"a compare-and-swap": func(e *Engine, yield func()) {
			var a atomic.Bool
			e.Go(func() {
				for !a.CompareAndSwap(true, false) {
					yield()
				}
			})
		},
	} {
		for by := range everyStrategy {
			for _, yield := range []func(){func() {}, hooks.Gosched} {
				e := startAlone(t, Options{Strategy: parsed(t, by), MaxSpins: 100})
				for n := range 10 {
					r, more := e.Run(strategy.ChildKey(1, n), func() { loop(e, yield) })
					if !more {
						break
					}
					if r.Verdict != verdict.Livelock || !strings.Contains(r.Summary, "main/0 ") || !strings.Contains(r.Summary, "spins_chaos_test.go") {
						t.Errorf("%s by %s, execution %d: %s after %d steps: %s", name, by, n, r.Verdict, r.Steps, r.Summary)
						break
					}
				}
				e.Close()
			}
		}
	}
}

// Straight code that looks at the same thing a few times is no loop: it continues at any
// time, against everything that others do meanwhile.
func TestLooksInARowAreNoLoop(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		e := start(t, Options{Strategy: strategy.DFS(2), Switch: how})
		seen := map[int64]bool{}
		for {
			var x, y atomic.Int64
			_, more := e.Run(1, func() {
				tasks(func() {
					for range 4 {
						x.Load()
					}
					y.Store(1)
				})
				for range 3 {
					seen[y.Load()] = true
				}
			})
			if !more {
				break
			}
		}
		if !seen[0] || !seen[1] {
			t.Errorf("seen: %v, want both before and after", seen)
		}
	})
}

// scripted lets task 0 make a few steps, then task 1 some, and then always task 0 if it
// can.
type scripted struct {
	strategy.Strategy
	first, then int
}

func (s scripted) Next(c *strategy.Choice) int {
	want := 0
	if c.Step >= s.first && c.Step < s.first+s.then {
		want = 1
	}
	for i, t := range c.Enabled {
		if t.ID == want {
			return i
		}
	}
	return c.Default
}

// A loop is seen for what it is though something was read before it that has been
// written since, before the loop was known.
func TestALoopAfterAStaleRead(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		// begin, the read, two rounds; the other begins and writes what was read before.
		e := start(t, Options{Strategy: scripted{strategy.Default(), 4, 2}, MaxSteps: 10_000, Switch: how})
		r, _ := e.Run(1, func() {
			var before atomic.Int64
			var over atomic.Bool
			tasks(func() {
				before.Store(1)
				before.Store(2)
				over.Store(true)
			})
			before.Load()
			for !over.Load() {
			}
		})
		if r.Verdict != verdict.Pass || r.Steps > 200 {
			t.Errorf("%s after %d steps: %s", r.Verdict, r.Steps, r.Summary)
		}
	})
}

// A loop that is bounded is no livelock, however much it repeats itself before it ends;
// what has been written meanwhile, by whomever, counts as progress.
func TestBoundedLoopsAreNoLivelock(t *testing.T) {
	poll := func(x *atomic.Int64, rounds int) {
		for range rounds {
			if x.Load() != 0 {
				return
			}
		}
	}
	for _, c := range []struct {
		name     string
		maxSpins int
		want     verdict.Verdict
		body     func(e *Engine)
	}{
		{"a long poll", 0, verdict.Pass, func(*Engine) {
			var x atomic.Int64
			poll(&x, 9_000)
		}},
		{"two long polls", 0, verdict.Pass, func(e *Engine) {
			var x, y atomic.Int64
			e.Go(func() { poll(&y, 4_000) })
			poll(&x, 4_000)
		}},
		{"long polls, and progress between", 0, verdict.Pass, func(*Engine) {
			var x, y atomic.Int64
			for range 5 {
				poll(&x, 9_000)
				y.Add(1)
			}
		}},
		{"more than is allowed", 100, verdict.Livelock, func(*Engine) {
			var x atomic.Int64
			poll(&x, 9_000)
		}},
		{"for ever", 0, verdict.Livelock, func(*Engine) {
			var x atomic.Int64
			for x.Load() == 0 {
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := start(t, Options{MaxSpins: c.maxSpins})
			if r, _ := e.Run(1, func() { c.body(e) }); r.Verdict != c.want {
				t.Errorf("%s: %s; want %s", r.Verdict, r.Summary, c.want)
			}
		})
	}
}
