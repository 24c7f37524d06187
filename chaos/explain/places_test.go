package explain

import (
	"reflect"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// course is what two tasks did, with a hook point that is no operation.
func course() []control.Event {
	at := func(e control.Event, op int) control.Event { e.Op = op; return e }
	return []control.Event{
		at(event("main", strategy.Begin, "", 0, 0), 0),
		at(event("main", strategy.Lock, "sync/mutex-lock", 1, 7), 1),
		at(event("main", strategy.Point, "queue/pushed", 0, 8), -1),
		at(event("main", strategy.Load, "atomic/load", 2, 9), 2),
		at(event("main/0", strategy.Begin, "", 0, 0), 0),
	}
}

// A decision was made where the task was about to do its next operation.
func TestAnnotate(t *testing.T) {
	entries := []recording.Entry{
		{To: "main"},
		{Task: "main", Ops: 1, To: "main/0"},
		{Task: "main", Ops: 2, Pick: 1},
		{Task: "main", Ops: 3, To: "main/0"},
		{Task: "main/7", Ops: 1, To: "main"},
		{Task: "main", Point: "queue/pushed", Kind: seam.Drop},
	}
	Annotate(entries, course())
	var got []string
	for _, e := range entries {
		got = append(got, e.Comment)
	}
	want := []string{"", "at sync/mutex-lock [1] queue.go:7", "at atomic/load [2] queue.go:9", "after atomic/load [2] queue.go:9", "", ""}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// What is missing is the task, the place in it, or the task that was to continue.
func TestGone(t *testing.T) {
	r := recording.Recording{Entries: []recording.Entry{
		{Task: "main", Ops: 1, To: "main/0"}, // applies
		{Task: "main", Ops: 2, To: "main/1", Comment: "at queue/pushed queue.go:8"},
		{Task: "main", Ops: 9, To: "main/0"},
		{Task: "main/7", Ops: 1, To: "main"},
		{Task: "main", Ops: 2, Repeat: 1, Pick: 3},
		{Task: "main/0", Point: "queue/notify", Visit: 2, Kind: seam.Drop},
	}}
	unused := r.Schedule()
	unused.Deviations = unused.Deviations[1:]
	got := Gone(r.Entries, unused, course())
	want := []string{
		"main #2: run main/1 (at queue/pushed queue.go:8): task main/1 cannot continue there",
		"main #9: run main/0: task main makes 3 operations, the last at atomic/load [2] queue.go:9",
		"main/7 #1: run main: there is no task main/7",
		"main #2.1: pick 3: there is no such choice there",
		"main/0 queue/notify #2: drop: task main/0 does not come to visit 2 of queue/notify",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := Gone(r.Entries, strategy.Schedule{}, course()); got != nil {
		t.Errorf("nothing is gone, yet %q", got)
	}
}

// Of very many that do not apply the first are named, and all are counted.
func TestGoneIsBounded(t *testing.T) {
	var entries []recording.Entry
	for n := range 300_000 {
		entries = append(entries, recording.Entry{Task: "main/7", Ops: n, To: "main"}, recording.Entry{Task: "main/7", Point: "queue/pushed", Visit: n, Kind: seam.Drop})
	}
	unused := (&recording.Recording{Entries: entries}).Schedule()
	got := Gone(entries, unused, course())
	if len(got) != 101 || got[100] != "599900 entries more" || got[99] != "main/7 queue/pushed #49: drop: there is no task main/7" {
		t.Errorf("%d lines, %q", len(got), got[max(0, len(got)-2):])
	}
}
