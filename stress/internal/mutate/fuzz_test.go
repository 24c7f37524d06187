package mutate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rouse-go/rouse/stress/internal/fixture"
	"github.com/rouse-go/rouse/stress/internal/report"
)

func emptyJournal() *journal {
	return &journal{kept: map[key]line{}, unmutated: map[unmutatedKey]unmutated{}}
}

// journalText is a journal of these lines.
func journalText(tb testing.TB, lines ...any) (text []byte) {
	tb.Helper()
	for _, l := range append([]any{thisHead}, lines...) {
		line, err := json.Marshal(l)
		if err != nil {
			tb.Fatal(err)
		}
		text = append(append(text, line...), '\n')
	}
	return text
}

// Catches: a result that is lost or changed when a run is resumed, and an error that names no line of the journal.
func FuzzJournal(f *testing.F) {
	k := key{"example.com/q", "q.go/Queue.Put/delete-unlock/1", "ab", "cd", Stress, "go1.26 budget 10s"}
	u := unmutated{Key: unmutatedKey{"example.com/q", "ab", stepCover, "TestA", "go1.26"}, Seconds: 0.5, Profile: []byte{1, 2}}
	text := journalText(f, lineOf(k, report.Trial{Outcome: report.TrialKilled, By: "TestA", What: "deadlock\x00", Tests: 3, Executions: 9}), u, line{Key: k, Invalid: "undefined: x"})
	f.Add(text)
	f.Add(bytes.Replace(text, []byte(`"seconds":0.5`), []byte(`"seconds":1e300`), 1))
	f.Add(journalText(f, line{}))
	f.Add([]byte("{}\n"))
	f.Add(bytes.Replace(text, []byte(`"schema":1`), []byte(`"schema":2`), 1))
	f.Fuzz(func(t *testing.T, text []byte) {
		j := emptyJournal()
		if err := j.parse(text); err != nil {
			var n int
			if _, e := fmt.Sscanf(err.Error(), "line %d:", &n); e == nil && (n < 2 || n > bytes.Count(text, []byte("\n"))+1) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		var lines []any
		for k, l := range j.kept {
			if lines = append(lines, l); k.ID == "" || l.trial().Way != k.Way {
				t.Fatalf("%q: %+v", text, l)
			}
		}
		for _, u := range j.unmutated {
			if lines = append(lines, u); u.took() < 1 {
				t.Fatalf("%q took %v", text, u.took())
			}
		}
		again := emptyJournal()
		if err := again.parse(journalText(t, lines...)); err != nil || !reflect.DeepEqual(again.kept, j.kept) || len(again.unmutated) != len(j.unmutated) {
			t.Fatalf("%q: %v\n%+v\n%+v", text, err, j, again)
		}
	})
}

// A change is what a diff without context says of one place: some lines go, and others come.
type change struct {
	at        int // of the first new line, from 1
	old, with []string
}

// diffOf is what git prints of the changes of a file.
func diffOf(name string, changes []change) string {
	var b strings.Builder
	fmt.Fprintf(&b, "diff --git a/%s b/%s\n--- a/%s\n+++ b/%s\n", name, name, name, name)
	for _, c := range changes {
		at := c.at
		if len(c.with) == 0 {
			at--
		}
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@ func f() {\n", c.at, len(c.old), at, len(c.with))
		for _, l := range c.old {
			b.WriteString("-" + l + "\n")
		}
		for _, l := range c.with {
			b.WriteString("+" + l + "\n")
		}
	}
	return b.String()
}

// Catches: a changed line whose mutants are left out, and lines of a file that are taken for the diff's own.
func FuzzReadDiff(f *testing.F) {
	f.Add("a\nb", "c", 3, 0)
	f.Add("", "x\ny\nz", 1, 9)
	f.Add("-- a/x.go", "++ b/other.go", 7, 1)
	f.Add("@ -1 +1 @@", "@@ -1 +1 @@", 1, 1)
	f.Add("\r", "\\ No newline at end of file", 2, 2)
	f.Fuzz(func(t *testing.T, old, with string, at, gap int) {
		at, gap = min(max(at, 1), 1<<20), min(max(gap, 0), 1<<20)
		split := func(s string) []string {
			if s == "" {
				return nil
			}
			return strings.Split(s, "\n")
		}
		first := change{at, split(old), split(with)}
		second := change{at + len(first.with) + gap, split(with), split(old)}
		var want []span
		for _, c := range []change{first, second} {
			if len(c.with) > 0 {
				want = append(want, span{c.at, c.at + len(c.with) - 1})
			}
		}
		wanted := lines{}
		if len(want) > 0 {
			wanted["/r/x.go"], wanted["/r/d/y.go"] = want, want
		}
		diff := diffOf("x.go", []change{first, second}) + diffOf("d/y.go", []change{first, second})
		if got := readDiff("/r", diff); !maps.EqualFunc(got, wanted, slices.Equal) {
			t.Fatalf("got %v, want %v of\n%s", got, wanted, diff)
		}
	})
}

// Catches: a block of a profile that is lost, or read differently from how it is written.
func FuzzReadProfile(f *testing.F) {
	f.Add("mode: set\nexample.com/q/q.go:3.24,5.2 2 1\nexample.com/q/q.go:7.2,7.9 1 0\n")
	f.Add("mode: atomic\nC:\\q.go:1.1,1.2 1 1")
	f.Add("q.go:1.1,1.2 1\n")
	f.Add("\n")
	f.Add(":1.1,1.2 1 -1\n")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := readProfile(text)
		if err != nil {
			return
		}
		var b strings.Builder
		n := 0
		for file, blocks := range all {
			if file != path.Base(file) {
				t.Fatalf("%q: the file %q", text, file)
			}
			for _, c := range blocks {
				ran := 0
				if c.ran {
					ran = 1
				}
				n++
				fmt.Fprintf(&b, "%s:%d.%d,%d.%d 1 %d\n", file, c.from.line, c.from.column, c.to.line, c.to.column, ran)
			}
		}
		if again, err := readProfile(b.String()); !strings.ContainsAny(text, "\r") && (err != nil || !reflect.DeepEqual(all, again)) {
			t.Fatalf("%q is %v, and that %v: %v", text, all, again, err)
		}
		if lines := len(slices.Collect(strings.Lines(text))) - strings.Count("\n"+text, "\nmode:"); n != lines {
			t.Fatalf("%q has %d blocks, want %d", text, n, lines)
		}
	})
}

// Catches: a reason of a failure that is of several lines or too long, and a test that the output does not name.
func FuzzFailure(f *testing.F) {
	f.Add("--- FAIL: TestA/b (0.00s)\n    a_test.go:7: got 1, want 2\nFAIL\n", "exit code 1")
	f.Add(fixture.Panic, "exit code 2")
	f.Add("WARNING: DATA RACE\n--- FAIL: TestA", "exit code 66")
	f.Add("panic: test timed out after 1s\nrunning tests:\n\tTestA/x (1s)\n\ngoroutine 1 [chan receive]:\nm.TestA()\n\t/a.go:1", "killed")
	f.Add("\r\x1b[31m\n\xff", "")
	f.Fuzz(func(t *testing.T, output, status string) {
		by, what := failure(output, status)
		if strings.Contains(what, "\n") && !strings.Contains(status, "\n") || utf8.RuneCountInString(what) > mostWhat {
			t.Fatalf("%q has failed with %q", output, what)
		}
		for _, name := range []string{by, running(output), onStack(output)} {
			if strings.ContainsAny(name, "/\n \t") || !strings.Contains(output, name) {
				t.Fatalf("%q: the test is %q", output, name)
			}
		}
		allWait(output)
	})
}

// Catches: a listing that depends on where the code is, and functions with type arguments.
func FuzzReadListing(f *testing.F) {
	f.Add("q.Put", "x.go:7", "CALL\tsync.(*Mutex).Unlock(SB)")
	f.Add("q.Put[go.shape.int_0]", "/src/(x)/y z.go:1", "RET")
	f.Add("q.Put[[]]]", "", "")
	f.Add("# x SDWARF", "x", "\t0x00 1 (y)\t")
	f.Add("#", "0", "0")
	f.Fuzz(func(t *testing.T, function, position, code string) {
		if strings.ContainsAny(function+position+code, "\t\n\r") || function == "" || strings.HasPrefix(function+" ", "# ") { // no function, but a package
			return
		}
		listing := func(position, code string) string {
			return fmt.Sprintf("# example.com/q\n%s STEXT nosplit size=1\n\t0x0000 00000 (%s)\t%s\n", function, position, code)
		}
		l, functions := readListing(listing(position, code))
		elsewhere, _ := readListing(listing("elsewhere.go:1", code))
		other, _ := readListing(listing(position, code+"x"))
		if !maps.Equal(l, elsewhere) || maps.Equal(l, other) || len(l) != 1 {
			t.Fatalf("%q at %q: %v, elsewhere %v, other code %v", code, position, l, elsewhere, other)
		}
		for name := range functions {
			if arguments.MatchString(name) {
				t.Fatalf("%q has the function %q", function, name)
			}
		}
	})
}
