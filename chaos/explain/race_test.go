package explain

import (
	"runtime"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

const raceReport = `WARNING: DATA RACE
Read at 0x00c000012345 by goroutine 8:
  bytes.(*Reader).Read()
      /go/src/bytes/reader.go:44 +0x1d
  example.com/queue.reader()
      /src/queue/queue.go:20 +0x2d

Previous write at 0x00c000012345 by goroutine 7:
  example.com/queue.writer()
      /src/queue/queue.go:41 +0x1d
  example.com/queue.TestRace()
      /src/queue/queue_test.go:9 +0x1d
`

// TestTableOfARace: both accesses of a data race have a row, and their tasks a column, however long the table is, how
// many tasks there are, and whether the detector has reported the race before. The one of a parent comes after it has
// started the other task.
func TestTableOfARace(t *testing.T) {
	for _, test := range []struct {
		races int
		late  bool // the reader begins when the writer has worked for long
		write int  // the step after which it is shown
	}{{0, false, 3}, {1, false, 3}, {0, true, mostRows + 4}, {1, true, mostRows + 4}} {
		var events []control.Event
		add := func(task string, kind strategy.Kind, function string, line int) *control.Event {
			e := did(len(events)+1, task, kind, "", 1, line)
			e.Entry, e.Site.Function = "", function
			events = append(events, e)
			return &events[len(events)-1]
		}
		begins := func(task, entry string) {
			e := add(task, strategy.Begin, "", 0)
			e.Entry, e.Site, e.Object = entry, runtime.Frame{}, 0
		}
		begins("main", "TestRace")
		noise := func(n int) {
			for i := range n {
				add([]string{"main/1", "main/2"}[i%2], strategy.Load, "example.com/queue.noise", i)
			}
		}
		if !test.late {
			begins("main/0", "reader")
		}
		add("main", strategy.Send, "example.com/queue.prepare", 8)
		add("main", strategy.Send, "example.com/queue.writer", 50) // beyond the access
		noise(mostRows)
		if test.late {
			begins("main/0", "reader")
			add("main", strategy.Send, "example.com/queue.writer", 50)
		}
		noise(mostRows)
		add("main/0", strategy.Receive, "example.com/queue.reader", 21).Races = test.races
		noise(maxRows)
		r := Report{Events: joined(events...), Result: control.Result{Verdict: verdict.DataRace, Summary: "a data race", Detail: raceReport}}
		text := r.Page().Text(30)
		for _, want := range []string{"main (queue_test.go:12)\n", "main/0 (queue_test.go:12)\n", "write in queue.writer queue.go:41\n", "read in bytes.(*Reader).Read reader.go:44\n"} {
			if !strings.Contains(text, want) {
				t.Errorf("%+v: no %q in\n%s", test, want, text)
			}
		}
		l := r.Timeline(nil)
		if len(l.Marks) != 1 || len(l.Marks[0].Steps) != 2 {
			t.Fatalf("%+v: marks %+v", test, l.Marks)
		}
		for _, i := range l.Marks[0].Steps {
			if s := l.Steps[i]; s.Kind == "write" && s.Step != test.write {
				t.Errorf("%+v: the write comes after %+v", test, l.Steps[i-1])
			}
		}
	}
}
