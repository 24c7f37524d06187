package goroot

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// start is the time at which the executions of these tests begin.
const start = 1_700_000_000_000_000_000

// A testBinary is a test binary that was built with the overlay.
type testBinary struct {
	name string
	dir  string
	race bool
	env  []string // of a process
	// native: goroutines run in parallel
	native bool
}

// build builds the tests of a package in a folder.
func build(t *testing.T, dir string, flags ...string) *testBinary {
	t.Helper()
	o, err := Make(t.Context(), Options{Dir: dir, BuildFlags: flags})
	if err != nil {
		t.Fatal(err)
	}
	b := &testBinary{name: filepath.Join(t.TempDir(), "x.test"), dir: dir, race: slices.Contains(flags, "-race")}
	cmd := exec.CommandContext(t.Context(), o.Go, append(append([]string{"test", "-vet=off", "-c", "-o", b.name}, o.Flags...), ".")...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), o.Env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return b
}

// A process is what a worker has done.
type process struct {
	answers []wire.Answer // without those of progress, whose counts are added to the next
	number  int           // of the last execution
	code    int           // its exit code
	stdout  string
	stderr  string
}

// ask starts a worker, and returns when it has ended.
func (b *testBinary) ask(t *testing.T, args []string, requests ...wire.Request) *process {
	t.Helper()
	setup := wire.Setup{Version: wire.Version, Start: start, Native: b.native}
	log := filepath.Join(t.TempDir(), "race")
	env := append(os.Environ(), "GOMAXPROCS=1", "TMPDIR="+t.TempDir())
	env = append(env, b.env...)
	if b.race {
		setup.RaceLog = log
		env = append(env, wire.RaceVariable+"="+wire.RaceOptions("", log))
	}
	text, err := json.Marshal(setup)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), b.name, args...)
	var in, stdout, stderr bytes.Buffer
	for _, r := range requests {
		if err := json.NewEncoder(&in).Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	read := pipe(t)
	answers := pipe(t)
	number, err := os.Create(filepath.Join(t.TempDir(), "number"))
	if err != nil {
		t.Fatal(err)
	}
	defer number.Close()
	cmd.Dir, cmd.Stdout, cmd.Stderr = b.dir, &stdout, &stderr
	cmd.Env = append(env, wire.Variable+"="+string(text))
	cmd.ExtraFiles = []*os.File{read.r, answers.w, number}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	read.r.Close()
	answers.w.Close()
	go func() {
		io.Copy(read.w, &in) //nolint:errcheck // a worker may end before it has read all
		read.w.Close()
	}()
	p := new(process)
	var counts wire.Counts
	for d := json.NewDecoder(answers.r); ; {
		var a wire.Answer
		if err := d.Decode(&a); err != nil {
			break // it has ended
		}
		counts.Executions, counts.Steps = counts.Executions+a.Counts.Executions, counts.Steps+a.Counts.Steps
		counts.Traces += a.Counts.Traces
		counts.Orders = append(counts.Orders, a.Counts.Orders...)
		counts.Evidence.Add(&a.Counts.Evidence)
		if a.Kind != wire.Progress {
			a.Counts, counts = counts, wire.Counts{}
			p.answers = append(p.answers, a)
		}
	}
	cmd.Wait() //nolint:errcheck // its exit code counts
	p.code, p.stdout, p.stderr = cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
	var digits [8]byte
	number.ReadAt(digits[:], 0) //nolint:errcheck // it is 0 then
	p.number = int(binary.LittleEndian.Uint64(digits[:]))
	return p
}

type pipeEnds struct{ r, w *os.File }

func pipe(t *testing.T) (p pipeEnds) {
	t.Helper()
	var err error
	if p.r, p.w, err = os.Pipe(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.r.Close(); p.w.Close() })
	return p
}

// one returns the answer to one request.
func (b *testBinary) one(t *testing.T, r wire.Request) wire.Answer {
	t.Helper()
	p := b.ask(t, nil, r)
	if len(p.answers) != 1 || p.code != 0 {
		t.Fatalf("%s %s: exit code %d, %d answers\n%s%s", r.Do, r.Test, p.code, len(p.answers), p.stdout, p.stderr)
	}
	return p.answers[0]
}

func explore(test string, to int) wire.Request {
	return wire.Request{Do: wire.Explore, Test: test, To: to, Settings: wire.Settings{Seed: 1, Batch: 256}}
}

func TestDriver(t *testing.T) {
	b := build(t, filepath.Join("testdata", "driver"))
	t.Run("off", func(t *testing.T) { testDriverOff(t, b) })
	t.Run("lists", func(t *testing.T) { testDriverLists(t, b) })
	t.Run("passes", func(t *testing.T) { testDriverPasses(t, b) })
	t.Run("fails", func(t *testing.T) { testDriverFails(t, b) })
	t.Run("file locks", func(t *testing.T) { testDriverFileLocks(t, b) })
	t.Run("places", func(t *testing.T) { testDriverPlaces(t, b) })
	t.Run("subtests", func(t *testing.T) { testDriverSubtests(t, b) })
	t.Run("restores", func(t *testing.T) { testDriverRestores(t, b) })
	t.Run("exits", func(t *testing.T) { testDriverExits(t, b) })
	t.Run("uncontrolled", func(t *testing.T) { testDriverUncontrolled(t, b) })
	t.Run("addresses", func(t *testing.T) { testDriverAddresses(t, b) })
	t.Run("leaks", func(t *testing.T) { testDriverLeaks(t, b) })
	t.Run("repeats", func(t *testing.T) { testDriverRepeats(t, b) })
	t.Run("left", func(t *testing.T) { testDriverLeft(t, b) })
	t.Run("native", func(t *testing.T) { testDriverNative(t, b) })
	t.Run("asleep", func(t *testing.T) { testDriverAsleep(t, b) })
	t.Run("fuzz tests", func(t *testing.T) { testDriverFuzz(t, b) })
	t.Run("examples", func(t *testing.T) { testDriverExamples(t, b) })
	t.Run("early timers", func(t *testing.T) { testDriverEarly(t, b) })
	t.Run("steps", func(t *testing.T) { testDriverSteps(t, b) })
	t.Run("complete", func(t *testing.T) { testDriverComplete(t, b) })
	t.Run("asides", func(t *testing.T) { testDriverAsides(t, b) })
	t.Run("stuck seed", func(t *testing.T) { testDriverStuckSeed(t, b) })
}

// Unless stress test has started it, a binary that was built with the overlay tests as always.
func testDriverOff(t *testing.T, b *testBinary) {
	cmd := exec.CommandContext(t.Context(), b.name, "-test.run=^(TestPrints|TestNames|TestMisc|TestSkips)$", "-test.v", "-test.bench=Nothing", "-test.count=2")
	cmd.Dir = b.dir
	out, err := cmd.CombinedOutput()
	text := string(out)
	for _, want := range []string{"--- PASS: TestNames/a#01 (", "--- SKIP: TestSkips (", "driver_test.go:", "BenchmarkNothing"} {
		if strings.Count(text, want) < 2 { // TestMain runs the tests twice
			t.Errorf("%v: no two %q in\n%s", err, want, text)
		}
	}
}

func testDriverLists(t *testing.T, b *testBinary) {
	p := b.ask(t, []string{"-test.run=^Test(Prints|Skips|Races)$|^Fuzz(Skips|Lost)|Example($|_races)", "-test.skip=Races|Lost"}, wire.Request{Do: wire.List})
	if len(p.answers) != 1 || p.code != 0 {
		t.Fatalf("%+v", p)
	}
	if a := p.answers[0]; a.Kind != wire.Listed || !slices.Equal(a.Tests, []string{"TestSkips", "TestPrints", "FuzzSkips", "Example_races", "Example"}) || !slices.Equal(a.Notes, []string{"1 benchmark is not run"}) {
		t.Errorf("%+v", a)
	}
	if strings.Count(p.stderr, "TestMain is done: 1") != 1 || p.stdout != "" {
		t.Errorf("stdout %q, stderr %q", p.stdout, p.stderr)
	}
}

func testDriverPasses(t *testing.T, b *testBinary) {
	p := b.ask(t, []string{"-test.v", "-test.parallel=2"}, explore("TestEnvironment", 20), explore("TestNames", 50), explore("TestMisc", 20), explore("TestPrints", 20), explore("TestSkips", 20), explore("TestTemp", 20), explore("TestTempFile", 20), explore("TestDeadline", 20))
	for i, a := range p.answers {
		want := 20
		switch i {
		case 1:
			want = 50
		case 4:
			want = wire.SkipsEnough
		}
		if a.Kind != wire.Explored || a.Counts.Executions != want || a.Skipped != (i == 4) {
			t.Errorf("request %d: %+v, %+v", i, a, a.Failure)
		}
	}
	if len(p.answers) != 8 || p.stdout != "" || p.code != 0 || p.number != 19 {
		t.Errorf("%d answers, exit code %d, number %d, stdout %q, stderr %q", len(p.answers), p.code, p.number, p.stdout, p.stderr)
	}
}

// Catches: a goroutine that has ended with its execution, and stays in the queue of a channel or of a condition, or
// takes a signal of the next execution.
func testDriverLeft(t *testing.T, b *testBinary) {
	for _, test := range []string{"TestReceiversLeft", "TestSendersLeft", "TestSelectsLeft", "TestWaitersLeft"} {
		if a := b.one(t, explore(test, 200)); a.Kind != wire.Explored || a.Counts.Executions != 200 {
			t.Errorf("%s: %+v, %+v", test, a, a.Failure)
		}
	}
}

// Subtests log into what their parent logs.
func testDriverSubtests(t *testing.T, b *testBinary) {
	a := b.one(t, explore("TestNames", 100))
	if a.Kind != wire.Failed || !strings.Contains(a.Failure.Output, "--- FAIL: TestNames (0.00s)\n    --- FAIL: TestNames/") ||
		!strings.Contains(a.Failure.Output, ": 3 tests run at a time\n") || !strings.HasSuffix(a.Failure.Summary, ": 3 tests run at a time") {
		t.Errorf("%+v, %+v", a, a.Failure)
	}
}

// A failure settles in another process, and its report shows the user's lines.
func testDriverFails(t *testing.T, b *testBinary) {
	a := b.one(t, explore("TestLost", 1000))
	f := a.Failure
	if a.Kind != wire.Failed || f.Verdict != verdict.WrongResult || !strings.HasSuffix(f.Summary, ": lost: n is 1") || len(a.Notes) > 0 {
		t.Fatalf("%+v, %+v", a, f)
	}
	if again := b.one(t, explore("TestLost", 1000)); again.Failure.Hash != f.Hash || again.Next != a.Next || again.Failure.Recording != f.Recording {
		t.Errorf("first execution %d, trace %x, and in another process %d, %x", a.Next, f.Hash, again.Next, again.Failure.Hash)
	}
	settled := b.one(t, wire.Request{Do: wire.Settle, Test: "TestLost", Recording: f.Recording})
	s := settled.Failure
	if settled.Kind != wire.Settled || s.Verdict != f.Verdict || s.Summary != f.Summary || s.Decisions[1] >= s.Decisions[0] {
		t.Fatalf("%+v, %+v", settled, s)
	}
	for _, want := range []string{"TestLost", "driver_test.go:", "output of the test\n--- FAIL: TestLost (0.00s)\n    driver_test.go:", ": before\n", ": and more\n", "recorded, and shrunk from "} {
		if !strings.Contains(s.Report, want) {
			t.Errorf("no %q in\n%s", want, s.Report)
		}
	}
	if r := b.one(t, wire.Request{Do: wire.Replay, Test: "TestLost", Recording: s.Recording}); r.Kind != wire.Replayed || r.Likeness != "exact" {
		t.Errorf("%+v", r)
	}
	r := b.one(t, wire.Request{Do: wire.Replay, Test: "TestLost", Recording: s.Recording, Way: true})
	if !slices.ContainsFunc(r.Way, func(line string) bool { return strings.HasPrefix(line, "main/1 ") }) || !strings.Contains(r.Outside, "what may help: ") {
		t.Errorf("%q, %q", r.Way, r.Outside)
	}
}

// Catches: a row whose place is a file of the overlay's.
func testDriverPlaces(t *testing.T, b *testBinary) {
	f := b.one(t, explore("TestWrites", 1)).Failure
	if f == nil || !strings.HasSuffix(f.Summary, ": written") {
		t.Fatalf("%+v", f)
	}
	r := b.one(t, wire.Request{Do: wire.Replay, Test: "TestWrites", Recording: f.Recording, First: true, Way: true})
	alone := 0 // calls that no line of the test has made
	for _, line := range r.Way {
		if strings.Contains(line, "rouse") {
			t.Error(line)
		}
		if strings.Contains(line, "syscall.Write file_posix.go:") {
			alone++
		}
	}
	if alone == 0 {
		t.Errorf("no system call of package os alone in\n%s", strings.Join(r.Way, "\n"))
	}
}

// Catches: one number for the locks of several files, that of all that is outside.
func testDriverFileLocks(t *testing.T, b *testBinary) {
	f := b.one(t, explore("TestFileLocks", 1000)).Failure
	if f == nil || f.Verdict != verdict.Deadlock {
		t.Fatalf("%+v", f)
	}
	r := b.one(t, wire.Request{Do: wire.Replay, Test: "TestFileLocks", Recording: f.Recording, First: true})
	if r.Failure == nil || !strings.Contains(r.Failure.Report, "each waits for the lock of a file in syscall.Flock, since step ") {
		t.Errorf("%+v, %+v", r, r.Failure)
	}
}

// An execution that never ends leaves nothing to the next one in the process.
func testDriverRestores(t *testing.T, b *testBinary) {
	a := b.one(t, explore("TestLeaves", 100))
	if f := a.Failure; a.Kind != wire.Failed || f.Verdict != verdict.Deadlock || f.Execution != 0 || a.Notes != nil ||
		!strings.Contains(f.Output, "--- has not ended: TestLeaves\n    driver_test.go:") || !strings.Contains(f.Output, ": stuck\n") {
		t.Fatalf("%+v, %+v", a, f)
	}
	s := b.one(t, wire.Request{Do: wire.Settle, Test: "TestLeaves", Recording: a.Failure.Recording})
	if s.Kind != wire.Settled || s.Failure.Decisions[1] != 0 || !strings.Contains(s.Failure.Report, "waits in a select without cases") || !strings.Contains(s.Failure.Report, ", since step ") {
		t.Errorf("%+v, %+v", s, s.Failure)
	}
}

// A test that ends the process leaves the number of its execution.
func testDriverExits(t *testing.T, b *testBinary) {
	r := explore("TestExits", 1000)
	r.From = 256
	if p := b.ask(t, nil, r); p.code != 7 || p.number != 256 || len(p.answers) != 0 {
		t.Errorf("%+v", p)
	}
	if p := b.ask(t, nil, explore("TestOverflows", 10)); p.code != 2 || p.number != 0 || !strings.Contains(p.stderr, "stack overflow") {
		t.Errorf("%+v", p)
	}
	for _, code := range []string{"0", "7"} {
		a := b.one(t, explore("TestExitsWith"+code, 10))
		if a.Kind != wire.Failed || a.Failure.Verdict != verdict.Panicked || !strings.Contains(a.Failure.Summary, "os.Exit("+code+")") {
			t.Errorf("%+v, %+v", a, a.Failure)
		}
	}
}

func testDriverUncontrolled(t *testing.T, b *testBinary) {
	a := b.one(t, explore("TestUncontrolled", 1000))
	if f := a.Failure; a.Kind != wire.Failed || f.Verdict != verdict.Uncontrolled || !strings.Contains(f.Summary, "TestUncontrolled") || !strings.Contains(f.Summary, "at event ") {
		t.Errorf("%+v, %+v", a, f)
	}
}

// The report of an execution that does not repeat says what it did that is not controlled.
func testDriverAddresses(t *testing.T, b *testBinary) {
	a := b.one(t, explore("TestAddresses", 1000))
	if f := a.Failure; a.Kind != wire.Failed || f.Verdict != verdict.Uncontrolled || !strings.Contains(f.Report, "map iteration by addresses, 1 times: driver.TestAddresses (driver_test.go:") {
		t.Errorf("%+v, %+v", a, f)
	}
}

func testDriverLeaks(t *testing.T, b *testBinary) {
	r := explore("TestLeaks", 50)
	if a := b.one(t, r); a.Kind != wire.Explored {
		t.Errorf("%+v, %+v", a, a.Failure)
	}
	r.Settings.Leaks = true
	a := b.one(t, r)
	if a.Kind != wire.Failed || a.Failure.Verdict != verdict.Leak || !strings.Contains(a.Failure.Summary, "driver.TestLeaks.func1 (driver_test.go:") {
		t.Fatalf("%+v, %+v", a, a.Failure)
	}
	if s := b.one(t, wire.Request{Do: wire.Settle, Test: "TestLeaks", Recording: a.Failure.Recording}); s.Kind != wire.Settled || s.Failure.Verdict != verdict.Leak {
		t.Errorf("%+v, %+v", s, s.Failure)
	}
	// A coroutine is named by the place of iter.Pull. One that waits for something else is the goroutine that
	// continued it.
	for test, want := range map[string]string{
		"TestLeaksPull":          "a coroutine of main waits for next or stop of iter.Pull in driver.TestLeaksPull (pull_test.go:",
		"TestLeaksPullOfAnother": "a coroutine of main/0 waits for next or stop of iter.Pull in driver.TestLeaksPullOfAnother.func1 (pull_test.go:",
		"TestLeaksPullWaiting":   "main/0 waits to receive in driver.TestLeaksPullWaiting.func1.1 (pull_test.go:",
		"TestStopsPull":          "",
	} {
		r := explore(test, 20)
		if a := b.one(t, r); a.Kind != wire.Explored {
			t.Errorf("%s: %+v, %+v", test, a, a.Failure)
		}
		r.Settings.Leaks = true
		a := b.one(t, r)
		if want == "" && a.Kind == wire.Explored {
			continue
		}
		if a.Kind != wire.Failed || a.Failure.Verdict != verdict.Leak || !strings.Contains(a.Failure.Summary, want) {
			t.Errorf("%s: %+v, %+v", test, a, a.Failure)
			continue
		}
		if s := b.one(t, wire.Request{Do: wire.Settle, Test: test, Recording: a.Failure.Recording}); s.Kind != wire.Settled || s.Failure.Verdict != verdict.Leak {
			t.Errorf("%s: %+v, %+v", test, s, s.Failure)
		}
	}
}

// Traces do not depend on the process, nor on how many processors it has.
func testDriverRepeats(t *testing.T, b *testBinary) {
	two := *b
	two.env = []string{"GOMAXPROCS=2"}
	for _, test := range []string{"TestMisc", "TestTemp", "TestTempFile", "TestPrints"} {
		one, other := b.one(t, explore(test, 200)), two.one(t, explore(test, 200))
		if one.Kind != wire.Explored || one.Counts.Traces != other.Counts.Traces || one.Counts.Steps != other.Counts.Steps {
			t.Errorf("%s: %+v\n%+v, %+v", test, one, other, other.Failure)
		}
	}
}

// Where goroutines run in parallel, delays at their points find what is rare. There is no recording.
func testDriverNative(t *testing.T, b *testBinary) {
	native := *b
	native.native, native.env = true, []string{"GOMAXPROCS=2", "REAL=1"}
	a := native.one(t, explore("TestLost", 20_000))
	if f := a.Failure; a.Kind != wire.Failed || f.Verdict != verdict.WrongResult || !strings.HasSuffix(f.Summary, ": lost: n is 1") || f.Recording != "" || !strings.Contains(f.Output, "--- FAIL: TestLost") {
		t.Errorf("%+v, %+v", a, f)
	}
	p := native.ask(t, []string{"-test.parallel=2"}, explore("TestNames", 50), explore("TestMisc", 20), explore("TestSkips", 20), wire.Request{Do: wire.Replay, Test: "TestLost"}, explore("TestDeadline", 20))
	if len(p.answers) != 5 || p.code != 0 || p.stdout != "" {
		t.Fatalf("%+v", p)
	}
	for i, want := range []wire.Answer{{Kind: wire.Explored, Next: 50}, {Kind: wire.Explored, Next: 20}, {Kind: wire.Explored, Next: wire.SkipsEnough, Skipped: true}, {Kind: wire.Refused}, {Kind: wire.Explored, Next: 20}} {
		if a := p.answers[i]; a.Kind != want.Kind || a.Next != want.Next || a.Skipped != want.Skipped {
			t.Errorf("request %d: %+v, %+v", i, a, a.Failure)
		}
	}
}

// Where no goroutine can continue the runtime itself ends the process, as without control.
func testDriverAsleep(t *testing.T, b *testBinary) {
	native := *b
	native.native = true
	p := native.ask(t, nil, explore("TestAsleep", 1))
	if p.code != 2 || len(p.answers) != 0 || !strings.HasPrefix(p.stderr, "fatal error: all goroutines are asleep - deadlock!") {
		t.Errorf("%+v", p)
	}
}

// settled settles a failure, whose recording must then repeat exactly.
func (b *testBinary) settled(t *testing.T, r wire.Request) *wire.Failure {
	t.Helper()
	a := b.one(t, r)
	if a.Kind != wire.Failed {
		t.Fatalf("%s: %+v", r.Test, a)
	}
	s := b.one(t, wire.Request{Do: wire.Settle, Test: r.Test, Recording: a.Failure.Recording})
	if s.Kind != wire.Settled {
		t.Fatalf("%s: %+v, %+v", r.Test, s, s.Failure)
	}
	if p := b.one(t, wire.Request{Do: wire.Replay, Test: r.Test, Recording: s.Failure.Recording}); p.Likeness != "exact" {
		t.Errorf("%s: %+v", r.Test, p)
	}
	return s.Failure
}

// The seeds of a fuzz test are its subtests.
func testDriverFuzz(t *testing.T, b *testBinary) {
	f := b.settled(t, explore("FuzzLost", 1000))
	if f.Verdict != verdict.WrongResult || !strings.HasSuffix(f.Summary, ": lost: n is 1") || !strings.Contains(f.Output, "--- FAIL: FuzzLost (0.00s)\n    --- FAIL: FuzzLost/seed#1 (0.00s)\n") {
		t.Errorf("%+v", f)
	}
	p := b.ask(t, []string{"-test.run=^FuzzLost$/seed#0"}, explore("FuzzLost", 1000))
	if len(p.answers) != 1 || p.answers[0].Kind != wire.Explored {
		t.Errorf("without the seed that fails: %+v", p)
	}
	p = b.ask(t, nil, explore("FuzzFile", 20), explore("FuzzSkips", 20), explore("FuzzForgets", 20))
	if len(p.answers) != 3 || p.answers[0].Counts.Executions != 20 || !p.answers[1].Skipped || p.answers[2].Failure == nil ||
		!strings.HasSuffix(p.answers[2].Failure.Summary, ": returned without calling F.Fuzz, F.Fail, or F.Skip") {
		t.Errorf("%+v, %+v", p, p.answers[2].Failure)
	}
}

// What an example prints is its result.
func testDriverExamples(t *testing.T, b *testBinary) {
	f := b.settled(t, explore("Example_races", 1000))
	if f.Verdict != verdict.WrongResult || f.Summary != `line 1 of the output is "line 0", want "line 1"` || f.Output != "--- FAIL: Example_races (0.00s)\ngot:\nline 0\nline 1\nwant:\nline 1\nline 0\n" {
		t.Errorf("%+v", f)
	}
	if f = b.settled(t, explore("Example_stuck", 10)); f.Verdict != verdict.Deadlock {
		t.Errorf("%+v", f)
	}
	if f = b.settled(t, explore("Example_exits", 10)); f.Summary != "the example called runtime.Goexit" {
		t.Errorf("%+v", f)
	}
	p := b.ask(t, nil, explore("Example_stuck", 10), explore("Example_unordered", 300), explore("Example", 300))
	if len(p.answers) != 3 || p.answers[1].Counts.Executions != 300 || p.answers[2].Counts.Executions != 300 || p.stdout != "" {
		t.Errorf("%+v", p)
	}
}
