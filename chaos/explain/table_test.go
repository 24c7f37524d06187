package explain

import (
	"runtime"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
)

func event(task string, kind strategy.Kind, point string, object, line int) control.Event {
	e := control.Event{Task: task, Kind: kind, Point: point, Object: object}
	if line > 0 {
		e.Site = runtime.Frame{File: "/src/queue/queue.go", Line: line}
	}
	return e
}

// tableOf is the table of events, as wide as it is.
func tableOf(events []control.Event, cited ...int) string {
	return NewTable(events, cited, nil, nil).Text(0)
}

func TestTable(t *testing.T) {
	events := []control.Event{
		event("main", strategy.Begin, "", 0, 0),
		event("main/10", strategy.Load, "atomic/load", 1, 7),
		event("main/2", strategy.Load, "atomic/cas", 1, 70),
		event("main", strategy.Yield, "", 0, 12),
	}
	events[2].Name = "worker 0"
	got := tableOf(events)
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if len(lines) != 5 {
		t.Fatalf("%d lines, want 5:\n%s", len(lines), got)
	}
	bars := func(line string) (at []int) {
		for i := range line {
			if line[i] == '|' {
				at = append(at, i)
			}
		}
		return at
	}
	for _, line := range lines {
		if b, first := bars(line), bars(lines[0]); len(b) != 2 || b[0] != first[0] || b[1] != first[1] {
			t.Errorf("the columns are not aligned:\n%s", got)
			break
		}
	}
	for i, want := range []string{"main/2 (worker 0)", "begin", "atomic/load [1] queue.go:7", "atomic/cas (fails) [1] queue.go:70", "yield queue.go:12"} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("line %d does not say %q:\n%s", i, want, got)
		}
	}
	if strings.Index(lines[0], "main/10") < strings.Index(lines[0], "main/2") {
		t.Errorf("main/10 comes before main/2:\n%s", lines[0])
	}
}

func TestLongTablesAreCut(t *testing.T) {
	var events []control.Event
	for i := range 20 {
		e := event("main", strategy.Load, "atomic/load", 1, i+1)
		e.Stays = i > 0
		events = append(events, e)
	}
	got := tableOf(events)
	if n := strings.Count(got, "\n"); n != 1+maxRun+1 || !strings.Contains(got, "... 14 more") ||
		!strings.Contains(got, "queue.go:3\n") || strings.Contains(got, "queue.go:4\n") || !strings.Contains(got, "queue.go:18\n") {
		t.Errorf("a stretch of 20 events is shown as\n%s", got)
	}

	events = nil
	for i := range 200 {
		events = append(events, event([]string{"main", "main/0"}[i%2], strategy.Load, "atomic/load", 1, i+1))
	}
	got = tableOf(events)
	if !strings.HasPrefix(got, "(the first 140 rows are left out)\n") || !strings.Contains(got, "queue.go:200") || strings.Contains(got, "queue.go:140 ") {
		t.Errorf("200 rows are shown as\n%s", got)
	}
}

// A row is not worth a line that says that it is left out.
func TestNoSingleRowIsCut(t *testing.T) {
	var events []control.Event
	for i := range maxRun + 1 {
		e := event("main", strategy.Load, "atomic/load", 1, i+1)
		e.Stays = i > 0
		events = append(events, e)
	}
	if got := tableOf(events); strings.Contains(got, "more") || !strings.Contains(got, "queue.go:4\n") {
		t.Errorf("%d rows are shown as\n%s", len(events), got)
	}
	events = nil
	for i := range maxRows + 1 {
		events = append(events, event([]string{"main", "main/0"}[i%2], strategy.Load, "atomic/load", 1, i+1))
	}
	if got := tableOf(events); strings.Contains(got, "left out") || !strings.Contains(got, "queue.go:1 ") {
		t.Errorf("%d rows are shown as\n%s", len(events), got)
	}
}

// What the lines cite is shown, and where a task that has not ended is stopped.
func TestWhatCountsIsNotCut(t *testing.T) {
	var events []control.Event
	for i := range 20 {
		e := event("main", strategy.Load, "atomic/load", 1, i+1)
		e.Stays = i > 0
		events = append(events, e)
	}
	got := tableOf(events, 9)
	for _, want := range []string{"queue.go:3\n... 6 more\n", "queue.go:10\n... 7 more\n", "queue.go:18\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing:\n%s", want, got)
		}
	}
	events = []control.Event{event("main/7", strategy.Lock, "sync/mutex-lock", 1, 5000), event("main/8", strategy.End, "", 0, 0)}
	for i := range 200 {
		events = append(events, event([]string{"main", "main/0"}[i%2], strategy.Load, "atomic/load", 1, i+1))
	}
	got = tableOf(events, 20)
	if !strings.HasPrefix(got, "(140 of the first 142 rows are left out)\n") || !strings.Contains(got, "queue.go:5000") ||
		!strings.Contains(got, "queue.go:19 ") || strings.Contains(got, "queue.go:20 ") || strings.Contains(got, "main/8") {
		t.Errorf("200 rows are shown as\n%s", got)
	}
}

func TestDescribe(t *testing.T) {
	fires := control.Event{Task: "clock", Kind: strategy.Clock, Outcome: "armed by main", Site: runtime.Frame{File: "/src/queue/queue.go", Line: 3}}
	waits := event("main", strategy.Receive, "channel/receive", 2, 8)
	waits.Waits = true
	named := event("main", strategy.Load, "", 2, 9)
	named.Call = "context.Err"
	dropped := event("main", strategy.Point, "queue/notify", 0, 4)
	dropped.Fault = "drop"
	for want, e := range map[string]control.Event{
		"timer at queue.go:3 fires (armed by main)": fires,
		"channel/receive [2] queue.go:8 (waits)":    waits,
		"context.Err [2] queue.go:9":                named,
		"queue/notify queue.go:4 (drop)":            dropped,
	} {
		if got := describe(e); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
