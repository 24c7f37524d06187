//go:build chaos

package worker

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/internal/explore"
)

// A test is what package testing is to a worker: its tasks are those of the drop-ins.
type test struct {
	message string // of its failure
	skipped bool
	run     int // executions before this one
}

const pkg = "example.com/queue"

// tests are those of the binary that the worker under test is in.
var tests = map[string]func(t *test){
	"TestPasses": func(t *test) {
		var mu sync.Mutex
		n := 0
		two(func() { mu.Lock(); n++; mu.Unlock() })
	},
	"TestLost": lost,
	// From its third execution on it starts no tasks.
	"TestStrays": func(t *test) {
		if t.run < 2 {
			lost(t)
		}
	},
	"TestDeadlocks": func(t *test) {
		var a, b sync.Mutex
		locks := [][2]*sync.Mutex{{&a, &b}, {&b, &a}}
		var next atomic.Int64
		two(func() {
			mine := locks[next.Add(1)-1]
			mine[0].Lock()
			mine[1].Lock()
			t.skipped = false
			mine[1].Unlock()
			mine[0].Unlock()
		})
	},
	"TestAlwaysPanics": func(t *test) { panic("so it goes") },
	"TestOnlyOnce": func(t *test) {
		if t.run > 0 {
			t.message = "queue_test.go:9: it has been here before"
		}
	},
	"TestLazy": func(t *test) {
		var n atomic.Int64
		two(func() { n.Add(1) })
		if t.run == 0 {
			n.Add(1) // what is done once
		}
	},
	"TestSkips": func(t *test) { t.skipped = true },
	"TestLong": func(*test) {
		var n atomic.Int64
		two(func() {
			for range 1000 {
				n.Add(1)
			}
		})
	},
	// There is nothing to choose.
	"TestOne": func(*test) {
		var n atomic.Int64
		for range 5000 {
			n.Add(1)
		}
	},
	// It does something else in each execution.
	"TestUncontrolled": func(t *test) {
		var n atomic.Int64
		two(func() {
			for range t.run % 7 {
				n.Add(1)
			}
		})
	},
	// Its third execution, only, does something more.
	"TestOnce": func(t *test) {
		var n atomic.Int64
		two(func() { n.Add(1) })
		if t.run == 2 {
			n.Add(1)
		}
	},
}

func lost(t *test) {
	var n atomic.Int64
	two(func() { n.Store(n.Load() + 1) })
	if n.Load() != 2 {
		t.message = "queue_test.go:7: an increment is lost"
	}
}

// two runs f in two tasks, and waits.
func two(f func()) {
	var done sync.WaitGroup
	done.Add(2)
	for range 2 {
		go hooks.Task(func() { defer done.Done(); f() })()
	}
	done.Wait()
}

var setup = wire.Setup{Version: wire.Version, Start: 1_000_000_007}

// number is the file with the number of the execution.
type number [wire.NumberSize]byte

func (n *number) WriteAt(p []byte, off int64) (int, error) { return copy(n[off:], p), nil }

// newWorker returns a new process's worker, and where it writes to.
func newWorker(answers io.Writer) (*Worker, *number) {
	runs := make(map[string]int)
	at := new(number)
	return New(Binary{
		Package: pkg, Tests: slices.Sorted(maps.Keys(tests)), Notes: []string{"2 benchmarks are not run"},
		Execution: func(name string, _ map[string]any) Execution {
			t := &test{run: runs[name]}
			runs[name]++
			return Execution{
				Run:    func() { tests[name](t) },
				End:    func() (failed, skipped bool, message string) { return t.message != "", t.skipped, t.message },
				Output: func() string { return t.message },
			}
		},
	}, setup, answers, at), at
}

// Catches: a folder that is written down after it has been removed, one that is lost beside many, and others' folders after
// the execution.
func TestMade(t *testing.T) {
	w, at := newWorker(io.Discard)
	list := func() string {
		if at[wire.MadeAt] == 0 {
			return ""
		}
		text, _, _ := bytes.Cut(at[wire.MadeAt:], []byte{0, 0})
		return string(text)
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 1000 {
				dir := fmt.Sprintf("/t/TestA%d-%d", i, n)
				w.Made(dir, true)
				w.Made(dir, false)
			}
		})
	}
	all.Wait()
	w.Made("/t/TestB1", true)
	w.Made("/t/TestB2", true)
	w.Made("/t/TestB3", true)
	if w.Made("/t/TestB2", false); list() != "/t/TestB1\x00/t/TestB3" {
		t.Errorf("%q", list())
	}
	w.Made("/t/"+strings.Repeat("x", wire.NumberSize), true)
	if w.Made("/t/TestB4", true); list() != "/t/TestB1\x00/t/TestB3\x00/t/TestB4" {
		t.Errorf("with one for which there is no room: %q", list()[:100])
	}
	if w.announce(1); list() != "" {
		t.Errorf("in another execution: %q", list())
	}
}

// ask returns the answers of a new process, without those of progress.
func ask(t *testing.T, requests ...wire.Request) (all []wire.Answer) {
	t.Helper()
	var in, out bytes.Buffer
	for _, r := range requests {
		if err := json.NewEncoder(&in).Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	w, _ := newWorker(&out)
	if err := w.Serve(&in); err != nil {
		t.Fatal(err)
	}
	counts := wire.Counts{}
	for d := json.NewDecoder(&out); d.More(); {
		var a wire.Answer
		if err := d.Decode(&a); err != nil {
			t.Fatal(err)
		}
		counts.Traces += a.Counts.Traces
		if counts.Executions, counts.Orders = counts.Executions+a.Counts.Executions, append(counts.Orders, a.Counts.Orders...); a.Kind != wire.Progress {
			a.Counts, counts = counts, wire.Counts{}
			all = append(all, a)
		}
	}
	if len(all) != len(requests) {
		t.Fatalf("%d answers to %d requests: %+v", len(all), len(requests), all)
	}
	return all
}

func explores(test string, from, to int) wire.Request {
	return wire.Request{Do: wire.Explore, Test: test, From: from, To: to, Settings: wire.Settings{Seed: 1, Batch: 64}}
}

func TestList(t *testing.T) {
	a := ask(t, wire.Request{Do: wire.List})[0]
	if a.Kind != wire.Listed || len(a.Tests) != len(tests) || len(a.Notes) != 1 {
		t.Errorf("%+v", a)
	}
}

func TestPasses(t *testing.T) {
	all := ask(t, explores("TestPasses", 0, 100), explores("TestPasses", 100, 128))
	for i, want := range []wire.Answer{{Next: 100, Counts: wire.Counts{Executions: 100}}, {Next: 128, Counts: wire.Counts{Executions: 28}}} {
		if a := all[i]; a.Kind != wire.Explored || a.Next != want.Next || a.Counts.Executions != want.Counts.Executions || a.Skipped || a.Exhausted != "" {
			t.Errorf("%+v", a)
		}
	}
	if whole := ask(t, explores("TestPasses", 0, 128))[0]; whole.Counts.Traces == 0 || whole.Counts.Traces != all[0].Counts.Traces+all[1].Counts.Traces {
		t.Errorf("traces %#x at once, want the sum of %#x and %#x", whole.Counts.Traces, all[0].Counts.Traces, all[1].Counts.Traces)
	}
	orders := append(all[0].Counts.Orders, all[1].Counts.Orders...)
	times := map[uint64]int{}
	for _, o := range orders {
		times[o]++
	}
	if most := slices.Max(slices.Collect(maps.Values(times))); len(times) < 2 || most != mostReported {
		t.Errorf("%d orders, and one of them %d times; want two or more, each %d times at most", len(times), most, mostReported)
	}
}

func TestSkips(t *testing.T) {
	if a := ask(t, explores("TestSkips", 0, 100))[0]; a.Kind != wire.Explored || !a.Skipped || a.Counts.Executions != wire.SkipsEnough || a.Next != wire.SkipsEnough {
		t.Errorf("%+v, want %d executions, skipped", a, wire.SkipsEnough)
	}
	if a := ask(t, explores("TestSkips", 0, 2))[0]; !a.Skipped || a.Counts.Executions != 2 {
		t.Errorf("%+v, want 2 executions, skipped", a)
	}
	w, at := newWorker(io.Discard)
	execution := w.binary.Execution
	w.binary.Execution = func(name string, control map[string]any) Execution {
		x := execution(name, control)
		x.End = func() (failed, skipped bool, message string) {
			failed = int(at[0]) == wire.SkipsEnough-1
			return failed, true, "queue_test.go:11: it skips"
		}
		return x
	}
	if a := w.serve(explores("TestSkips", 0, 100)); a.Kind != wire.Failed || a.Next != wire.SkipsEnough-1 {
		t.Errorf("%+v, want that the last of them fails", a)
	}
	w.endSession()
}

// A failure is found in the same execution, whatever ran before in the process, and settles in another
// process as it was found.
func TestFailureSettles(t *testing.T) {
	for name, want := range map[string]verdict.Verdict{"TestLost": verdict.WrongResult, "TestDeadlocks": verdict.Deadlock} {
		found := ask(t, explores(name, 0, 1000))[0]
		f := found.Failure
		if found.Kind != wire.Failed || f.Verdict != want || f.Execution != found.Next || found.Counts.Executions != found.Next+1 || len(found.Notes) > 0 {
			t.Fatalf("%s: %+v, %+v", name, found, f)
		}
		again := ask(t, explores("TestPasses", 0, 64), explores(name, found.Next/64*64, 1000))[1]
		if again.Next != found.Next || again.Failure.Hash != f.Hash || again.Failure.Recording != f.Recording {
			t.Errorf("%s: found in execution %d, and in another process in %d", name, found.Next, again.Next)
		}
		settled := ask(t, wire.Request{Do: wire.Settle, Test: name, Recording: f.Recording})[0]
		if settled.Kind != wire.Settled {
			t.Fatalf("%s: %+v", name, settled)
		}
		s := settled.Failure
		if s.Verdict != want || s.Summary != f.Summary || s.Decisions[0] != f.Decisions[0] || s.Decisions[1] > s.Decisions[0] || !strings.Contains(s.Report, "main/0") {
			t.Errorf("%s: settled as %+v\nof %+v", name, s, f)
		}
		if want == verdict.WrongResult && (!strings.Contains(s.Report, "output of the test\nqueue_test.go:7") || s.Summary != "queue_test.go:7: an increment is lost") {
			t.Errorf("%s: %s\n%s", name, s.Summary, s.Report)
		}
		replayed := ask(t, wire.Request{Do: wire.Replay, Test: name, Recording: s.Recording})[0]
		if replayed.Kind != wire.Replayed || replayed.Likeness != "exact" || replayed.Reason != "" || replayed.Failure.Verdict != want {
			t.Errorf("%s: %+v", name, replayed)
		}
		r, err := recording.Parse("r", s.Recording)
		if err != nil || r.Kind != recording.Unmodified || r.Start != setup.Start || r.Subject != pkg+" "+name || r.Clock != "mixed" || len(r.Entries) != s.Decisions[1] {
			t.Errorf("%s: %v\n%s", name, err, s.Recording)
		}
	}
}

// What fails by the default schedule fails when the process warms up.
func TestWarmUpFails(t *testing.T) {
	a := ask(t, explores("TestAlwaysPanics", 64, 128))[0]
	if a.Kind != wire.Failed || a.Failure.Verdict != verdict.Panicked || a.Next != 0 || !a.Failure.First || a.Failure.Decisions[1] != 0 {
		t.Errorf("%+v, %+v", a, a.Failure)
	}
	if s := ask(t, wire.Request{Do: wire.Settle, Test: "TestAlwaysPanics", Recording: a.Failure.Recording})[0]; s.Kind != wire.Settled {
		t.Errorf("%+v", s)
	}
}

func TestUncontrolled(t *testing.T) {
	a := ask(t, explores("TestUncontrolled", 0, 100))[0]
	if a.Kind != wire.Failed || a.Failure.Verdict != verdict.Uncontrolled {
		t.Fatalf("%+v", a)
	}
	if f := a.Failure; !strings.Contains(f.Summary, "when it was repeated: at event ") || !strings.Contains(f.Report, f.Summary) || !strings.Contains(f.Summary, "main/") {
		t.Errorf("%s\n%s", f.Summary, f.Report)
	}
	// What is done once, in an execution that is compared, is no such thing.
	if a := ask(t, explores("TestOnce", 0, 100))[0]; a.Kind != wire.Explored || a.Counts.Executions != 100 {
		t.Errorf("%+v, %+v", a, a.Failure)
	}
}

// Catches: the schedule of an execution that is too long, as a recording that nobody reads.
func TestTooLong(t *testing.T) {
	request := explores("TestLong", 0, 10)
	request.Settings.MaxSteps = 500
	a := ask(t, request)[0]
	if a.Kind != wire.Failed || a.Failure.Verdict != verdict.Timeout || a.Failure.Steps < 500 {
		t.Fatalf("%+v", a)
	}
	r, err := recording.Parse("r", a.Failure.Recording)
	if err != nil || len(r.Entries) > 0 {
		t.Errorf("%v, %d decisions", err, len(r.Entries))
	}
}

// Catches: a failure that cannot be recorded, since it has too many decisions, and that ends the run.
func TestTooManyDecisions(t *testing.T) {
	defer func(most int) { mostDecisions = most }(mostDecisions)
	mostDecisions = 0
	f := ask(t, explores("TestLost", 0, 1000))[0].Failure
	if f == nil || f.Verdict != verdict.Uncontrolled || !strings.HasPrefix(f.Summary, "wrong-result: queue_test.go:7: an increment is lost: its ") {
		t.Fatalf("%+v", f)
	}
	if r, err := recording.Parse("r", f.Recording); err != nil || len(r.Entries) > 0 {
		t.Error(err)
	}
}

func TestUnrepeatable(t *testing.T) {
	f := ask(t, explores("TestLost", 0, 1000))[0].Failure
	r, err := recording.Parse("r", f.Recording)
	if err != nil {
		t.Fatal(err)
	}
	r.Entries = nil // then it passes
	a := ask(t, wire.Request{Do: wire.Settle, Test: "TestLost", Recording: r.String()})[0]
	if a.Kind != wire.Unrepeatable || a.Reason != "the execution passes" || a.Failure.Verdict != verdict.WrongResult || a.Failure.Recording != r.String() ||
		!strings.Contains(text(a.Failure), "it did not repeat in another process: the execution passes\n") || !strings.Contains(text(a.Failure), "what may help: ") {
		t.Errorf("%+v, %+v", a, a.Failure)
	}
	if a := ask(t, wire.Request{Do: wire.Replay, Test: "TestLost", Recording: r.String()})[0]; a.Kind != wire.Replayed || a.Likeness != "not-reproduced" || a.Reason != "the execution passes" {
		t.Errorf("%+v", a)
	}
}

// Catches: a recording with the schedule of one execution and the tasks of another, which has none of them.
func TestStraysWhileItIsShrunk(t *testing.T) {
	f := ask(t, explores("TestLost", 0, 1000))[0].Failure
	rec, err := recording.Parse("r", f.Recording)
	if err != nil {
		t.Fatal(err)
	}
	rec.Subject = pkg + " TestStrays"
	a := ask(t, wire.Request{Do: wire.Settle, Test: "TestStrays", Recording: rec.String(), First: true})[0]
	if a.Kind != wire.Settled || !a.Alone || !strings.Contains(a.Reason, "when it was shrunk") {
		t.Fatalf("%+v", a)
	}
	if r, err := recording.Parse("r", a.Failure.Recording); err != nil || len(r.Entries) == 0 || a.Failure.Verdict != verdict.WrongResult {
		t.Errorf("%v: %+v", err, a.Failure)
	}
}

// text is the report of a failure.
func text(f *wire.Failure) string {
	if f.Page != nil {
		return f.Page.Text(0)
	}
	return f.Report
}

// Catches: a failure that follows from what is real, and is not told from others.
func TestFailsByWhatIsReal(t *testing.T) {
	w, _ := newWorker(io.Discard)
	w.binary.Lack = func() string { return "the heap is real" }
	f := w.serve(explores("TestLost", 0, 1000)).Failure
	w.endSession()
	if f == nil || f.Verdict != verdict.Uncontrolled || !f.Real || f.Differed || !strings.Contains(text(f), "what may help: a fake in place of what is real; --native") {
		t.Fatalf("%+v", f)
	}
	f = ask(t, explores("TestLost", 0, 1000))[0].Failure
	if f.Real {
		t.Errorf("%+v", f)
	}
	a := w.serve(wire.Request{Do: wire.Settle, Test: "TestLost", Recording: f.Recording, First: true})
	w.endSession()
	if a.Kind != wire.Unrepeatable || a.Instead == nil || !a.Instead.Real || a.Instead.Verdict != verdict.Uncontrolled {
		t.Errorf("%+v", a)
	}
}

func TestExhausted(t *testing.T) {
	r := explores("TestPasses", 0, 1000)
	r.Settings.Strategy = "dfs(0)"
	a := ask(t, r)[0]
	if a.Kind != wire.Explored || a.Next != a.Counts.Executions || a.Next > 100 || !strings.HasPrefix(a.Exhausted, fmt.Sprintf("dfs(0) has nothing left to explore after %d executions", a.Next)) {
		t.Errorf("%+v", a)
	}
	r.From = 64
	if a := ask(t, r)[0]; a.Kind != wire.Refused || !strings.Contains(a.Reason, "explores in order") {
		t.Errorf("%+v", a)
	}
}

func TestRefused(t *testing.T) {
	f := ask(t, explores("TestLost", 0, 1000))[0].Failure
	edited := func(edit func(r *recording.Recording)) wire.Request {
		r, err := recording.Parse("r", f.Recording)
		if err != nil {
			t.Fatal(err)
		}
		edit(r)
		return wire.Request{Do: wire.Replay, Test: "TestLost", Recording: r.String()}
	}
	settings := func(s wire.Settings) wire.Request {
		return wire.Request{Do: wire.Explore, Test: "TestLost", To: 1, Settings: s}
	}
	for want, r := range map[string]wire.Request{
		`found no test "TestNone"`:                          {Do: wire.Explore, Test: "TestNone"},
		`found a request to "dance"`:                        {Do: "dance", Test: "TestLost"},
		`found the clock "broken"`:                          settings(wire.Settings{Clock: "broken"}),
		`no such strategy: "luck"`:                          settings(wire.Settings{Strategy: "luck"}),
		`found an empty file`:                               {Do: wire.Settle, Test: "TestLost"},
		`kind controlled, want unmodified`:                  edited(func(r *recording.Recording) { r.Kind = recording.Controlled }),
		`a recording of example.com/queue TestPasses, want`: edited(func(r *recording.Recording) { r.Subject = pkg + " TestPasses" }),
		`not started at the time of the recording`:          edited(func(r *recording.Recording) { r.Start++ }),
		`found "max-steps=many"`:                            edited(func(r *recording.Recording) { r.Options = []string{"max-steps=many"} }),
	} {
		if a := ask(t, r)[0]; a.Kind != wire.Refused || !strings.Contains(a.Reason, want) {
			t.Errorf("%+v, want %s", a, want)
		}
	}
	w, _ := newWorker(io.Discard)
	if err := w.Serve(strings.NewReader(`{"do": "li`)); err == nil {
		t.Error("a torn request was served")
	}
}

// The number of the execution in progress is known while it runs, and counts are reported meanwhile.
func TestAnnounces(t *testing.T) {
	var out bytes.Buffer
	w, at := newWorker(&out)
	seen := -1
	tests["TestPasses"](&test{}) // outside of an execution it is an ordinary function
	execution := w.binary.Execution
	w.binary.Execution = func(name string, control map[string]any) Execution {
		seen = int(at[0])
		w.silent -= int64(2 * progressEvery)
		return execution(name, control)
	}
	if a := w.serve(explores("TestPasses", 64, 70)); a.Kind != wire.Explored || seen != 69 {
		t.Errorf("%+v, the last number is %d, want 69", a, seen)
	}
	w.endSession()
	if n := strings.Count(out.String(), `{"kind":"progress","counts":{"executions":1,`); n != 5 { // the answer has the last one
		t.Errorf("%d answers of progress, want 5:\n%s", n, out.String())
	}
}

// An execution that takes long is seen to make steps.
func TestStepped(t *testing.T) {
	w, at := newWorker(io.Discard)
	w.serve(explores("TestLong", 0, 1))
	w.endSession()
	if steps := binary.LittleEndian.Uint64(at[wire.StepsAt:]); steps == 0 {
		t.Error("2,000 steps were none")
	}
}

// Catches: a failure that only a later execution of a process has, and that is reported; and bugs of what is done
// once, for which no execution is the first of its process.
func TestFirstExecutions(t *testing.T) {
	if a := ask(t, explores("TestOnlyOnce", 0, 64))[0]; a.Kind != wire.Explored || a.Differs != wire.DiffersInVerdict || a.Next != 0 || a.Counts.Executions != 0 ||
		!strings.Contains(a.Second, "it has been here before") {
		t.Errorf("%+v", a)
	}
	if a := ask(t, explores("TestLazy", 0, 64))[0]; a.Kind != wire.Explored || a.Differs != wire.DiffersInTrace || a.Counts.Executions != 64-64/16 {
		t.Errorf("%+v", a)
	}
	if a := ask(t, explores("TestPasses", 0, 64))[0]; a.Differs != "" || a.Counts.Executions != 64 {
		t.Errorf("%+v", a)
	}
}

// A counting counts the choices, and the events, of a strategy.
type counting struct {
	strategy.Strategy
	choices, events int
}

func (c *counting) Next(choice *strategy.Choice) int {
	c.choices++
	return c.Strategy.Next(choice)
}

func (c *counting) Happened(strategy.Event) { c.events++ }

// Catches: a process that asks another one what to do where there is nothing to choose, at each step, or a question that
// grows with the execution; and choices or events that the other one does not learn of.
func TestNothingToChoose(t *testing.T) {
	for _, alone := range []wire.Alone{{Observes: true}, {Observes: true, SkipsForced: true}, {Observes: true, OnlySpawns: true}} {
		by, skips := &counting{Strategy: strategy.Random()}, alone.SkipsForced
		by.Begin(strategy.Execution{Seed: 1})
		q := &wire.Questioned{Strategy: by}
		w, _ := newWorker(io.Discard)
		asked, longest := 0, 0
		w.Ask = func(question []byte) int {
			asked, longest = asked+1, max(longest, len(question))
			chosen, err := q.Answer(question)
			if err != nil {
				t.Fatal(err)
			}
			return chosen
		}
		r := explores("TestOne", 0, 1)
		r.Alone = &alone
		a := w.serve(r)
		w.endSession()
		if a.Kind != wire.Explored {
			t.Errorf("skips %t: %+v", skips, a)
		}
		if choices := 5000; (by.events < choices) != alone.OnlySpawns || !skips && by.choices < choices || skips && by.choices > 0 {
			t.Errorf("skips %t: %d events and %d choices have come", skips, by.events, by.choices)
		}
		if asked == 0 || asked > 20 || longest > 1<<17 {
			t.Errorf("skips %t: asked %d times in up to %d bytes", skips, asked, longest)
		}
	}
}

// Catches: a divergence that the strategy finds where nothing was to be chosen, after the last answer that the execution
// waits for, and that is lost.
func TestLateDivergence(t *testing.T) {
	for _, at := range []int{4990, 100} {
		by := &counting{Strategy: strategy.Random()}
		by.Begin(strategy.Execution{Seed: 1})
		q := &wire.Questioned{Strategy: by}
		w, _ := newWorker(io.Discard)
		w.Ask = func(question []byte) int {
			if chosen, err := q.Answer(question); err == nil && by.choices < at {
				return chosen
			}
			return -1
		}
		r := explores("TestOne", 0, 1)
		r.Alone = &wire.Alone{Observes: true}
		if a := w.serve(r); a.Kind != wire.Failed || a.Failure.Verdict != verdict.Uncontrolled {
			t.Errorf("after %d choices: %+v", at, a.Failure)
		}
		w.endSession()
	}
}

// Catches: a strategy in another process that does not choose as one in the worker does, and the recording of a
// first execution that is repeated by a later one.
func TestAlone(t *testing.T) {
	for _, test := range []string{"TestLost", "TestOnlyOnce"} {
		failed := false
		for n := 0; n < 64 && !failed; n++ {
			by, _ := strategy.Parse("pos")
			by.Begin(strategy.Execution{Number: n, Seed: explore.Seed(1, n)})
			q := &wire.Questioned{Strategy: by}
			w, _ := newWorker(io.Discard)
			asked := 0
			w.Ask = func(question []byte) int {
				asked++
				chosen, err := q.Answer(question)
				if err != nil {
					t.Fatal(err)
				}
				return chosen
			}
			r := explores(test, n, n+1)
			r.Settings.Strategy, r.Alone = "pos", &wire.Alone{SkipsForced: true}
			a := w.serve(r)
			w.endSession()
			if a.Ended == nil || test == "TestLost" && asked == 0 {
				t.Fatalf("%s: asked %d times: %+v", test, asked, a)
			}
			if failed = a.Kind == wire.Failed; !failed {
				continue
			}
			rec, err := recording.Parse("r", a.Failure.Recording)
			if err != nil || !slices.Contains(rec.Options, recording.OptionFirst) {
				t.Fatalf("%v: %+v", err, a.Failure)
			}
			for _, do := range []wire.Do{wire.Replay, wire.Settle} {
				again := ask(t, wire.Request{Do: do, Test: test, Recording: a.Failure.Recording})[0]
				if do == wire.Replay && again.Likeness != "exact" || do == wire.Settle && again.Kind != wire.Settled {
					t.Errorf("%s: %+v", do, again)
				}
			}
		}
		if failed != (test == "TestLost") {
			t.Errorf("%s: failed %t", test, failed)
		}
	}
}
