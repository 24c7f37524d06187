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
		Seed: 0x1f83d9abfb41bd6b, Execution: 417, Verdict: verdict.Deadlock, Summary: "nobody can go on",
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
summary: nobody can go on
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

// A torn file is refused wherever it ends, and a damaged one whichever byte it is.
func TestTornAndDamaged(t *testing.T) {
	for _, text := range []string{sampleText, sampleEdit, nativeSample().String()} {
		for n := range text {
			var e *Error
			if _, err := Parse("f", text[:n]); !errors.As(err, &e) {
				t.Fatalf("torn after %d of %d bytes: %v, want an *Error", n, len(text), err)
			}
		}
	}
	for _, text := range []string{sampleText, nativeSample().String()} {
		for i := range text {
			changed := []byte(text)
			changed[i] ^= 1
			if _, err := Parse("f", string(changed)); err == nil {
				t.Fatalf("byte %d of %d changed: accepted", i, len(text))
			}
		}
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

func TestBadRecordings(t *testing.T) {
	replace := func(old, new string) string { return strings.Replace(sampleEdit, old, new, 1) }
	for name, c := range map[string]struct {
		text         string
		line, column int
		parts        []string
	}{
		"empty":          {"", 1, 1, []string{"an empty file"}},
		"another file":   {"package main\n", 1, 1, []string{`"package main"`, "no recording"}},
		"a newer one":    {replace("recording 2", "recording 3"), 1, 17, []string{`version "3"`, "version 2"}},
		"an older one":   {replace("recording 2", "recording 1"), 1, 17, []string{`version "1"`, "version 2"}},
		"the first one":  {replace("recording 2", "schedule 1"), 1, 1, []string{`"rouse schedule 1"`, `"rouse recording 2"`, "the format has changed"}},
		"no kind":        {replace("kind: controlled\n", ""), 2, 1, []string{`"kind: "`}},
		"bad kind":       {replace("controlled", "wild"), 2, 7, []string{`"wild"`, `"controlled" or "native"`}},
		"another kind":   {replace("kind: controlled", "kind: native"), 11, 1, []string{`"hash: 5be0cd19137e2179"`, "want one of subject"}},
		"edited":         {strings.Replace(sampleText, "main #4", "main #5", 1), 22, 1, []string{"a checksum that is not that of the text", `the last line "end"`}},
		"more":           {sampleText + "x\n", 23, 1, []string{"more text"}},
		"another end":    {sampleBody + "end md5 0\n", 22, 1, []string{"checksum"}},
		"cut at a line":  {sampleText[:strings.Index(sampleText, "verdict")], 9, 1, []string{"the end of the file", "torn"}},
		"cut in a line":  {strings.TrimSuffix(sampleBody, "\n"), 21, 47, []string{"the end of the file", "torn"}},
		"torn":           {strings.TrimSuffix(sampleEdit, "\n"), 22, 4, []string{"the end of the file", "torn"}},
		"no end":         {sampleBody, 22, 1, []string{"the end of the file", "torn"}},
		"unknown field":  {replace("strategy:", "stratgy:"), 5, 1, []string{`"strategy:"`}},
		"no field":       {replace("strategy: pct(3)", "what is this"), 5, 1, []string{`"what is this"`, "one of subject"}},
		"field twice":    {replace("strategy: pct(3)", "build: x"), 5, 1, []string{`a second "build"`}},
		"no seed":        {replace("seed: 0x1f83d9abfb41bd6b\n", ""), 21, 1, []string{`no "seed:"`}},
		"bad seed":       {replace("0x1f83", "1f83"), 6, 7, []string{"0x"}},
		"bad execution":  {replace("417", "-1"), 7, 12, []string{`"-1"`}},
		"bad verdict":    {replace("deadlock", "dedlock"), 9, 10, []string{`"dedlock"`, `want "deadlock"`}},
		"bad hash":       {replace("5be0cd", "xyz"), 11, 7, []string{"xyz"}},
		"no entry":       {replace("main #4: run main/0", "main #4 run main/0"), 14, 3, []string{"an entry such as"}},
		"no place":       {replace("main #4:", "main:"), 14, 3, []string{"a place such as"}},
		"bad task":       {replace("main #4", "man #4"), 14, 3, []string{`"man"`, "a task such as"}},
		"bad child":      {replace("main/0 #2.1", "main/00 #2.1"), 15, 3, []string{`"main/00"`}},
		"bad number":     {replace("#4", "4"), 14, 8, []string{`"4"`}},
		"bad repeat":     {replace("#2.1", "#2.x"), 15, 10, []string{`"#2.x"`}},
		"after a visit":  {replace("notify #3", "notify #3+"), 18, 23, []string{`"#3+"`}},
		"bad verb":       {replace("run main/0", "runs main/0"), 14, 12, []string{`"run" and a task`}},
		"bad goal":       {replace("run main/0", "run x"), 14, 16, []string{`"x"`}},
		"bad pick":       {replace("pick 2", "pick 0"), 15, 21, []string{"1 or more"}},
		"bad fault":      {replace("drop", "dorp"), 17, 30, []string{`"dorp"`, `want "drop"`}},
		"drop of what":   {replace("drop", "drop 1"), 17, 35, []string{"nothing"}},
		"bad delay":      {replace("1.5ms", "long"), 19, 33, []string{"a duration"}},
		"bad hold":       {replace("hold queue/notify 1s", "hold queue/notify"), 21, 32, []string{"a point and a duration"}},
		"bad roll":       {replace("roll 1", "roll x"), 20, 31, []string{"the value"}},
		"text behind it": {replace("schedule:", "schedule: now"), 12, 11, []string{"nothing"}},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Parse("f.rouse", c.text)
			var e *Error
			if !errors.As(err, &e) || r != nil {
				t.Fatalf("got %v, %v, want an Error", r, err)
			}
			if e.File != "f.rouse" || e.Line != c.line || e.Column != c.column {
				t.Errorf("%v: at %d:%d, want %d:%d", err, e.Line, e.Column, c.line, c.column)
			}
			for _, p := range c.parts {
				if !strings.Contains(err.Error(), p) {
					t.Errorf("%q does not say %q", err, p)
				}
			}
		})
	}
}

func TestBadNativeRecordings(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"verdict pass":  {"verdict: lost-wakeup", "verdict: pass", "f:14:10: found pass, want what the execution failed with"},
		"unknown field": {"verdict:", "verdikt:", `f:14:1: found "verdikt: lost-wakeup", want "verdict:"`},
		"no campaign":   {"campaign: 0xfeed\n", "", `f:32:1: found no "campaign:" in a native recording, want one`},
		"bad maxprocs":  {"maxprocs: 4", "maxprocs: many", `f:13:11: found "many", want a number such as 417`},
		"too many":      {"execution: 3", "execution: 4294967296", `f:12:12: found "4294967296", want a number such as 417`},
		"bad fault":     {"notify drop:", "notify dorp:", `f:20:16: found "dorp", want "drop"`},
		"no fault":      {"9 hits, 1 fires", "9 hits", `f:20:3: found "queue/notify drop: 9 hits, 0 expired", want a fault such as`},
		"a schedule":    {"goroutines:", "schedule:", `f:29:1: found "schedule:", want one of subject`},
		"setup inline":  {"setup:\n", "setup: {}\n", `f:4:8: found "{}", want nothing: its lines follow, indented by two spaces`},
		"not indented":  {"  - name: drop", "- name: drop", `f:5:1: found "- name: drop", want one of subject`},
	} {
		text := strings.Replace(nativeBody, c.old, c.new, 1) + "end\n"
		if _, err := Parse("f", text); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, body := range []string{sampleBody, nativeBody} {
		f.Add(body[strings.Index(body, "\n")+1:])
	}
	f.Fuzz(func(t *testing.T, body string) {
		r, err := Parse("f", fmt.Sprintf("%s%d\n%s\nend\n", title, version, body))
		var e *Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("%T %v", err, err)
		}
		if err != nil {
			return
		}
		text := r.String()
		for range 2 { // the first time, blanks and what does not print may go
			again, err := Parse("f", text)
			if err != nil {
				t.Fatalf("what was read can't be read again: %v\n%s", err, text)
			}
			r, text = again, again.String()
		}
		if again, err := Parse("f", text); err != nil || !reflect.DeepEqual(again, r) {
			t.Fatalf("%v, read as\n%+v\nwant\n%+v", err, again, r)
		}
	})
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
		"example.com/queue.v2 TestQueue/two words":  `go test -tags chaos -run '^TestQueue$/^two words$' example.com/queue.v2 -chaos.replay=a/b.rouse`,
		"queue Test_Queue/it's":                     `go test -tags chaos -run '^Test_Queue$/^it'\''s$' queue -chaos.replay=a/b.rouse`,
		"example.com/~me/queue TestÜber/$(echo)/a+": `go test -tags chaos -run '^TestÜber$/^\$\(echo\)$/^a\+$' 'example.com/~me/queue' -chaos.replay=a/b.rouse`,
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
		"queue Queue", "queue Testqueue", "queue -run", "queue TestQueue -exec evil", "queue Test$(evil)", "queue Test Queue", "queue /TestQueue",
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

// What no execution has is refused, where it begins to be too much.
func TestTooLarge(t *testing.T) {
	head := strings.Count(sampleBody, "\n")
	for _, c := range []struct{ text, want string }{
		{sampleBody + strings.Repeat("  main #1: run main/0\n", mostEntries) + "end\n", "one more entry, want at most 1048576"},
		{sampleBody + strings.Repeat("\n", 2*mostEntries), fmt.Sprintf("x:%d:1: found %d lines, want at most %d", mostLines+1, head+2*mostEntries, mostLines)},
		{sampleBody + "  main" + strings.Repeat("/1", 40_000) + " #1: run main\nend\n", fmt.Sprintf("x:%d:3: found the path of a task, of 80004 bytes, want at most 65536", head+1)},
		{strings.Repeat("x", 10<<20), "this is no recording"},
		{"rouse recording 2\nkind: native\n" + strings.Repeat("x", 10<<20) + "\nend\n", "and a colon"},
		{"rouse recording 2\n" + strings.Repeat("x", 10<<20), "this recording is torn"},
	} {
		if _, err := Parse("x", c.text); err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 300 {
			t.Errorf("%.300v, want %s", err, c.want)
		}
	}
	name := filepath.Join(t.TempDir(), "large")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name, mostBytes+1); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(name); err == nil || !strings.HasSuffix(err.Error(), ":1:1: found 67108865 bytes, want at most 67108864") {
		t.Error(err)
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
