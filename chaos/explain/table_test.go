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

func TestTable(t *testing.T) {
	events := []control.Event{
		event("main", strategy.Begin, "", 0, 0),
		event("main/10", strategy.Load, "atomic/load", 1, 7),
		event("main/2", strategy.Load, "atomic/cas", 1, 70),
		event("main", strategy.Yield, "", 0, 12),
	}
	events[2].Name = "worker 0"
	got := Table(events)
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
			t.Errorf("the columns do not stand below each other:\n%s", got)
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
	got := Table(events)
	if n := strings.Count(got, "\n"); n != 1+mostRun+1 || !strings.Contains(got, "... 14 more") ||
		!strings.Contains(got, "queue.go:3\n") || strings.Contains(got, "queue.go:4\n") || !strings.Contains(got, "queue.go:18\n") {
		t.Errorf("a stretch of 20 events is shown as\n%s", got)
	}

	events = nil
	for i := range 200 {
		events = append(events, event([]string{"main", "main/0"}[i%2], strategy.Load, "atomic/load", 1, i+1))
	}
	got = Table(events)
	if !strings.HasPrefix(got, "(the first 140 rows are left out)\n") || !strings.Contains(got, "queue.go:200") || strings.Contains(got, "queue.go:140 ") {
		t.Errorf("200 rows are shown as\n%s", got)
	}
}
