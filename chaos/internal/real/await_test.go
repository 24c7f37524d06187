package real_test

import (
	"slices"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// parkOutside waits until something outside wakes the task.
func (f *fake) parkOutside() {
	f.left = func() { f.s.Parked("IO wait", true) }
	f.proceed(control.None)
}

// Catches: a deadlock that is reported because the machine has stalled, and a goroutine outside that never
// stops and hides a deadlock.
func TestRuntimeStalls(t *testing.T) {
	for _, c := range []struct {
		name     string
		stalls   int // waits in which nothing comes, though a goroutine outside runs
		entangle bool
		want     verdict.Verdict
	}{
		{"the network", 3, false, verdict.Pass},
		{"a goroutine", 3, true, verdict.Pass},
		{"nothing", 0, false, verdict.Deadlock},
		{"a goroutine that does not stop", 1 << 30, true, verdict.Deadlock},
	} {
		f, e := newFake(t, control.Options{Strategy: strategy.Random(), Patience: time.Second})
		waits := 0
		f.busy = func() bool { return waits <= c.stalls }
		f.await = func(ns int64) bool {
			if waits++; waits <= c.stalls || c.stalls == 0 {
				return false
			}
			f.s.Woken(0, control.Outside)
			return true
		}
		r, _ := e.Run(1, func() {
			if c.entangle {
				f.entangled++
				f.park("chan receive")
			} else {
				f.parkOutside()
			}
		})
		if r.Verdict != c.want || r.Verdict == verdict.Pass && r.Outside.Wakes != 1 {
			t.Errorf("%s: %s after %d waits: %s", c.name, r.Verdict, waits, r.Summary)
		}
	}
}

// Catches: a coroutine that is left, beside which no goroutine is.
func TestRuntimeCoroutines(t *testing.T) {
	for _, allow := range []bool{false, true} {
		f, e := newFake(t, control.Options{Strategy: strategy.Random(), AllowLeaks: allow})
		f.coroutines = []int32{0, control.None}
		want, summary := verdict.Leak, "the test has ended, but a coroutine of main waits for next or stop of iter.Pull in its beginning, and so does a coroutine"
		if allow {
			want, summary = verdict.Pass, ""
		}
		if r, _ := e.Run(1, func() {}); r.Verdict != want || r.Summary != summary {
			t.Errorf("leaks are allowed: %v: %s: %s", allow, r.Verdict, r.Summary)
		}
	}
}

// Catches: a time-out that virtual time brings before a child process has had its time, also if something else
// ends the wait for it.
func TestRuntimeChildren(t *testing.T) {
	const timeout = 7 * time.Second
	for _, c := range []struct{ ends, interrupted bool }{{true, false}, {false, false}, {true, true}, {false, true}} {
		f, e := newFake(t, control.Options{Strategy: strategy.Random()})
		f.children = 1
		now, waited, longest, ends := int64(1), int64(0), int64(0), c.ends
		f.real = func() int64 { return now }
		f.await = func(ns int64) bool {
			longest = max(longest, ns)
			switch {
			case c.interrupted && ns > int64(time.Second):
				now += int64(time.Second)
				waited += int64(time.Second)
				return true
			case !c.interrupted && ns < int64(timeout/2) || !ends: // the grace of the network
				now += ns
				return false
			}
			now += ns
			f.s.Woken(1, control.Outside)
			return true
		}
		timedOut := false
		r, _ := e.Run(1, func() {
			done := false
			f.Go(func() {
				f.parkOutside()
				done = true
			})
			f.sleep(timeout)
			timedOut = !done
			if timedOut {
				f.wake(1)
			}
		})
		if r.Verdict != verdict.Pass || timedOut == ends || longest < int64(timeout)-int64(time.Millisecond) || longest > int64(timeout) {
			t.Errorf("%+v: %s, timed out %t, after %v: %s", c, r.Verdict, timedOut, time.Duration(longest), r.Summary)
		}
		if least := int64(timeout) - 2*int64(time.Second); c.interrupted && waited < least {
			t.Errorf("%+v: it has had %v", c, time.Duration(waited))
		}
	}
}

// Catches: a child process whose time-out comes early since another one has lived before it, and a timer that never
// comes since each child has one of its own.
func TestRuntimeChildrenInTurn(t *testing.T) {
	const timeout, life = 7 * time.Second, int64(4 * time.Second)
	for _, c := range []struct {
		name  string
		limit time.Duration // of all, which ends them
		sleep time.Duration // between them
	}{
		{"no time between them", 0, 0},
		{"an hour between them", 0, time.Hour},
		{"a limit for all", 10 * time.Second, 0},
	} {
		f, e := newFake(t, control.Options{Strategy: strategy.Random()})
		now := int64(1)
		f.real = func() int64 { return now }
		f.await = func(ns int64) bool {
			if f.children == 0 || ns < life {
				now += ns
				return false
			}
			now += life
			f.s.Woken(0, control.Outside)
			return true
		}
		early, over, turns := false, false, 0
		r, _ := e.Run(1, func() {
			if c.limit > 0 {
				f.Go(func() {
					f.sleep(c.limit)
					over = true
				})
			}
			for turns = 0; turns < 100 && !over; turns++ {
				f.children = 1
				done, task := false, int32(len(f.tasks))
				f.Go(func() {
					f.sleep(timeout)
					if !done {
						early = true
						f.wake(0)
					}
				})
				f.parkOutside()
				done, f.children = true, 0
				if f.timers = slices.DeleteFunc(f.timers, func(t fakeTimer) bool { return t.task == task }); !early {
					f.wake(task)
				}
				if c.sleep > 0 {
					f.sleep(c.sleep)
				}
				if early {
					break
				}
			}
		})
		if ends := c.limit > 0; r.Verdict != verdict.Pass || over != ends || ends && turns > 2 || !ends && (early || turns < 100) {
			t.Errorf("%s: %s, one has timed out: %t, after %d, all: %t: %s", c.name, r.Verdict, early, turns, over, r.Summary)
		}
	}
}

// Catches: virtual time that overtakes a goroutine outside which is about to wake a task, and one that never
// stops and keeps the time from going on.
func TestRuntimeTimeDoesNotOvertake(t *testing.T) {
	const timeout = 7 * time.Second
	for _, c := range []struct {
		name         string
		runs, sleeps time.Duration // how long the goroutine does so, in real time
		overtaken    bool
	}{
		{name: "it runs", runs: time.Second},
		{name: "it runs on a machine that is slower than the time-out", runs: timeout + time.Second},
		{name: "it sleeps", sleeps: time.Second},
		{name: "it sleeps for longer than the time-out", sleeps: timeout + time.Second, overtaken: true},
		{name: "it never stops", runs: time.Hour, overtaken: true},
		{name: "none is there", overtaken: true},
	} {
		f, e := newFake(t, control.Options{Strategy: strategy.Random()})
		var real time.Duration
		f.real = func() int64 { return int64(real) }
		f.busy = func() bool { return real < c.runs }
		f.awaited = func() bool { return real < c.runs+c.sleeps }
		f.await = func(int64) bool {
			real += 100 * time.Millisecond
			if c.runs+c.sleeps == 0 || real < c.runs+c.sleeps || real > time.Minute {
				return false
			}
			f.s.Woken(1, control.Outside)
			return true
		}
		overtaken := false
		r, _ := e.Run(1, func() {
			done := false
			f.Go(func() {
				f.park("chan receive")
				done = true
			})
			f.sleep(timeout)
			if overtaken = !done; overtaken {
				real = time.Hour
				f.wake(1)
			}
		})
		if r.Verdict != verdict.Pass || overtaken != c.overtaken || real < time.Hour && real > 11*time.Second {
			t.Errorf("%s: %s, overtaken %t, after %v: %s", c.name, r.Verdict, overtaken, real, r.Summary)
		}
	}
}

// Catches: a task that waits in a loop for a goroutine outside, which does not get to run while the task can continue.
func TestRuntimeOthers(t *testing.T) {
	for name, s := range fakeStrategies {
		f, e := newFake(t, control.Options{Strategy: s()})
		done := false
		f.others = func() { done = true }
		r, _ := e.Run(1, func() {
			for lock := new(int32); !done; {
				f.lock(lock)
				f.unlock(lock)
			}
		})
		if r.Verdict != verdict.Pass || r.Steps > 2_000 {
			t.Errorf("%s: %s after %d steps", name, r.Verdict, r.Steps)
		}
	}
}
