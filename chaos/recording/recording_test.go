package recording

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/seam"
)

func sample() *Recording {
	return &Recording{
		Kind: Controlled, Subject: "example.com/queue TestQueue", Build: "go1.26.0 linux/amd64", Strategy: "pct(3)",
		Seed: 0x1f83d9abfb41bd6b, Execution: 417, Verdict: verdict.Deadlock, Summary: "no task can continue",
		Hash: 0x5be0cd19137e2179, Options: []string{"points"},
		Entries: []Entry{
			{To: "main"},
			{Task: "main", Ops: 4, To: "main/0", Comment: "past queue/pushed"},
			{Task: "main/0", Ops: 2, Repeat: 1, Pick: 2},
			{Task: "main/0", Ops: 2, After: true, Repeat: 1, To: "main"},
			{Task: "main/10/1", Point: "queue/notify", Kind: seam.Drop},
			{Task: "main/1", Point: "queue/notify", Visit: 3, Kind: seam.Duplicate},
			{Task: "main/1", Point: "queue/pushed", Visit: 1, Kind: seam.Delay, Value: 1_500_000},
			{Task: "main/1", Point: "queue/count", Kind: seam.Roll, Value: 1<<64 - 1},
			{Task: "main/1", Point: "queue/pushed", Visit: 2, Kind: seam.Hold, Value: 1_000_000_000, Until: "queue/notify"},
		},
	}
}

const sampleBody = `rouse recording 2
kind: controlled
subject: example.com/queue TestQueue
build: go1.26.0 linux/amd64
strategy: pct(3)
seed: 0x1f83d9abfb41bd6b
execution: 417
options: points
verdict: deadlock
summary: no task can continue
hash: 5be0cd19137e2179
schedule:
  - #0: run main
  main #4: run main/0 # past queue/pushed
  main/0 #2.1: pick 2
  main/0 #2+.1: run main
  main/10/1 queue/notify #0: drop
  main/1 queue/notify #3: duplicate
  main/1 queue/pushed #1: delay 1.5ms
  main/1 queue/count #0: roll 18446744073709551615
  main/1 queue/pushed #2: hold queue/notify 1s
`

// sampleText is as it was written, sampleEdit as after an edit by hand.
var sampleText, sampleEdit = sampleBody + endLine(sampleBody), sampleBody + "end\n"

func nativeSample() *Recording {
	return &Recording{
		Kind: Native, Subject: "scenario drop", Setup: "- name: drop\n  about: 'a: b'\n\n  plan: []", Build: "go1.26.0 linux/amd64",
		Campaign: 0xfeed, Seed: 0x16649dda5b17c687, Execution: 3, MaxProcs: 4, Verdict: verdict.LostWakeup, Summary: `worker 1 sleeps: on "latch"`,
		Explanation: []string{"checked       worker 1", "- : # {"},
		Faults:      []FaultCount{{"queue/notify", "drop", 9, 1, 0}, {"queue/pushed", "hold", 9, 3, 2}},
		State:       "  indented first\nend sha256 not the end\nkind: native\n\n\n  - after a gap\ttab",
		Goroutines:  "goroutine 1 [running]:\n\t/src/main.go:3\x1b[31m\n\xfe\n",
	}
}

const nativeBody = `rouse recording 2
kind: native
subject: scenario drop
setup:
  - name: drop
    about: 'a: b'

    plan: []
build: go1.26.0 linux/amd64
campaign: 0xfeed
seed: 0x16649dda5b17c687
execution: 3
maxprocs: 4
verdict: lost-wakeup
summary: worker 1 sleeps: on "latch"
explanation:
  checked       worker 1
  - : # {
faults:
  queue/notify drop: 9 hits, 1 fires, 0 expired
  queue/pushed hold: 9 hits, 3 fires, 2 expired
state:
    indented first
  end sha256 not the end
  kind: native


    - after a gap	tab
goroutines:
  goroutine 1 [running]:
  	/src/main.go:3\x1b[31m
  \xfe
`

func unmodifiedSample() *Recording {
	return &Recording{
		Kind: Unmodified, Subject: "example.com/queue TestClose", Build: "go1.26.0 linux/amd64 race tags=chaos,purego", Strategy: "portfolio",
		Seed: 1, Execution: 36, Start: 1763832900_000000017, Clock: "mixed", Options: []string{"leaks"},
		Verdict: verdict.Deadlock, Summary: "no task can continue", Hash: 0x5be0cd19137e2179,
		Entries: []Entry{{Task: "main/0", Ops: 4, To: "main/0/1", Comment: "at sync.(*Mutex).Lock"}, {Task: "main/0/1", Ops: 1, To: "clock"}},
	}
}

const unmodifiedBody = `rouse recording 2
kind: unmodified
subject: example.com/queue TestClose
build: go1.26.0 linux/amd64 race tags=chaos,purego
strategy: portfolio
seed: 0x1
execution: 36
start: 2025-11-22T17:35:00.000000017Z
clock: mixed
options: leaks
verdict: deadlock
summary: no task can continue
hash: 5be0cd19137e2179
schedule:
  main/0 #4: run main/0/1 # at sync.(*Mutex).Lock
  main/0/1 #1: run clock
`

func TestUnmodifiedTextForm(t *testing.T) {
	text := unmodifiedSample().String()
	if want := unmodifiedBody + endLine(unmodifiedBody); text != want {
		t.Fatalf("written as\n%s\nwant\n%s", text, want)
	}
	if got, err := Parse("file", text); err != nil || !reflect.DeepEqual(got, unmodifiedSample()) {
		t.Errorf("%v, read as\n%+v\nwant\n%+v", err, got, unmodifiedSample())
	}
}

func TestUnmodifiedCommand(t *testing.T) {
	r := unmodifiedSample()
	want := `stress test example.com/queue -tags chaos,purego -race -run '^TestClose$' --replay testdata/x.rouse`
	if got, err := r.Command(filepath.Join("testdata", "x.rouse")); got != want || err != nil {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
	r.Build = "go1.26.0 linux/amd64"
	want = `stress test example.com/queue -run '^TestClose$' --replay x.rouse`
	if got, err := r.Command("x.rouse"); got != want || err != nil {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}

// A repetition of an unmodified recording compares by its trace.
func TestUnmodifiedCompares(t *testing.T) {
	r := unmodifiedSample()
	for hash, want := range map[uint64]Likeness{r.Hash: Exact, r.Hash + 1: SameFailure} {
		if got, differs := r.Compare(Repetition{Verdict: r.Verdict, Hash: hash}); got != want {
			t.Errorf("hash %x: %v (%s), want %v", hash, got, differs, want)
		}
	}
}

func TestTextForm(t *testing.T) {
	if got := sample().String(); got != sampleText {
		t.Errorf("written as\n%s\nwant\n%s", got, sampleText)
	}
	for _, text := range []string{sampleText, strings.ReplaceAll(sampleText, "\n", "\r\n"), sampleEdit} {
		got, err := Parse("file", text)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, sample()) {
			t.Errorf("read as\n%+v\nwant\n%+v", got, sample())
		}
	}
}

func TestNativeTextForm(t *testing.T) {
	text := nativeSample().String()
	if want := nativeBody + endLine(nativeBody); text != want {
		t.Fatalf("written as\n%s\nwant\n%s", text, want)
	}
	want := nativeSample()
	want.Goroutines = "goroutine 1 [running]:\n\t/src/main.go:3\\x1b[31m\n\\xfe" // what does not print is escaped
	got, err := Parse("file", text)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, read as\n%+v\nwant\n%+v", err, got, want)
	}
}

func TestLongDump(t *testing.T) {
	r := nativeSample()
	r.State = strings.Repeat("x\n", 3*mostBlock)
	got, err := Parse("f", r.String())
	if err != nil || !strings.Contains(got.State, fmt.Sprintf("\n... %d lines left out ...\n", 2*mostBlock)) {
		t.Errorf("%v, %d bytes of state", err, len(got.State))
	}
}

// What people write into a summary or a subject cannot become a line of its own.
func TestTextStaysOnItsLine(t *testing.T) {
	r := sample()
	r.Summary = "two\nlines: and\tmore"
	got, err := Parse("file", r.String())
	if err != nil || got.Summary != "two lines: and more" {
		t.Errorf("%v, %q", err, got.Summary)
	}
}

func TestScheduleAndBack(t *testing.T) {
	r := sample()
	s := r.Schedule()
	paths := make(map[uint64]string)
	for _, p := range []string{"main", "main/0", "main/1", "main/10/1"} {
		key, ok := strategy.Key(p)
		if !ok {
			t.Fatal(p)
		}
		paths[key] = p
	}
	got := Entries(s, func(key uint64) string { return paths[key] })
	for i := range r.Entries {
		r.Entries[i].Comment = ""
	}
	if !reflect.DeepEqual(got, r.Entries) {
		t.Errorf("entries\n%+v\nwant\n%+v", got, r.Entries)
	}
}

func TestWriteIsWholeOrNothing(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a", "b.rouse")
	if err := sample().Write(name); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(name); err != nil || !reflect.DeepEqual(got, sample()) {
		t.Errorf("read %+v, %v", got, err)
	}
	if names, _ := filepath.Glob(filepath.Join(dir, "a", "*")); len(names) != 1 {
		t.Errorf("left behind: %q", names)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := sample().Write(filepath.Join(file, "x.rouse")); err == nil {
		t.Error("a file below a file was written")
	}
	if err := sample().Write(dir); err == nil { // a folder cannot be replaced
		t.Error("a folder was overwritten")
	}
	if names, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), ".*")); len(names) != 0 {
		t.Errorf("left behind: %q", names)
	}
	if _, err := Read(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("read a file that is not there: %v", err)
	}
}

// entries makes a schedule of these numbers: those below 100 are deviations.
func entries(numbers ...int) strategy.Schedule {
	var s strategy.Schedule
	for _, n := range numbers {
		if n < 100 {
			s.Deviations = append(s.Deviations, strategy.Deviation{Ops: int32(n)})
		} else {
			s.Fires = append(s.Fires, strategy.Fire{Visit: n})
		}
	}
	return s
}

func numbers(s strategy.Schedule) []int {
	var all []int
	for _, d := range s.Deviations {
		all = append(all, int(d.Ops))
	}
	for _, f := range s.Fires {
		all = append(all, f.Visit)
	}
	return all
}

func TestShrink(t *testing.T) {
	var all []int
	for i := range 60 {
		all = append(all, i)
	}
	for i := range 20 {
		all = append(all, 100+i)
	}
	for name, needed := range map[string][]int{
		"nothing": nil, "one": {17}, "the first and the last": {0, 119}, "neighbours": {30, 31, 32}, "apart": {3, 29, 58, 101, 113},
	} {
		attempts := 0
		got, n := Shrink(entries(all...), func(s strategy.Schedule) (strategy.Schedule, bool) {
			attempts++
			have := numbers(s)
			for _, m := range needed {
				if !slices.Contains(have, m) {
					return s, false
				}
			}
			return s, true
		}, 10_000)
		if !slices.Equal(numbers(got), needed) || n != attempts || n > 300 {
			t.Errorf("%s: shrunk to %v in %d (%d) attempts, want %v in 300 at most", name, numbers(got), n, attempts, needed)
		}
	}
}

// Catches: rounds of a loop that are kept, as the last one counts them, and a switch that is kept with the one
// that it undoes.
func TestShrinkClosesGaps(t *testing.T) {
	const period, rounds = 3, 3000
	var found strategy.Schedule
	for i := range rounds {
		found.Deviations = append(found.Deviations, strategy.Deviation{Task: 1, Ops: int32(1 + i*period), To: 2})
	}
	found.Deviations = append(found.Deviations, strategy.Deviation{Task: 1, Ops: 1 + rounds*period, To: 3})
	got, n := Shrink(found, func(s strategy.Schedule) (took strategy.Schedule, same bool) {
		for i, d := range s.Deviations { // each leads to the next round, and only the last to the failure
			if d.Ops != int32(1+i*period) {
				break
			}
			took.Deviations = append(took.Deviations, d)
			same = d.To == 3
		}
		return took, same
	}, 100)
	if want := (strategy.Deviation{Task: 1, Ops: 1, To: 3}); len(got.Deviations) != 1 || got.Deviations[0] != want {
		t.Errorf("%d decisions are left after %d attempts: %+v, want %+v", got.Len(), n, got.Deviations[:1], want)
	}

	pair := strategy.Schedule{Deviations: []strategy.Deviation{
		{Task: 1, Ops: 2, To: 2}, {Task: 2, Ops: 1, To: 1}, {Task: 1, Ops: 3, To: 2}, {Task: 2, Ops: 1, To: 3, Repeat: 1}, {Task: 2, Ops: 1, To: 1, Repeat: 2},
	}}
	got, _ = Shrink(pair, func(s strategy.Schedule) (strategy.Schedule, bool) {
		d := s.Deviations
		return s, len(d) >= 3 && slices.Equal(d[len(d)-3:], []strategy.Deviation{{Task: 1, Ops: 3, To: 2}, {Task: 2, Ops: 1, To: 3, Repeat: int32(len(d)-3) / 2}, {Task: 2, Ops: 1, To: 1, Repeat: int32(len(d)-1) / 2}})
	}, 100)
	if got.Len() != 3 {
		t.Errorf("a pair is left: %+v", got.Deviations)
	}
}

// Entries that did not apply are left out, and the budget is kept.
func TestShrinkTakesWhatWasTaken(t *testing.T) {
	got, _ := Shrink(entries(1, 2, 3, 4), func(s strategy.Schedule) (strategy.Schedule, bool) {
		return entries(9), len(s.Deviations) >= 1
	}, 100)
	if !slices.Equal(numbers(got), []int{9}) {
		t.Errorf("shrunk to %v, want what the attempt took", numbers(got))
	}
	attempts := 0
	got, n := Shrink(entries(1, 2, 3, 4), func(s strategy.Schedule) (strategy.Schedule, bool) {
		attempts++
		return s, true
	}, 1)
	if n != 1 || attempts != 1 || len(got.Deviations) != 2 {
		t.Errorf("%d attempts (%d), %v is left; want 1, and half", n, attempts, numbers(got))
	}
}

func TestCommand(t *testing.T) {
	r := sample()
	for subject, want := range map[string]string{
		"example.com/queue TestQueue":               `go test -tags chaos -run '^TestQueue$' example.com/queue -chaos.replay=a/b.rouse`,
		"example.com/queue.v2 TestQueue/two_words":  `go test -tags chaos -run '^TestQueue$/^two_words$' example.com/queue.v2 -chaos.replay=a/b.rouse`,
		"queue Test_Queue/it's":                     `go test -tags chaos -run '^Test_Queue$/^it'\''s$' queue -chaos.replay=a/b.rouse`,
		"example.com/~me/queue TestÜber/$(echo)/a+": `go test -tags chaos -run '^TestÜber$/^\$\(echo\)$/^a\+$' 'example.com/~me/queue' -chaos.replay=a/b.rouse`,
		"example.com/queue TestQueue#01":            `go test -tags chaos -run '^TestQueue$' example.com/queue -chaos.replay=a/b.rouse`,
		"example.com/queue FuzzQueue/seed#0":        `go test -tags chaos -run '^FuzzQueue$/^seed#0$' example.com/queue -chaos.replay=a/b.rouse`,
	} {
		r.Subject = subject
		if got, err := r.Command(filepath.Join("a", "b.rouse")); got != want || err != nil {
			t.Errorf("%s: %s, %v, want %s", subject, got, err, want)
		}
	}
	r.Subject = "queue TestQueue"
	want := `go test -tags chaos -run '^TestQueue$' queue '-chaos.replay=$(echo ran)/it'\''s.rouse'`
	if got, err := r.Command("$(echo ran)/it's.rouse"); got != want || err != nil {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}

// A package that the go command would take for a flag, or a shell for something to run, is none.
func TestNoCommand(t *testing.T) {
	r := sample()
	for _, subject := range []string{
		"", "queue", " TestQueue", "-toolexec=./evil TestQueue", "--version TestQueue", "$(evil) TestQueue", "a;evil TestQueue", "./queue TestQueue",
		"../queue TestQueue", "/etc TestQueue", "a//b TestQueue", "a/ TestQueue", "a/... TestQueue", "... TestQueue", ". TestQueue", "a/b. TestQueue",
		"a\\b TestQueue", "ü TestQueue", "a'b TestQueue", "a\x1b[31m TestQueue", "a=b TestQueue", "a@v1 TestQueue",
		"queue Queue", "queue TestQueue#02", "queue Test#x#01", "queue Testqueue", "queue -run", "queue TestQueue -exec evil", "queue Test$(evil)", "queue Test Queue", "queue /TestQueue",
		"queue TestQueue/\x1b[31m", "queue TestQueue/\u202e", "queue TestQueue/\xff",
	} {
		r.Subject = subject
		if got, err := r.Command("x.rouse"); err == nil || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q: %s, %v, want an error that can be printed", subject, got, err)
		}
	}
}

// What the subject was made from is kept as it is, in its line.
func TestSetup(t *testing.T) {
	want := sample()
	want.Setup = `{name: "a \"queue\": of two", jobs: 3}`
	got, err := Parse("x", want.String())
	if err != nil || got.Setup != want.Setup || got.String() != want.String() {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	again := strings.Replace(sampleEdit, "build: ", "setup:\n  x\nsetup:\nbuild: ", 1)
	if _, err := Parse("x", again); err == nil {
		t.Error("two setups were read")
	}
}

// Long executions are shrunk in fewer attempts, and at least in one.
func TestWithinSteps(t *testing.T) {
	for steps, want := range map[int]int{0: 2000, 100: 2000, 100_000: 101, 1 << 40: 1} {
		if got := WithinSteps(2000, steps); got != want {
			t.Errorf("executions of %d steps: %d attempts, want %d", steps, got, want)
		}
	}
}

// TestShrunkFrom: a shrunk recording keeps the schedule as it was found, through several shrinkings and through its
// text, unless that is the same or long.
func TestShrunkFrom(t *testing.T) {
	found, shorter, shortest := unmodifiedSample(), unmodifiedSample(), unmodifiedSample()
	shorter.Entries, shortest.Entries = found.Entries[1:], nil
	if found.AsFound() != nil {
		t.Error("a recording that is not shrunk is one as it was found")
	}
	shorter.ShrunkFrom(found)
	shortest.ShrunkFrom(shorter)
	for name, r := range map[string]*Recording{"once": shorter, "twice": shortest} {
		read, err := Parse("file", r.String())
		if err != nil {
			t.Fatal(err)
		}
		as := read.AsFound()
		if as == nil || !reflect.DeepEqual(as.Schedule(), found.Schedule()) || as.Found != nil || as.Entries[0].Comment != "" {
			t.Errorf("%s: found as %+v", name, as)
		}
		if got := read.Schedule().Len(); got != len(r.Entries) {
			t.Errorf("%s: %d decisions, want %d", name, got, len(r.Entries))
		}
	}
	same := unmodifiedSample()
	if same.ShrunkFrom(found); same.Found != nil {
		t.Errorf("the same schedule is kept twice: %+v", same.Found)
	}
	found.Entries = slices.Repeat(found.Entries, mostFound)
	if same.ShrunkFrom(found); same.Found != nil {
		t.Errorf("%d entries are kept", len(same.Found))
	}
}

// Catches: a recording that is repeated by another command than the one that has made it.
func TestOrigin(t *testing.T) {
	for _, test := range []struct {
		kind  Kind
		setup string
		want  Origin
		by    string
	}{
		{Controlled, "", OfExploration, "go test "},
		{Controlled, "name: x\n", OfScenario, ""},
		{Native, "name: x\n", OfScenario, ""},
		{Native, "", OfStressTest, "stress test example.com/queue "},
		{Unmodified, "", OfStressTest, "stress test example.com/queue "},
	} {
		r := sample()
		r.Kind, r.Setup = test.kind, test.setup
		if got := r.Origin(); got != test.want {
			t.Errorf("%s, setup %q: origin %d, want %d", test.kind, test.setup, got, test.want)
		}
		if test.by == "" {
			continue
		}
		if got, err := r.Command("x.rouse"); err != nil || !strings.HasPrefix(got, test.by) {
			t.Errorf("%s: %q, %v, want the command %q", test.kind, got, err, test.by)
		}
	}
}
