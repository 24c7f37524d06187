package outcome

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/fixture"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestSearchBudgetIsOver: by executions at once, by time only after the executions that run in any case.
func TestSearchBudgetIsOver(t *testing.T) {
	long := time.Now().Add(-time.Hour)
	for _, c := range []struct {
		b    SearchBudget
		n    int
		want bool
	}{
		{SearchBudget{Executions: 10}, 9, false}, {SearchBudget{Executions: 10}, 10, true},
		{SearchBudget{For: time.Minute, Least: 64}, 63, false}, {SearchBudget{For: time.Minute, Least: 64}, 64, true},
		{SearchBudget{For: 2 * time.Hour}, 1000, false}, {SearchBudget{For: 2 * time.Hour, Executions: 1000}, 1000, true},
	} {
		if got := c.b.Over(c.n, long); got != c.want {
			t.Errorf("%+v before execution %d: %t", c.b, c.n, got)
		}
	}
	if !(SearchBudget{Least: 64}).Off() || (SearchBudget{Executions: 1}).Off() || (SearchBudget{For: 1}).Off() {
		t.Error("a search without a bound is none, and others are")
	}
}

// TestAlike: what does not end is of one kind, and what ends wrong of another.
func TestAlike(t *testing.T) {
	for _, c := range []struct {
		a, b verdict.Verdict
		want bool
	}{
		{verdict.LostWakeup, verdict.Deadlock, true}, {verdict.Timeout, verdict.Livelock, true}, {verdict.StaleUse, verdict.Leak, true},
		{verdict.Deadlock, verdict.WrongResult, false}, {verdict.DataRace, verdict.WrongResult, false}, {verdict.DataRace, verdict.DataRace, true},
		{verdict.NeverSleeps, verdict.Deadlock, false},
	} {
		if got := Alike(c.a, c.b); got != c.want || Alike(c.b, c.a) != got {
			t.Errorf("%s and %s: %t", c.a, c.b, got)
		}
	}
}

func TestPanicOf(t *testing.T) {
	_, got := PanicOf(fixture.Panic)
	want := []string{"at example.com/m.(*Deque[...]).pop (/src/m/deque.go:41)", "at main.main (/src/m/main.go:9)"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLatencies(t *testing.T) {
	var l, other Latencies
	if l.Count() != 0 || l.Quantile(0.5) != 0 || !l.IsZero() {
		t.Errorf("the zero value: %d, %v", l.Count(), l.Quantile(0.5))
	}
	for i := range 100 {
		l.Add(time.Duration(i+1) * time.Millisecond)
	}
	other.Add(0)              // counts as a microsecond
	other.Add(24 * time.Hour) // as an hour
	l.Merge(&other)
	l.Merge(&Latencies{})
	if l.Count() != 102 || other.Count() != 2 {
		t.Errorf("%d and %d executions", l.Count(), other.Count())
	}
	for q, want := range map[float64]time.Duration{0: time.Microsecond, 0.5: 50 * time.Millisecond, 0.99: 100 * time.Millisecond, 1: time.Hour} {
		if got := l.Quantile(q); got < want*99/100 || got > want {
			t.Errorf("quantile %v: %v, want about %v", q, got, want)
		}
	}
	text, err := json.Marshal(struct{ Took, None Latencies }{Took: l})
	if err != nil {
		t.Fatal(err)
	}
	var back struct{ Took, None Latencies }
	if err := json.Unmarshal(text, &back); err != nil || back.Took.Count() != 102 || !back.None.IsZero() {
		t.Errorf("%v: %s", err, text)
	}
	if again, _ := json.Marshal(back); string(again) != string(text) {
		t.Errorf("%s became %s", text, again)
	}
	for _, bad := range []string{`[[0,1]]`, `[[1,0]]`, `[[3600000001,1]]`, `[[1,9223372036854775807],[2,1]]`, `{}`, `[[1]]`} {
		if err := json.Unmarshal([]byte(bad), &l); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

// race is a report of the race detector.
const race = `==================
WARNING: DATA RACE
Write at 0x00c000012345 by goroutine 7:
  example.com/m.(*Queue).put()
      /src/m/queue.go:12 +0x44
  runtime.goexit()
      /go/src/runtime/asm_amd64.s:1771 +0x1

Previous read at 0x00c000012345 by main goroutine:
  main.main()
      /src/m/main.go:9 +0x44
==================
`

var shownFrame = regexp.MustCompile(`(?s)^(.+) \((\S+:\d+)\)$`)

// Catches: a summary or a frame that the output does not have, one of several lines, more frames than wanted, and frames
// of the runtime.
func FuzzCrash(f *testing.F) {
	f.Add(fixture.Panic)
	f.Add(race)
	f.Add("fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\nmain.main()\n\t/src/main.go:7 +0x1\n")
	f.Add("panic: panic: \x00\r\ngoroutine \n((((\n\tx:1")
	f.Add("Read at 0x1 by x\nRead at 0x2 by y\nRead at 0x3 by z\n (a(b)\n  c:1")
	f.Fuzz(func(t *testing.T, output string) {
		summary, explanation := PanicOf(output)
		if summary == "" && explanation != nil || strings.Contains(summary, "\n") || !strings.Contains("\n"+output+"\n", "\n"+summary) || len(explanation) > 4 {
			t.Fatalf("%q has ended with %q, %q", output, summary, explanation)
		}
		if summary != "" && !strings.HasPrefix(summary, "panic: ") && !strings.HasPrefix(summary, "fatal error: ") {
			t.Fatalf("%q has ended with %q", output, summary)
		}
		for _, line := range explanation {
			frame, ok := strings.CutPrefix(line, "at ")
			if !ok {
				t.Fatalf("%q", line)
			}
			checkFrame(t, output, frame)
		}
		found := Frames(output, 2)
		if len(found) > 2 || !slices.Equal(found[:min(len(found), 1)], Frames(output, 1)) {
			t.Fatalf("%q has the frames %q", output, found)
		}
		for _, frame := range found {
			checkFrame(t, output, frame)
		}
		if summary, explanation := RaceOf(output); explanation != nil || strings.Contains(summary, "\n") ||
			summary != "the race detector reported" && strings.Count(summary, " in ") < 2 {
			t.Fatalf("%q is %q, %q", output, summary, explanation)
		}
	})
}

func checkFrame(t *testing.T, output, frame string) {
	t.Helper()
	m := shownFrame.FindStringSubmatch(frame)
	if m == nil || strings.Contains(frame, "\n") || strings.HasPrefix(frame, "runtime.") || !strings.Contains(output, m[1]) || !strings.Contains(output, m[2]) {
		t.Fatalf("%q has the frame %q", output, frame)
	}
}

// Catches: times that are read differently from how they are written, and counts that overflow.
func FuzzLatencies(f *testing.F) {
	for _, text := range []string{`[]`, `null`, `[[1,1]]`, `[[1,2],[1000,3],[3600000000,1]]`, `[[0,1]]`, `[[1,9223372036854775807],[2,1]]`, `[[1]]`, `[[1,2,3]]`, `[[5,1],[4,1]]`, `[["1",1]]`, `[[1.5,1]]`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var l, again Latencies
		if json.Unmarshal(text, &l) != nil {
			return
		}
		written, err := json.Marshal(l)
		if err != nil || json.Unmarshal(written, &again) != nil || l.Count() != again.Count() {
			t.Fatalf("%s is written %s: %v", text, written, err)
		}
		if twice, err := json.Marshal(again); err != nil || string(twice) != string(written) {
			t.Fatalf("%s becomes %s: %v", written, twice, err)
		}
		for took, n := range l.Each {
			if took < LatencyUnit || n < 1 {
				t.Fatalf("%s has %d executions of %v", text, n, took)
			}
		}
		if a, b := l.Quantile(0.5), l.Quantile(1); a > b || l.Count() < 0 {
			t.Fatalf("%s has the median %v and the longest %v of %d", text, a, b, l.Count())
		}
	})
}
