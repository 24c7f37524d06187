package outcome

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/stress/internal/fixture"
)

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
