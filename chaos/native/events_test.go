package native

import (
	"testing"
	"time"
)

func TestEventsInWords(t *testing.T) {
	tasks := []TaskEvents{
		{Path: "main", Events: []Event{
			{After: 2 * time.Microsecond, Point: "queue/push", Visit: 1},
			{After: 9 * time.Microsecond, Point: "queue/notify", Visit: 1, Fault: "drop"},
		}},
		{Path: "main/0", Name: "worker 0", Ended: true, Events: []Event{
			{After: 5 * time.Microsecond, Point: "queue/count", Visit: 3, Fault: "delay|roll", Detail: "350µs, 7 -> 5"},
		}},
		{Path: "main/1"},
	}
	const timeline = `main                        2µs  queue/push #1
main/0 (worker 0)           5µs  queue/count #3  delay|roll  350µs, 7 -> 5
main                        9µs  queue/notify #1  drop
`
	if got := Timeline(tasks); got != timeline {
		t.Errorf("Timeline:\n%s\nwant\n%s", got, timeline)
	}
	const second = `task main/0 (worker 0), ended:
           5µs  queue/count #3  delay|roll  350µs, 7 -> 5
`
	if got := tasks[1].String(); got != second {
		t.Errorf("got\n%s\nwant\n%s", got, second)
	}
	const third = `task main/1:
  no hook was visited
`
	if got := tasks[2].String(); got != third {
		t.Errorf("got\n%s\nwant\n%s", got, third)
	}
	if got := Timeline(nil); got != "" {
		t.Errorf("no tasks: %q", got)
	}
}
