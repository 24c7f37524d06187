package real_test

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// exploreFake runs executions of a body, and repeats each. It returns how often each verdict came.
func exploreFake(t *testing.T, e *control.Engine, body func()) map[verdict.Verdict]control.Result {
	t.Helper()
	found := map[verdict.Verdict]control.Result{}
	for seed := range uint64(300) {
		r, more := e.Run(seed, body)
		if !more {
			break
		}
		r.Schedule = r.Schedule.Clone()
		if _, ok := found[r.Verdict]; !ok {
			found[r.Verdict] = r
		}
		if again, unused := e.Repeat(r.Schedule, body); again.Hash != r.Hash || again.Verdict != r.Verdict || unused.Len() > 0 {
			t.Fatalf("seed %d: %s %x, repeated %s %x, %d decisions did not apply", seed, r.Verdict, r.Hash, again.Verdict, again.Hash, unused.Len())
		}
	}
	return found
}

var fakeStrategies = map[string]func() strategy.Strategy{
	"random": strategy.Random, "pct": strategy.PCTCycle, "pos": strategy.POS, "surw": strategy.SURW, "dpor": strategy.DPOR,
}

// Catches: a lock whose tasks are not disabled while another one holds it, or not enabled when it is
// free, and a deadlock that is not found.
func TestRuntimeLocks(t *testing.T) {
	for name, s := range fakeStrategies {
		f, e := newFake(t, control.Options{Strategy: s()})
		found := exploreFake(t, e, func() {
			a, b, done := new(int32), new(int32), int32(0)
			for i := range 2 {
				first, second := a, b
				if i == 1 {
					first, second = b, a
				}
				f.Go(func() {
					f.lock(first)
					f.lock(second)
					f.unlock(second)
					f.unlock(first)
					if done++; done == 2 {
						f.wake(0)
					}
				})
			}
			f.park("chan receive")
		})
		stuck, ok := found[verdict.Deadlock]
		if _, passes := found[verdict.Pass]; !ok || !passes || len(found) != 2 {
			t.Errorf("%s: %v", name, found)
			continue
		}
		if len(stuck.Tasks) != 3 || stuck.Tasks[0].Waits != "waits to receive" || stuck.Tasks[1].Waits != "waits for a lock" || stuck.Tasks[1].Since == 0 {
			t.Errorf("%s: %+v", name, stuck.Tasks)
		}
	}
}

// A silent strategy observes, and is not asked where there is no choice.
type silent struct {
	strategy.Strategy
	events int
}

func (*silent) SkipsForced() bool         { return true }
func (s *silent) Happened(strategy.Event) { s.events++ }

// Catches: events of an execution without choices that are kept until it ends.
func TestEventsAreNotKept(t *testing.T) {
	const stores = 10_000
	by := &silent{Strategy: strategy.Random()}
	f, e := newFake(t, control.Options{Strategy: by})
	before := 0
	e.Run(1, func() {
		x := new(int32)
		for range stores {
			f.store(x, 1)
		}
		before = by.events
	})
	if before < stores-2*1024 || by.events <= stores {
		t.Errorf("it has learnt of %d events of %d while the task ran, and then of %d", before, stores, by.events-before)
	}
}

// spawning is silent for executions of which it needs only the events Spawn.
type spawning struct {
	silent
	only   bool
	spawns int
}

func (s *spawning) OnlySpawns() bool { return s.only }

func (s *spawning) Happened(e strategy.Event) {
	if s.events++; e.Op.Kind == strategy.Spawn {
		s.spawns++
	}
}

// Catches: events that a strategy does not need and that it has to learn of, and beginnings of tasks of which it does not.
func TestOnlySpawns(t *testing.T) {
	by := &spawning{silent: silent{Strategy: strategy.Random()}}
	f, e := newFake(t, control.Options{Strategy: by, Clock: control.Racy})
	for _, only := range []bool{true, false, true} {
		by.only, by.events, by.spawns = only, 0, 0
		e.Run(1, func() {
			x := new(int32)
			f.Go(func() { f.store(x, 1); f.sleep(time.Millisecond) })
			f.point(strategy.Yield, nil)
			f.store(x, 1)
		})
		if by.spawns != 1 || only != (by.events == 1) {
			t.Errorf("only %t: %d beginnings of %d events", only, by.spawns, by.events)
		}
	}
}

// Catches: a timer that is armed after steps at which a single task could continue, and that the clock cannot fire
// before the next ones.
func TestTimerAfterForcedSteps(t *testing.T) {
	f, e := newFake(t, control.Options{Strategy: strategy.Random(), Clock: control.Racy})
	early := 0
	for seed := range uint64(100) {
		e.Run(seed, func() {
			x := new(int32)
			for range 20 {
				f.store(x, 1)
			}
			f.armed++
			f.startTimer(fakeTimer{at: f.now + int64(time.Millisecond), period: int64(time.Millisecond)})
			for range 2 {
				f.store(x, 1)
			}
			if f.now > 0 {
				early++
			}
			f.timers = nil
		})
	}
	if early < 20 {
		t.Errorf("the timer has fired early in %d of 100 executions", early)
	}
}

// Catches: a strategy that switches after operations and is not asked there, or a repetition that does
// not switch where the execution has.
func TestRuntimeAfter(t *testing.T) {
	f, e := newFake(t, control.Options{Strategy: strategy.Random()})
	found := exploreFake(t, e, func() {
		lock, ready, value := new(int32), false, 0
		f.Go(func() {
			f.lock(lock)
			ready = true
			f.unlock(lock)
			value = 1
		})
		f.lock(lock)
		if ready && value == 0 {
			e.Fail(verdict.WrongResult, "published before it was written")
		}
		f.unlock(lock)
	})
	if _, ok := found[verdict.WrongResult]; !ok {
		t.Error("no execution has switched after the unlock")
	}
}

// Catches: a wait without a point that is reported as one for an object of an earlier operation, by a
// strategy that switches after operations or one that does not.
func TestRuntimeWaitsWithoutPoint(t *testing.T) {
	for name, s := range map[string]strategy.Strategy{"random": strategy.Random(), "dfs": strategy.DFS(-1)} {
		f, e := newFake(t, control.Options{Strategy: s})
		waits := func(f *fake, x *int32) {
			f.point(strategy.Receive, unsafe.Pointer(x))
			f.park("chan receive")
		}
		r, _ := e.Run(1, func() {
			x, lock := new(int32), new(int32)
			f.Go(func() { waits(f, x); f.lock(lock); f.unlock(lock); f.park("select (no cases)") })
			f.Go(func() { waits(f, x); f.store(x, 1); f.park("select (no cases)") })
			f.Go(func() { waits(f, x) })
			f.sleep(time.Second)
			f.wake(1)
			f.wake(2)
			waits(f, x)
		})
		if r.Verdict != verdict.Deadlock || len(r.Tasks) != 4 {
			t.Fatalf("%s: %s: %s", name, r.Verdict, r.Summary)
		}
		for i, named := range []bool{true, false, false, true} {
			if w := r.Tasks[i]; w.Object > 0 != named || named != (w.Kind == strategy.Receive) {
				t.Errorf("%s: task %d %s, kind %s, object %d", name, i, w.Waits, w.Kind, w.Object)
			}
		}
	}
}

// Catches: a timer that fires early under a lazy clock, or never does under a racy one; and a mixed one
// that is never racy, or always.
func TestRuntimeClock(t *testing.T) {
	for clock, want := range map[control.Clock][2]bool{control.Lazy: {true, false}, control.Racy: {true, true}, control.Mixed: {true, true}} {
		f, e := newFake(t, control.Options{Strategy: strategy.Random(), Clock: clock})
		late, early := false, false
		exploreFake(t, e, func() {
			x, y := new(int32), new(int32)
			f.Go(func() {
				f.sleep(time.Second)
				f.store(x, 1)
			})
			for range 3 {
				f.store(y, 1)
			}
			if f.load(x) == 1 {
				early = true
			} else {
				late = true
			}
		})
		if got := [2]bool{late, early}; got != want {
			t.Errorf("%v: a timer that fires late and early: %v, want %v", clock, got, want)
		}
	}
}

// Catches: a timer that fires early under a mixed clock though it is too far ahead, also the end of a sleep where
// the test can continue, or not although it is near or periodic; more early timers in an execution than are to be;
// one that does not fire early under a racy clock; and a Result.Far that says something else.
func TestRuntimeFarTimers(t *testing.T) {
	for _, c := range []struct {
		clock  control.Clock
		d      time.Duration
		period bool
		kind   uint8
		main   bool // the test itself works meanwhile
		most   int  // early firings
	}{
		{control.Racy, 30 * time.Second, false, control.OneShot, false, 3},
		{control.Mixed, 30 * time.Second, false, control.OneShot, false, 0},
		{control.Mixed, 10 * time.Second, false, control.OneShot, true, 1},
		{control.Mixed, 5 * time.Second, false, control.OneShot, false, 2},
		{control.Mixed, 30 * time.Second, true, control.OneShot, true, 2},
		{control.Mixed, 4 * time.Second, true, control.OneShot, false, 4},
		{control.Mixed, 30 * time.Second, false, control.Periodic, true, 2},
		{control.Mixed, 5 * time.Second, false, control.Sleeping, false, 2},
		{control.Mixed, 5 * time.Second, false, control.Sleeping, true, 0},
		{control.Mixed, 500 * time.Millisecond, false, control.Sleeping, true, 1},
		{control.Mixed, 200 * time.Millisecond, false, control.Sleeping, true, 2},
		{control.Racy, 5 * time.Second, false, control.Sleeping, true, 3},
		{control.Mixed, 30 * time.Second, false, control.PeriodicSleep, false, 2},
		{control.Mixed, 30 * time.Second, false, control.PeriodicSleep, true, 0},
		{control.Mixed, 200 * time.Millisecond, false, control.PeriodicSleep, true, 2},
		{control.Mixed, time.Second, false, control.OfTest, true, 0},
		{control.Mixed, 30 * time.Second, true, control.OfTest, true, 0},
		{control.Mixed, 4 * time.Millisecond, false, control.OfTest, true, 2},
		{control.Mixed, 5 * time.Second, false, control.OfContext, true, 0},
		{control.Mixed, 4 * time.Second, false, control.OfContext, false, 1},
		{control.Mixed, 2 * time.Second, false, control.OfContext, true, 2},
		{control.Mixed, 5 * time.Second, true, control.OfContext, true, 0},
		{control.Lazy, time.Millisecond, false, control.OneShot, true, 0},
	} {
		f, e := newFake(t, control.Options{Strategy: strategy.Random(), Clock: c.clock, AllowLeaks: true})
		f.kind = c.kind
		most, far := 0, false
		for seed := range uint64(600) {
			r, _ := e.Run(seed, func() {
				x := new(int32)
				if c.period {
					f.startTimer(fakeTimer{at: int64(c.d), period: int64(c.d)})
				} else {
					f.Go(func() {
						for range 3 {
							f.sleep(c.d)
						}
					})
				}
				work := func() {
					for range 12 {
						f.store(x, 1)
					}
				}
				if c.main {
					work()
					return
				}
				f.Go(func() {
					work()
					f.wake(0)
				})
				f.park("chan receive")
			})
			most, far = max(most, r.Early), far || r.Far
		}
		if most != c.most && (most < c.most || c.clock != control.Racy) {
			t.Errorf("%+v: %d timers fired early in an execution", c, most)
		}
		limit := map[uint8]time.Duration{
			control.OneShot: 10 * time.Second, control.Periodic: 10 * time.Second,
			control.Sleeping: 500 * time.Millisecond, control.PeriodicSleep: 500 * time.Millisecond,
			control.OfTest: 0, control.OfContext: 4 * time.Second,
		}[c.kind]
		if want := c.clock == control.Mixed && c.d > limit; far != want {
			t.Errorf("%+v: a timer was too far ahead: %t, want %t", c, far, want)
		}
	}
}

// Catches: a timer that is not counted though tasks have waited for more than half a millisecond when it fires,
// and too few executions under a mixed clock in which timers fire early and none of them is such a one.
func TestRuntimeLateTimers(t *testing.T) {
	f, e := newFake(t, control.Options{Strategy: strategy.Random(), Clock: control.Mixed})
	brief, late := 0, 0
	for seed := range uint64(400) {
		soon, far := false, false
		r, _ := e.Run(seed, func() {
			x, y, z := new(int32), new(int32), new(int32)
			f.Go(func() {
				f.sleep(400 * time.Microsecond)
				f.store(x, 1)
				f.sleep(400 * time.Microsecond)
				f.store(y, 1)
			})
			for range 8 {
				f.store(z, 1)
			}
			soon, far = f.load(x) == 1, f.load(y) == 1
		})
		switch {
		case far && r.Late == 0:
			t.Fatalf("seed %d: a timer that fires after 0.8 ms, while a task could continue, is not late", seed)
		case far:
			late++
		case soon && r.Late == 0:
			brief++
		}
	}
	if brief < 40 || late < 20 {
		t.Errorf("timers fired early: briefly in %d executions, late in %d", brief, late)
	}
}

// Catches: a deadlock where the limit ends an execution, of a task that is about to lock what nobody has locked, or
// of one that is left behind while the test goes on.
func TestRuntimeAboutToLock(t *testing.T) {
	f, e := newFake(t, control.Options{Strategy: strategy.Random(), MaxSteps: 100})
	looked := false
	f.unreachable = func(tasks []int32) []bool {
		looked = true
		return slices.Repeat([]bool{true}, len(tasks))
	}
	for seed := range uint64(20) {
		for _, c := range []struct {
			held, mainLocks bool
			want            verdict.Verdict
		}{
			{false, false, verdict.Timeout},
			{false, true, verdict.Timeout},
			{true, false, verdict.Timeout},
			{true, true, verdict.Deadlock},
		} {
			r, _ := e.Run(seed, func() {
				x, lock := new(int32), new(int32)
				if c.held {
					*lock = 1
				}
				locks := func() {
					for {
						f.lock(lock)
						f.unlock(lock)
					}
				}
				stores := func() {
					for {
						f.store(x, 1)
					}
				}
				if c.mainLocks {
					locks, stores = stores, locks
				}
				f.Go(locks)
				stores()
			})
			if r.Verdict != c.want {
				t.Errorf("seed %d, %+v: %s: %s", seed, c, r.Verdict, r.Summary)
			}
		}
	}
	if !looked {
		t.Error("nothing has looked for tasks that nothing can wake")
	}
}

// Catches: tasks that spin on what nobody writes, and are not held back while a timer is pending.
func TestRuntimeSpins(t *testing.T) {
	f, e := newFake(t, control.Options{Strategy: strategy.PCT(2), MaxSteps: 20_000})
	found := exploreFake(t, e, func() {
		x := new(int32)
		f.Go(func() {
			f.sleep(time.Hour)
			f.store(x, 1)
		})
		for f.load(x) == 0 {
			f.point(strategy.Yield, nil)
		}
	})
	if _, ok := found[verdict.Pass]; !ok || len(found) != 1 {
		t.Errorf("%v", found)
	}
}

// Catches: a bounded loop that only reads, and is held back until the time-out of another task has hit.
func TestRuntimeBoundedLoop(t *testing.T) {
	for name, s := range fakeStrategies {
		f, e := newFake(t, control.Options{Strategy: s()})
		found := exploreFake(t, e, func() {
			x, done := new(int32), new(int32)
			f.Go(func() {
				for range 500 {
					f.load(x)
				}
				f.store(done, 1)
			})
			f.sleep(time.Second)
			if f.load(done) == 0 {
				e.Fail(verdict.WrongResult, "a second was over before the loop")
			}
		})
		if _, ok := found[verdict.Pass]; !ok || len(found) != 1 {
			t.Errorf("%s: %v", name, found)
		}
	}
}

// Catches: a periodic timer that fires for ever, as nothing stops a strategy that prefers it to the only
// task that can continue.
func TestRuntimePeriodicTimer(t *testing.T) {
	f, e := newFake(t, control.Options{Strategy: strategy.PCTCycle(), Clock: control.Racy, MaxSteps: 3_000})
	found := exploreFake(t, e, func() {
		f.startTimer(fakeTimer{at: 1000, period: 1000})
		x := new(int32)
		for range 500 {
			f.store(x, 1)
		}
	})
	if _, ok := found[verdict.Pass]; !ok || len(found) != 1 {
		t.Errorf("%v", found)
	}
}

// Catches: tasks that nothing can wake, beside one that works for ever, reported as a timeout; and the
// task that works among them.
func TestRuntimeLost(t *testing.T) {
	f, e := newFake(t, control.Options{Strategy: strategy.Random(), MaxSteps: 2_000})
	f.unreachable = func(tasks []int32) []bool {
		if len(tasks) != 1 || tasks[0] != 0 {
			t.Errorf("asked about the tasks %v", tasks)
		}
		return []bool{true}
	}
	r, _ := e.Run(1, func() {
		f.Go(func() {
			for x := new(int32); ; {
				f.store(x, 1)
			}
		})
		f.park("select (no cases)")
	})
	if r.Verdict != verdict.Deadlock || len(r.Tasks) != 1 || r.Tasks[0].Path != "main" {
		t.Errorf("%s: %s", r.Verdict, r.Summary)
	}
}

// Catches: tasks that are left and are reported although they may be, or the other way round.
func TestRuntimeLeaks(t *testing.T) {
	for allow, want := range map[bool]verdict.Verdict{false: verdict.Leak, true: verdict.Pass} {
		f, e := newFake(t, control.Options{Strategy: strategy.Random(), AllowLeaks: allow})
		r, _ := e.Run(1, func() {
			f.Go(func() { f.park("chan send") })
			f.Go(func() {
				for x := new(int32); ; {
					f.store(x, 1)
				}
			})
		})
		if r.Verdict != want || want == verdict.Leak && !strings.Contains(r.Summary, "waits to send") {
			t.Errorf("allowed %t: %s: %s", allow, r.Verdict, r.Summary)
		}
	}
}

// Catches: a loop without points that the watchdog does not interrupt, and a process that may go on
// after a panic.
func TestRuntimeStops(t *testing.T) {
	f, e := newFake(t, control.Options{Strategy: strategy.Random(), Patience: 200 * time.Millisecond})
	r, _ := e.Run(1, func() {
		<-f.interrupted
		f.left = f.s.Interrupted
		f.proceed(control.None)
	})
	if r.Verdict != verdict.Livelock || len(r.Tasks) != 1 || r.Tasks[0].Waits != "runs without end" {
		t.Errorf("%s: %s", r.Verdict, r.Summary)
	}
	slow := false
	r, _ = e.Run(1, func() {
		<-f.interrupted // and then it goes on
		f.store(new(int32), 1)
		f.left = f.s.Interrupted
		f.root <- struct{}{}
		f.tasks[0].await()
		slow = true
	})
	if r.Verdict != verdict.Pass || !slow {
		t.Errorf("a task that was slow: %s: %s", r.Verdict, r.Summary)
	}
	r, _ = e.Run(1, func() {
		f.s.Panicked("boom", true, []byte("a stack"))
		f.proceed(control.None)
	})
	if r.Verdict != verdict.Panicked || r.Summary != "task main: fatal error: boom" || r.Detail != "a stack" || r.Tainted == "" {
		t.Errorf("%s: %s, tainted %q", r.Verdict, r.Summary, r.Tainted)
	}
}

// Catches: a mechanism that is given a memory that it cannot have.
func TestRuntimeMemory(t *testing.T) {
	if _, err := control.New(control.Options{Runtime: new(fake), Memory: control.TSO}); err == nil {
		t.Error("a Runtime with a weak memory")
	}
}

// Catches: a trace in which each unlocking of a lock lists all tasks that wait for it.
func TestRuntimeReached(t *testing.T) {
	f, e := newFake(t, control.Options{Strategy: strategy.Random()})
	_, events := e.Trace(strategy.Schedule{}, func() {
		x := new(int32)
		f.lock(x)
		for range 100 {
			f.Go(func() {
				f.lock(x)
				f.unlock(x)
			})
		}
		f.sleep(time.Second)
		f.unlock(x)
	})
	most := 0
	for _, event := range events {
		most = max(most, len(event.Reached))
	}
	if most < 2 || most > 50 {
		t.Errorf("an event has let %d tasks continue", most)
	}
}

// impatient is a strategy that lets time pass where it can, and runs the first task else.
type impatient struct{ strategy.Strategy }

func (impatient) Next(c *strategy.Choice) int {
	best := 0
	for i, t := range c.Enabled {
		if t.Pseudo {
			return i
		}
		if t.ID < c.Enabled[best].ID {
			best = i
		}
	}
	return best
}

// Catches: a task that never gets its turn, because the clock is always chosen, and the task that waits
// for that is not there when turns are given; and a clock that is chosen though no timer is pending.
func TestRuntimeTurns(t *testing.T) {
	for before := range 4 { // steps before the loop
		f, e := newFake(t, control.Options{Strategy: impatient{strategy.Random()}, Clock: control.Racy, MaxSteps: 50_000})
		r, _ := e.Run(1, func() {
			x, y := new(int32), new(int32)
			f.Go(func() { f.store(x, 1) })
			for range before {
				f.store(y, 1)
			}
			for *x == 0 {
				f.store(y, 1)
				f.sleep(time.Millisecond)
			}
		})
		if r.Verdict != verdict.Pass {
			t.Errorf("%d: %s: %s", before, r.Verdict, r.Summary)
		}
	}
}

// unfair is a strategy that never lets a task continue that was started after the third one, and prefers the
// latest of the others.
type unfair struct{ strategy.Strategy }

func (unfair) Next(c *strategy.Choice) int {
	best := c.Default
	for i, t := range c.Enabled {
		if !t.Pseudo && t.ID <= 3 && (c.Enabled[best].Pseudo || c.Enabled[best].ID > 3 || t.ID > c.Enabled[best].ID) {
			best = i
		}
	}
	return best
}

// Catches: a loop that is a livelock since its select takes the first case that is ready, and never the one
// that ends it; a turn of that case that the repetition does not have.
func TestRuntimeSelectsAreFair(t *testing.T) {
	for _, cases := range []int{2, 3} {
		f, e := newFake(t, control.Options{Strategy: strategy.Default(), MaxSteps: 100_000})
		body := func() {
			x := new(int32)
			for f.point(strategy.Select, unsafe.Pointer(x)); f.s.Pick(cases) < cases-1; {
				f.point(strategy.Select, unsafe.Pointer(x))
			}
		}
		r, _ := e.Run(1, body)
		r.Schedule = r.Schedule.Clone()
		if r.Verdict != verdict.Pass || r.Schedule.Len() > 0 {
			t.Errorf("%d cases: %s after %d steps, with %d decisions", cases, r.Verdict, r.Steps, r.Schedule.Len())
		}
		if again, _ := e.Repeat(r.Schedule, body); again.Hash != r.Hash {
			t.Errorf("%d cases: the repetition differs", cases)
		}
	}
}

// Catches: a turn that counts as a decision of the task that was about to continue: what is decided later, while that
// task waits in the same operation, does not apply when the execution is repeated.
func TestRuntimeTurnsAreNoDecisions(t *testing.T) {
	for before := range 4 { // steps before the loop
		f, e := newFake(t, control.Options{Strategy: unfair{strategy.Random()}, MaxSteps: 100_000})
		body := func() {
			x, waits := new(int32), []int32(nil)
			f.Go(func() {
				for range 40_000 {
					f.store(x, 1)
					for _, task := range waits {
						f.wake(task)
					}
					waits = nil
				}
			})
			for range 2 {
				f.Go(func() {
					for {
						f.point(strategy.Receive, unsafe.Pointer(x))
						waits = append(waits, f.running)
						f.park("chan receive")
					}
				})
			}
			for range 8 { // the turns are theirs
				f.Go(func() { f.store(x, 1) })
			}
			for range before {
				f.store(x, 0)
			}
			f.park("select (no cases)")
		}
		r, _ := e.Run(1, body)
		r.Schedule = r.Schedule.Clone()
		again, unused := e.Repeat(r.Schedule, body)
		if again.Hash != r.Hash || unused.Len() > 0 || r.Forced == 0 {
			t.Errorf("%d: %d turns: %s %x, repeated %s %x, and %d of %d decisions did not apply", before, r.Forced, r.Verdict, r.Hash, again.Verdict, again.Hash, unused.Len(), r.Schedule.Len())
		}
	}
}

// Catches: a loop that needs another case of its select than the first that is ready, and that goes on for
// long under a strategy which prefers one number.
func TestRuntimeFairCases(t *testing.T) {
	for name, s := range map[string]strategy.Strategy{"dfs": strategy.DFS(-1), "dpor": strategy.DPOR(), "pct": strategy.PCTCycle()} {
		for needs := range 3 {
			f, e := newFake(t, control.Options{Strategy: s})
			rounds := 0
			body := func() {
				x, y := new(int32), new(int32)
				for rounds = 1; ; rounds++ {
					f.proceed(f.s.Select([]unsafe.Pointer{unsafe.Pointer(x), unsafe.Pointer(y)}, 0, false))
					if f.s.Pick(3) == needs {
						return
					}
				}
			}
			if r, _ := e.Run(1, body); r.Verdict != verdict.Pass || rounds > 40 {
				t.Errorf("%s: case %d: %s after %d rounds", name, needs, r.Verdict, rounds)
			}
			if r, _ := e.Repeat(strategy.Schedule{Seed: 1}, body); r.Verdict != verdict.Pass || rounds > 40 {
				t.Errorf("%s: case %d, by default: %s after %d rounds", name, needs, r.Verdict, rounds)
			}
		}
	}
}

// Catches: two system calls that are taken for independent, and reads of the world outside that are not.
func TestRuntimeSyscalls(t *testing.T) {
	for _, c := range []struct {
		kinds [2]strategy.Kind
		want  int
	}{
		{[2]strategy.Kind{strategy.Syscall, strategy.Syscall}, 6},
		{[2]strategy.Kind{strategy.SyscallRead, strategy.Syscall}, 6},
		{[2]strategy.Kind{strategy.SyscallRead, strategy.SyscallRead}, 1},
	} {
		f, e := newFake(t, control.Options{Strategy: strategy.DPOR()})
		executions := 0
		exploreFake(t, e, func() {
			executions++
			done := 0
			for _, kind := range c.kinds {
				f.Go(func() {
					f.point(kind, nil)
					f.point(kind, nil)
					if done++; done == 2 {
						f.wake(0)
					}
				})
			}
			f.park("chan receive")
		})
		if executions /= 2; executions != c.want { // each is repeated
			t.Errorf("%v: %d executions, want %d", c.kinds, executions, c.want)
		}
	}
}
