package chaos

import (
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/internal/turns"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/internal/explore"
	"github.com/rouse-go/rouse/internal/orders"
	"github.com/rouse-go/rouse/internal/plain"
	"github.com/rouse-go/rouse/internal/racing"
	"github.com/rouse-go/rouse/internal/seam"
)

// TB is the part of *testing.T that Explore uses.
type TB interface {
	Helper()
	Name() string
	Failed() bool
	Fatalf(format string, args ...any)
	Logf(format string, args ...any)
	FailNow()
}

// Explore runs f again and again, each time under another schedule, and fails the test at the
// first one that goes wrong: a deadlock, a task that outlives f, a livelock, a panic, or a check
// of f's own (C.Errorf, C.Fatalf, t.Errorf). f may know better what to call a stuck execution:
// see C.OnStuck.
//
//	func TestQueue(t *testing.T) {
//		chaos.Explore(t, func(c *chaos.C) {
//			q := NewQueue()
//			c.Go(func() { q.Push(1) })
//			c.Go(func() { q.Push(2) })
//			if a, b := q.Pop(), q.Pop(); a+b != 3 {
//				c.Errorf("popped %d and %d", a, b)
//			}
//		})
//	}
//
// Every goroutine of an execution is a task: it is started by C.Go, by
// go hooks.Task(f)(), or by a drop-in. Any other goroutine that passes a hook, and any
// wake of a task that no hook shows, fails the test with the verdict uncontrolled, which
// names the go statement or the operation. Goroutines of other tests may pass hooks
// meanwhile.
//
// f builds what it tests afresh, and must do the same each time that the schedule is the same: no
// random numbers except C.Choose's, no clock except hooks/time's. The code under test uses the
// drop-ins of package hooks; only their operations, and C's, are seen.
//
// A failure is shrunk and written to testdata/chaos/<test>/, from where it is run first the next
// time, and the message of the test ends in the command that repeats it. Without the build tag
// chaos, f runs once, on ordinary goroutines.
//
// A process has one engine. Explore waits until no other Explore, Replay or
// native.Execute is under way, so that tests which call t.Parallel take turns; the time
// that a test waits counts against the test binary's -timeout. Calling it inside an
// execution fails the test. It does not wait for native.Arm or control.New: those own
// the process until they are disarmed or closed, and Explore fails the test meanwhile.
//
// Under stress test, which runs the whole test as one execution, f runs once in each, by that
// command's strategy, seed and clock; faults are injected with the build tag chaos, and then an f with
// faults waits until no other runs. Weak memory and recordings of the drop-ins are not explored, and the
// log of the test says so.
//
// The flags -chaos.executions, -chaos.execution, -chaos.seed, -chaos.strategy, -chaos.memory,
// -chaos.clock and -chaos.replay, and the environment's CHAOS_EXECUTIONS, CHAOS_EXECUTION,
// CHAOS_SEED, CHAOS_STRATEGY, CHAOS_MEMORY, CHAOS_CLOCK and CHAOS_REPLAY, overrule the options.
// With -chaos.execution=N, which a failure prints with its seed, only execution N is judged; those
// before it run, for strategies learn from them. With -chaos.replay=FILE the test always fails:
// with the recorded failure, and whether the trace is the recorded one; or as not reproduced, with
// the reason. With -chaos.stop=N in addition, the replay stops before its step N, 0 being the
// decisive one, by runtime.Breakpoint: a debugger must run the process.
func Explore(t TB, f func(c *C), options ...Option) {
	t.Helper()
	if j := joins(t); j != nil {
		join(t, j, f, options)
		return
	}
	s, err := settingsOf(options)
	if err != nil {
		t.Fatalf("chaos: %v", err)
	}
	x := &exploration{t: t, f: f, settings: s, caller: caller(), number: numberOf(t)}
	if !hooks.Enabled {
		if s.replay != "" {
			if _, err := recording.Read(s.replay); err != nil {
				t.Fatalf("chaos: %v", err)
			}
		}
		natively(t, f)
		return
	}
	if x.replaysBelow() {
		return
	}
	if failure := x.inTurn(); failure != "" {
		t.Fatalf("%s", plain.Text(failure)) // names of a recording, what a panic says
	}
}

// inTurn waits until the process has no other engine, and returns what went wrong, or
// "". The engine is closed then: failing a test does not return.
func (x *exploration) inTurn() string {
	release, err := turns.Take()
	if err != nil {
		return fmt.Sprintf("chaos: Explore: %v", err)
	}
	defer release()
	if err := x.become(x.settings); err != nil {
		return fmt.Sprintf("chaos: %v", err)
	}
	defer func() { x.Close() }() // a replay may have made another
	return x.explore()
}

// become gives the exploration a search with these settings.
func (x *exploration) become(s settings) error {
	if x.Search != nil {
		x.Close()
	}
	search, err := explore.New(explore.Options{
		Engine: s.engine(),
		Body:   func(strategy.Execution) func() { return x.body },
		Seed:   func(n int) uint64 { return explore.Seed(s.seed, n) },
		Judge:  x.judged,
	})
	if err == nil {
		x.settings, x.Search = s, search
	}
	return err
}

// An exploration is one call of Explore.
type exploration struct {
	*explore.Search
	t        TB
	f        func(c *C)
	settings settings
	last     *C     // of the last execution
	caller   string // package of the caller of Explore
	number   int    // among the Explores of its test, from 1
	failed   bool   // the test had failed before
	orders   orders.Counter
	races    int // reported by the race detector so far
}

// body runs in a task of the engine.
func (x *exploration) body() {
	c := &C{engine: x.Engine, name: x.t.Name()}
	x.last = c
	c.run(func() { x.f(c) })
}

// explore returns what went wrong, or "".
func (x *exploration) explore() string {
	x.failed, x.races = x.t.Failed(), racing.Errors()
	if x.settings.replay != "" {
		return x.replayAsked()
	}
	if x.settings.single {
		return x.single()
	}
	if x.settings.only == all {
		if failure := x.recorded(); failure != "" {
			return failure
		}
	}
	now, left := begin(x.t.Name(), &x.settings)
	defer now.end()
	for _, execution := range left {
		x.t.Logf("chaos: an earlier run of this test died; it was in: %s", execution)
	}
	failure := x.search(&now)
	if failure == "" {
		x.passed()
	}
	return failure
}

// search runs one execution after the other, and returns what went wrong, or "".
func (x *exploration) search(now *running) string {
	executions := explore.Range{To: x.settings.executions,
		Before: func(n int) bool { now.executes(n); return true },
		After: func(r *control.Result) {
			var order orders.Hashes
			order.Add(r.Order, 0, x.orders.Level)
			x.orders.Add(order, 1)
		},
	}
	only := x.settings.only
	if only != all {
		executions.Judge, executions.To = only, only+1
	}
	n, failed := x.Explore(executions)
	switch {
	case failed.Verdict != verdict.Pass:
		return x.failure(n, failed)
	case x.Exhausted() && only != all:
		return fmt.Sprintf("chaos: there is no execution %d: %s", only, explored(x.settings.strategy, x.Executions()))
	}
	return ""
}

// One in repeatedInputs inputs of a fuzz target is run twice.
const repeatedInputs = 64

// single runs the execution of WithSchedule, and returns what went wrong, or "".
func (x *exploration) single() string {
	n := int(seam.Hash(string(x.settings.bytes)) % repeatedInputs)
	n, failed := x.Explore(explore.Range{From: n, To: n + 1})
	if failed.Verdict != verdict.Pass {
		return x.failure(n, failed)
	}
	return ""
}

// judged returns the result of the last execution, with what the engine does not know: that the
// body has failed the test, or that the race detector has.
func (x *exploration) judged(result control.Result) control.Result {
	races := racing.Errors() - x.races
	x.races += races
	if result.Verdict != verdict.Pass {
		return result
	}
	switch {
	case races > 0:
		result.Verdict, result.Summary = verdict.DataRace, "the race detector reported a data race: see above"
	case x.t.Failed() && !x.failed:
		result.Verdict, result.Summary = verdict.WrongResult, "the body has failed the test"
	default:
		return result
	}
	result.Effect = result.Verdict
	if result.Cause = x.Engine.Cause(); result.Cause != "" && result.Verdict == verdict.WrongResult {
		result.Verdict = verdict.ReliesOnSC
	}
	return result
}

// passed logs what the executions, which all passed, did not try.
func (x *exploration) passed() {
	if n := x.settings.only; n != all {
		x.t.Logf("chaos: execution %d (%s) passes", n, x.settings.again(n))
	}
	if untracked := x.Engine.Untracked(); untracked != "" {
		x.t.Logf("chaos: %s", untracked)
	}
	if e := x.evidence(); x.settings.only == all && !x.settings.single && (e.Exhausted != "" || len(e.Found()) > 0) {
		x.t.Logf("chaos: %v", e)
	}
	if names := x.Engine.FencesNotMet(); len(names) > 0 && x.settings.memory != control.SC {
		x.t.Logf("chaos: no execution came to a fence at %s: nothing was left out there", strings.Join(names, ", "))
	}
}

// evidence returns what the executions, which all passed, show.
func (x *exploration) evidence() *evidence.Evidence {
	if x.Engine.Untracked() != "" {
		x.Evidence.AddCause("goroutine that is no task", 1)
	}
	_, searched := x.settings.strategy.(strategy.Exhaustive)
	e := evidence.Of(x.Executions(), 0, searched, x.orders.Summary(x.Executions()), &x.Evidence)
	if x.Exhausted() {
		e.Exhausted = x.Evidence.Complete(explored(x.settings.strategy, x.Executions()), racing.Detector, false)
	}
	if x.settings.clock == control.Lazy {
		e.Racy = "-chaos.clock=racy, or chaos.WithRacyTime(),"
	}
	return e
}

// explored describes the result of a strategy that has nothing left to explore.
func explored(s strategy.Strategy, executions int) string {
	return explore.Explored(s.Name(), executions, strategy.Bounded(s))
}
