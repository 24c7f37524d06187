package chaos

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
)

// TB is what Explore asks of a *testing.T.
type TB interface {
	Helper()
	Name() string
	Failed() bool
	Fatalf(format string, args ...any)
	Logf(format string, args ...any)
	FailNow()
}

// Explore runs f again and again, each time under another schedule, and fails the
// test at the first one that goes wrong: a deadlock, a task that outlives f, a
// livelock, a panic, or a check of f's own (C.Errorf, C.Fatalf, t.Errorf). What a
// stuck execution is to be called f may know better: C.OnStuck.
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
// f builds what it tests afresh, and must do the same each time that the schedule
// is the same: no random numbers but C.Choose's, no clock but hooks/time's. What is
// tested uses the drop-ins of package hooks; only their operations, and C's, are
// seen.
//
// What failed is shrunk and written to testdata/chaos/<test>/, from where it is
// run first the next time, and the message of the test ends in the command that
// repeats it. Without the build tag chaos, f runs once, on ordinary goroutines.
//
// The flags -chaos.executions, -chaos.seed, -chaos.strategy, -chaos.memory and
// -chaos.replay, and the environment's CHAOS_EXECUTIONS, CHAOS_SEED, CHAOS_STRATEGY,
// CHAOS_MEMORY and CHAOS_REPLAY, overrule the options.
func Explore(t TB, f func(c *C), options ...Option) {
	t.Helper()
	s, err := settingsOf(options)
	if err != nil {
		t.Fatalf("chaos: %v", err)
	}
	x := &exploration{t: t, f: f, settings: s, where: caller()}
	if !hooks.Enabled {
		natively(t, f)
		return
	}
	x.engine, err = control.New(s.engine())
	if err != nil {
		t.Fatalf("chaos: %v", err)
	}
	failure := x.explore()
	x.engine.Close() // before the test is failed: that does not return
	if failure != "" {
		t.Fatalf("%s", failure)
	}
}

// Replay runs f once, under the schedule of a recording that Explore has written,
// and fails the test if it fails again. The options must be those of the Explore
// that wrote it; the memory is the recording's.
func Replay(t TB, file string, f func(c *C), options ...Option) {
	t.Helper()
	Explore(t, f, append(options[:len(options):len(options)], func(s *settings) { s.replay = file })...)
}

// An exploration is one call of Explore.
type exploration struct {
	t        TB
	f        func(c *C)
	settings settings
	engine   *control.Engine
	where    where
}

// body is what a task of the engine runs.
func (x *exploration) body() { x.f(&C{engine: x.engine}) }

// explore returns what went wrong, or "".
func (x *exploration) explore() string {
	if x.settings.replay != "" {
		return x.replay(x.settings.replay, true)
	}
	for _, name := range x.recordings() {
		if failure := x.replay(name, false); failure != "" {
			return failure
		}
	}
	now, left := begin(x.t.Name(), &x.settings)
	defer now.end()
	if left != "" {
		x.t.Logf("chaos: the last run of this test did not come to its end; it was in: %s", left)
	}
	for n := range x.settings.executions {
		now.executes(n)
		seed := executionSeed(x.settings.seed, n)
		result, more := x.engine.Run(seed, x.body)
		if !more {
			x.t.Logf("chaos: %s has explored all there is: %d executions", x.settings.strategy.Name(), n)
			break
		}
		if x.t.Failed() && result.Verdict == verdict.Pass {
			result.Verdict, result.Effect, result.Summary = verdict.WrongResult, verdict.WrongResult, "the body has failed the test"
			if result.Cause = x.engine.Cause(); result.Cause != "" {
				result.Verdict = verdict.ReliesOnSC
			}
		}
		if result.Verdict != verdict.Pass {
			return x.failed(n, result)
		}
		if n%guardEvery == 0 {
			if failure := x.guard(n, result); failure != "" {
				return failure
			}
		}
	}
	if names := x.engine.FencesNotMet(); len(names) > 0 && x.settings.memory != control.SC {
		x.t.Logf("chaos: no execution came to a fence at %s: nothing was left out there", strings.Join(names, ", "))
	}
	return ""
}

// guardEvery is how many executions come to one that is run twice, to see whether
// the same decisions lead to the same trace.
const guardEvery = 64

// guard repeats an execution.
func (x *exploration) guard(n int, result control.Result) string {
	schedule, hash := result.Schedule.Clone(), result.Hash
	again, unused := x.engine.Repeat(schedule, x.body)
	if again.Hash == hash && unused.Len() == 0 {
		return ""
	}
	return fmt.Sprintf("nondeterminism: execution %d went another way when it was repeated with the same decisions (trace hash %016x, then %016x; %d decisions did not apply)\n"+
		"what chaos cannot see decides something here: a goroutine without hooks.Task, a map's order, a clock or random numbers that are not the hooks'",
		n, hash, again.Hash, unused.Len())
}

// failed records, shrinks and explains.
func (x *exploration) failed(n int, result control.Result) string {
	schedule := result.Schedule.Clone()
	r := x.record(n, result, schedule)
	name := filepath.Join(x.dir(), fmt.Sprintf("%016x.rouse", result.Hash))
	err := r.Write(name) // before anything else: what follows may crash
	defer x.keep(name)
	found, byTest := schedule.Len(), x.t.Failed()
	var events []control.Event
	reproduced := true
	if !byTest {
		again, _ := x.engine.Repeat(schedule, x.body)
		reproduced = again.Hash == result.Hash
		if reproduced {
			schedule, _ = recording.Shrink(schedule, func(s strategy.Schedule) (strategy.Schedule, bool) {
				again, _ := x.engine.Repeat(s, x.body)
				return again.Schedule, again.Effect == result.Effect && site(again) == site(result)
			}, x.settings.shrinks)
			seed := result.Seed
			result, events = x.engine.Trace(schedule, x.body)
			result.Seed = seed
			r = x.record(n, result, schedule)
			explain.Annotate(r.Entries, events)
			if err == nil {
				err = r.Write(name)
			}
		}
	}
	return x.message(n, result, name, err, found, schedule.Len(), reproduced, events)
}

// keep puts a copy of the recording where go test -artifacts wants it.
func (x *exploration) keep(name string) {
	t, ok := x.t.(interface{ ArtifactDir() string }) // since Go 1.26
	if !ok {
		return
	}
	if r, err := recording.Read(name); err == nil {
		if err := r.Write(filepath.Join(t.ArtifactDir(), filepath.Base(name))); err != nil {
			x.t.Logf("chaos: %v", err)
		}
	}
}

// site is where a failure shows itself, for comparing two.
func site(r control.Result) string {
	if len(r.Tasks) == 0 {
		return r.Summary
	}
	var places []string
	for _, t := range r.Tasks {
		places = append(places, t.Place())
	}
	slices.Sort(places)
	return strings.Join(places, "; ")
}

// summary is what a result says in one line.
func summary(r control.Result) string {
	if r.Cause == "" {
		return r.Summary
	}
	return fmt.Sprintf("%s, and so: %s: %s", r.Cause, r.Effect, r.Summary)
}

// record makes the recording of a result that is the engine's last.
func (x *exploration) record(n int, result control.Result, s strategy.Schedule) *recording.Recording {
	return &recording.Recording{
		Subject:   x.subject(),
		Build:     fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH),
		Strategy:  x.settings.strategy.Name(),
		Seed:      result.Seed,
		Execution: n,
		Verdict:   result.Verdict,
		Summary:   summary(result),
		Hash:      result.Hash,
		Options:   x.settings.recorded(),
		Entries:   recording.Entries(s, x.engine.Path),
	}
}

// subject is what the recording is of.
func (x *exploration) subject() string { return x.where.pkg + " " + x.t.Name() }

// message is what the test prints.
func (x *exploration) message(n int, r control.Result, name string, err error, found, now int, reproduced bool, events []control.Event) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in execution %d (%s, seed %#x): %s\n", r.Verdict, n, x.settings.strategy.Name(), r.Seed, summary(r))
	if len(events) > 0 {
		b.WriteString("\n" + explain.Table(events))
		if lines := explain.Wakeup(events, r.Tasks, r.Schedule.Fires); lines != nil {
			b.WriteString("\n" + strings.Join(lines, "\n") + "\n")
		}
	}
	for _, t := range r.Tasks {
		b.WriteString("\n" + t.String())
	}
	if r.Detail != "" {
		b.WriteString("\n" + r.Detail)
	}
	b.WriteByte('\n')
	if !reproduced {
		b.WriteString("it went another way when it was repeated: what chaos cannot see decides something here\n")
	}
	if err != nil {
		fmt.Fprintf(&b, "the recording could not be written: %v\n", err)
		return b.String()
	}
	if found == now {
		fmt.Fprintf(&b, "recorded with %s\n", counted(now))
	} else {
		fmt.Fprintf(&b, "recorded, and shrunk from %s to %d\n", counted(found), now)
	}
	command, err := (&recording.Recording{Subject: x.subject()}).Command(name)
	if err != nil { // a TB of the caller's own
		command = fmt.Sprintf("no command of go test can: %v", err)
	}
	b.WriteString("reproduce: " + command)
	return b.String()
}

// counted counts the entries of a schedule.
func counted(n int) string {
	if n == 1 {
		return "1 decision"
	}
	return fmt.Sprintf("%d decisions", n)
}

// become gives the exploration an engine with other settings.
func (x *exploration) become(s settings) error {
	x.engine.Close()
	e, err := control.New(s.engine())
	if err == nil {
		x.settings, x.engine = s, e
	}
	return err
}

// replay runs one recording. If it was asked for, one that does not fail any more
// is worth a word.
func (x *exploration) replay(name string, asked bool) string {
	r, err := recording.Read(name)
	if err != nil {
		return fmt.Sprintf("chaos: %v", err)
	}
	now, err := x.settings.remembered(r.Options)
	if err != nil {
		return fmt.Sprintf("chaos: %s: %v", name, err)
	}
	if now.memory != x.settings.memory || !slices.Equal(now.withoutFences, x.settings.withoutFences) {
		before := x.settings
		if err := x.become(now); err != nil {
			return fmt.Sprintf("chaos: %v", err)
		}
		defer x.become(before) //nolint:errcheck // the engine has just been closed
	}
	result, unused := x.engine.Repeat(r.Schedule(), x.body)
	if result.Verdict == verdict.Pass {
		if asked || unused.Len() > 0 {
			_, events := x.engine.Trace(r.Schedule(), x.body)
			x.t.Logf("chaos: %s: %s no longer happens; %d of its %d decisions do not apply%s", name, r.Verdict, unused.Len(), len(r.Entries),
				gone(r, unused, events))
		}
		return ""
	}
	again, events := x.engine.Trace(r.Schedule(), x.body)
	again.Seed = r.Seed
	note := ""
	if again.Hash != r.Hash {
		note = fmt.Sprintf("the trace differs from the recorded one (%016x, %016x): the code has changed since%s", again.Hash, r.Hash, gone(r, unused, events))
	}
	return strings.TrimRight(x.message(r.Execution, again, name, nil, len(r.Entries), len(r.Entries), true, events)+"\n"+note, "\n")
}

// gone names what of a recording does not apply any more, a line each.
func gone(r *recording.Recording, unused strategy.Schedule, events []control.Event) string {
	text := ""
	for _, line := range explain.Gone(r.Entries, unused, events) {
		text += "\ngone: " + line
	}
	return text
}
