package real_test

import (
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// Catches: a task that works for long while another could continue, and gets no more than some thousand steps for it.
func TestRuntimeWorks(t *testing.T) {
	for _, name := range []string{"dfs", "dfs(1)", "dpor"} {
		for _, steps := range []int{1_000, 5_000, 12_000, 200_000} {
			for _, first := range []bool{true, false} { // the task that works is the first one
				s, _ := strategy.Parse(name)
				f, e := newFake(t, control.Options{Strategy: s})
				rounds := uint64(0)
				f.state = func() uint64 { rounds++; return rounds }
				failed := false
				for range 50 {
					r, more := e.Run(1, func() {
						private, lock, flag := new(int32), new(int32), new(int32)
						works := func() {
							for range steps / 4 {
								f.store(private, 1)
								f.lock(lock)
								f.unlock(lock)
							}
							if f.load(flag) == 0 {
								e.Fail(verdict.WrongResult, "")
							}
						}
						sets := func() { f.store(flag, 1) }
						if !first {
							works, sets = sets, works
						}
						ended, waits := false, false
						f.Go(func() {
							sets()
							if ended = true; waits {
								f.wake(0)
							}
						})
						works()
						if waits = !ended; waits {
							f.park("chan receive")
						}
					})
					if failed = r.Verdict == verdict.WrongResult; failed || !more {
						break
					}
				}
				if !failed {
					t.Errorf("%s: %d steps, the first task works: %t: not found", name, steps, first)
				}
			}
		}
	}
}

// Catches: an exhaustive search that claims to have explored everything although the engine has decided something
// without asking, or has left something out; and one that does not although nothing of that has happened.
func TestRuntimeBounded(t *testing.T) {
	const forced, lazy, cut, aside = "got a turn", "time did not pass", "cut at the limit", "which of several tasks came first"
	for _, x := range []struct {
		name  string
		clock control.Clock
		want  string // part of what the search has left out; "" is nothing
		body  func(f *fake)
	}{
		{"nothing", control.Lazy, "", func(f *fake) {
			x := new(int32)
			f.Go(func() { f.store(x, 1) })
			f.store(x, 1)
		}},
		{"no choice beside a timer", control.Lazy, "", func(f *fake) { f.sleep(time.Second) }},
		{"turn", control.Lazy, forced, func(f *fake) {
			x, y := new(int32), new(int32)
			f.Go(func() { f.store(x, 1) })
			for *x == 0 {
				f.store(y, 1)
			}
		}},
		{"turns in a loop that waits", control.Lazy, forced, func(f *fake) {
			lock, done := new(int32), false
			f.Go(func() { done = true })
			for !done {
				f.lock(lock)
				f.unlock(lock)
			}
		}},
		{"time passes in a loop", control.Lazy, forced, func(f *fake) {
			lock, done := new(int32), false
			f.Go(func() { f.sleep(time.Millisecond); done = true })
			for !done {
				f.lock(lock)
				f.unlock(lock)
			}
		}},
		{"time passes where all yield", control.Lazy, forced, func(f *fake) {
			done := false
			f.Go(func() { f.sleep(time.Hour); done = true })
			for !done {
				f.point(strategy.Yield, nil)
			}
		}},
		{"lazy timer", control.Lazy, lazy, func(f *fake) {
			x := new(int32)
			f.Go(func() { f.sleep(time.Second); f.store(x, 1) })
			f.store(x, 1)
		}},
		{"timer beside one task", control.Lazy, lazy, func(f *fake) { f.armed++ }},
		{"look at the time", control.Racy, lazy, func(f *fake) { f.looks++ }},
		{"far timer", control.Mixed, lazy, func(f *fake) {
			x := new(int32)
			f.Go(func() { f.sleep(time.Minute); f.store(x, 1) })
			f.store(x, 1)
		}},
		{"racy timer", control.Racy, "", func(f *fake) {
			x := new(int32)
			f.Go(func() { f.sleep(time.Second); f.store(x, 1) })
			f.store(x, 1)
		}},
		{"left", control.Lazy, cut, func(f *fake) {
			f.Go(func() {
				for x := new(int32); ; {
					f.store(x, 1)
				}
			})
		}},
		{"spins", control.Lazy, "spinning", func(f *fake) {
			x := new(int32)
			f.Go(func() { f.store(x, 1) })
			for f.load(x) == 0 {
			}
		}},
		{"aside", control.Lazy, aside, func(f *fake) {
			x := new(int32)
			f.Go(func() { f.aside(strategy.Load, x) })
			f.aside(strategy.Store, x)
		}},
		{"aside, whatever others do", control.Lazy, aside, func(f *fake) { f.aside(strategy.Store, nil) }},
		{"asides of one task", control.Lazy, "", func(f *fake) {
			x := new(int32)
			f.Go(func() { f.aside(strategy.Store, new(int32)) })
			f.aside(strategy.Store, x)
			f.aside(strategy.Load, x)
		}},
		{"asides that read", control.Lazy, "", func(f *fake) {
			x := new(int32)
			f.Go(func() { f.aside(strategy.Load, x) })
			f.aside(strategy.Load, x)
		}},
		{"asides of a part of a task", control.Lazy, "", func(f *fake) {
			x := new(int32)
			f.Go(func() {
				f.aside(strategy.Begin, nil)
				f.aside(strategy.Store, x)
			})
			f.aside(strategy.Store, x)
		}},
		{"aside of what was a part of a task", control.Lazy, aside, func(f *fake) {
			x := new(int32)
			f.Go(func() {
				f.aside(strategy.Begin, nil)
				f.aside(strategy.Yield, nil)
				f.aside(strategy.Store, x)
			})
			f.aside(strategy.Store, x)
		}},
		{"more asides than are kept", control.Lazy, aside, func(f *fake) {
			x := make([]int32, 1<<11)
			for i := range x {
				f.aside(strategy.Store, &x[i])
			}
		}},
		{"outside", control.Lazy, "outside", func(f *fake) {
			f.await = func(int64) bool { f.s.Woken(0, control.Outside); return true }
			f.left = func() { f.s.Parked("IO wait", true) }
			f.proceed(control.None)
		}},
	} {
		for name, s := range map[string]strategy.Strategy{"dfs(1)": strategy.DFS(1), "dpor": strategy.DPOR()} {
			f, e := newFake(t, control.Options{Strategy: s, Clock: x.clock, MaxSteps: 20_000, AllowLeaks: true})
			r, _ := e.Run(1, func() { x.body(f) })
			text := strings.TrimPrefix(s.(strategy.Exhaustive).Bounded(), "at most 1 preemption")
			if r.Verdict != verdict.Pass || x.want == "" && text != "" || !strings.Contains(text, x.want) || x.want == forced && r.Forced == 0 {
				t.Errorf("%s, %s: %s: %s, %d forced, bounded: %q, want %q", x.name, name, r.Verdict, r.Summary, r.Forced, text, x.want)
			}
		}
	}
}

// Catches: dpor, if it takes an order for one of several that other operations decide, or that is the only one; and the
// other way round.
func TestRuntimeAsides(t *testing.T) {
	for name, c := range map[string]struct {
		bounded bool
		body    func(f *fake, x *int32)
	}{
		"before a task is started": {false, func(f *fake, x *int32) {
			f.aside(strategy.Store, x)
			f.Go(func() { f.aside(strategy.Store, x) })
		}},
		"before a task is started that starts one": {false, func(f *fake, x *int32) {
			f.aside(strategy.Store, x)
			f.Go(func() { f.Go(func() { f.aside(strategy.Store, x) }) })
		}},
		"after a task is started": {true, func(f *fake, x *int32) {
			f.Go(func() { f.aside(strategy.Store, x) })
			f.aside(strategy.Store, x)
		}},
		"before and after": {true, func(f *fake, x *int32) {
			f.aside(strategy.Store, x)
			f.Go(func() { f.aside(strategy.Store, x) })
			f.aside(strategy.Store, x)
		}},
		"under a lock": {false, func(f *fake, x *int32) {
			lock := new(int32)
			work := func() {
				f.lock(lock)
				f.aside(strategy.Store, x)
				f.unlock(lock)
			}
			f.Go(work)
			work()
		}},
		"before a lock": {true, func(f *fake, x *int32) {
			lock := new(int32)
			work := func() {
				f.aside(strategy.Store, x)
				f.lock(lock)
				f.unlock(lock)
			}
			f.Go(work)
			work()
		}},
		"after a wait": {false, func(f *fake, x *int32) {
			ended, waits := false, false
			f.Go(func() {
				f.aside(strategy.Store, x)
				f.store(new(int32), 1)
				if ended = true; waits {
					f.wake(0)
				}
			})
			if waits = !ended; waits {
				f.park("chan receive")
			}
			f.aside(strategy.Store, x)
		}},
		"an operation before": {false, func(f *fake, x *int32) {
			lock := new(int32)
			f.lock(lock)
			f.Go(func() {
				f.lock(lock)
				f.unlock(lock)
				f.aside(strategy.Store, x)
			})
			f.store(x, 1)
			f.unlock(lock)
		}},
		"an operation beside": {true, func(f *fake, x *int32) {
			f.Go(func() { f.store(x, 1) })
			f.aside(strategy.Store, x)
		}},
		"an operation that was before": {true, func(f *fake, x *int32) {
			f.Go(func() { f.aside(strategy.Store, x) })
			f.store(x, 1)
			f.store(x, 1)
		}},
		"an operation that reads": {false, func(f *fake, x *int32) {
			f.Go(func() { f.load(x) })
			f.aside(strategy.Load, x)
		}},
		"a receiver of what is closed": {false, func(f *fake, x *int32) {
			f.Go(func() { f.point(strategy.Receive, unsafe.Pointer(x)) })
			f.aside(strategy.Close, x)
		}},
		"one that looks": {true, func(f *fake, x *int32) {
			f.Go(func() { f.point(strategy.Select, unsafe.Pointer(x)) })
			f.aside(strategy.Close, x)
		}},
	} {
		s := strategy.DPOR()
		f, e := newFake(t, control.Options{Strategy: s, Clock: control.Lazy})
		executions := 0
		for more := true; more && executions < 100; executions++ {
			if _, more = e.Run(1, func() { c.body(f, new(int32)) }); !more {
				break
			}
		}
		if text := s.(strategy.Exhaustive).Bounded(); (text != "") != c.bounded || executions == 100 {
			t.Errorf("%s: %d executions, bounded: %q, want %t", name, executions, text, c.bounded)
		}
	}
}

// Catches: time that passes for a task that polls while others that can continue are at work, alone or in turn, and have
// no turns; and a task whose share of the steps in a loop that waits is used up by another.
func TestRuntimePace(t *testing.T) {
	const rounds = 2_000
	works := map[string]func(f *fake, done *int32){
		"locks": func(f *fake, done *int32) {
			lock := new(int32)
			f.Go(func() {
				for range rounds {
					f.lock(lock)
					f.unlock(lock)
				}
				f.store(done, 1)
			})
		},
		"reads": func(f *fake, done *int32) {
			never := new(int32)
			f.Go(func() {
				for range rounds {
					f.load(never)
				}
				f.store(done, 1)
			})
		},
		"in turn": func(f *fake, done *int32) {
			x, turns, last := new(int32), 0, [2]int32{control.None, control.None}
			for i := range 2 {
				f.Go(func() {
					for me := f.Current(); turns < rounds; {
						f.store(x, 1)
						turns++
						if other := last[1-i]; other != control.None {
							last[1-i] = control.None
							f.wake(other)
						}
						if turns < rounds {
							last[i] = me
							f.park("chan receive")
						}
					}
					f.store(done, 1)
				})
			}
		},
	}
	polls := map[string]func(f *fake, done *int32){
		"locks": func(f *fake, done *int32) {
			for lock, end := new(int32), f.now+int64(100*time.Millisecond); *done == 0 && f.now < end; f.looks++ {
				f.lock(lock)
				f.unlock(lock)
			}
		},
		"yields": func(f *fake, done *int32) {
			f.Go(func() { f.sleep(time.Hour); f.store(done, 2) })
			for f.load(done) == 0 {
				f.point(strategy.Yield, nil)
			}
		},
	}
	for work, begin := range works {
		for poll, wait := range polls {
			for _, name := range []string{"random", "pct(2)", "pct(3)", "pos", "surw"} {
				s, err := strategy.Parse(name)
				if err != nil {
					t.Fatal(err)
				}
				f, e := newFake(t, control.Options{Strategy: s, AllowLeaks: true})
				state := uint64(0)
				f.state = func() uint64 {
					if f.Current() > 0 { // the others are at work
						state++
						return state
					}
					return 0
				}
				for seed := range uint64(20) {
					late := false
					r, _ := e.Run(seed, func() {
						done := new(int32)
						begin(f, done)
						wait(f, done)
						late = *done != 1
					})
					if r.Verdict != verdict.Pass || late {
						t.Errorf("%s beside %s, %s, seed %d: %s: %s, late: %t", poll, work, name, seed, r.Verdict, r.Summary, late)
					}
				}
			}
		}
	}
}
