package explain

import (
	"fmt"
	"path"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// The points by which a condition's operations are known.
const (
	pointWait      = "sync/cond-wait"
	pointSignal    = "sync/cond-signal"
	pointBroadcast = "sync/cond-broadcast"
)

// Wakeup tells, in four lines, how a task came to wait for a condition that nobody
// signals any more: what it checked last, who changed that since, what became of
// the notification, and who sleeps. fires are the faults that were carried out. It
// returns nil if no such task is among those that are left.
func Wakeup(events []control.Event, left []control.TaskState, fires []strategy.Fire) []string {
	for _, t := range left {
		if lines := wakeup(events, t, fires); lines != nil {
			return lines
		}
	}
	return nil
}

func wakeup(events []control.Event, t control.TaskState, fires []strategy.Fire) []string {
	asleep := last(events, len(events), func(e control.Event) bool { return e.Task == t.Path })
	enqueued := last(events, len(events), func(e control.Event) bool {
		return e.Task == t.Path && e.Point == pointWait && e.Kind == strategy.Signal
	})
	if enqueued < 0 || asleep < 0 || t.Kind != strategy.Wait {
		return nil
	}
	condition := events[enqueued].Object
	isSignal := func(e control.Event) bool {
		return e.Object == condition && (e.Point == pointSignal || e.Point == pointBroadcast)
	}

	checked := last(events, enqueued, func(e control.Event) bool { return e.Task == t.Path && e.Kind == strategy.Load })
	what := "under its lock, which says no more"
	var posted int
	if checked >= 0 {
		what = does(events[checked])
		posted = last(events, len(events), func(e control.Event) bool {
			return e.Task != t.Path && e.Object == events[checked].Object && e.Kind != strategy.Load
		})
	} else {
		checked = last(events, enqueued, func(e control.Event) bool { return e.Task == t.Path && e.Kind == strategy.Lock })
		posted = last(events, len(events), func(e control.Event) bool {
			return e.Task != t.Path && checked >= 0 && e.Object == events[checked].Object && e.Kind == strategy.Unlock
		})
	}
	news := "by nobody"
	if posted >= 0 {
		news = who(events[posted]) + " " + does(events[posted])
		switch {
		case posted < checked:
			news += ", before that"
		case posted < enqueued:
			news += ", after that, and before the task waited"
		default:
			news += ", while the task waited"
		}
	}

	signalled := last(events, len(events), isSignal)
	notification := "never sent"
	switch dropped := lastDrop(fires); {
	case dropped != nil:
		notification = fmt.Sprintf("dropped by the plan at %s, visit %d", dropped.Point, dropped.Visit)
	case signalled >= 0 && signalled < enqueued:
		notification = who(events[signalled]) + " " + does(events[signalled]) + ", before the task waited: it reached nobody, or another"
	case signalled >= 0:
		notification = who(events[signalled]) + " " + does(events[signalled]) + ", and that woke another"
	}
	return []string{
		"checked       " + t.Path + " " + what,
		"posted        " + news,
		"notification  " + notification,
		"sleeps        " + control.Title(t.Path, t.Name) + " in " + t.Place(),
	}
}

// last returns the index of the last event before end that is wanted, or -1.
func last(events []control.Event, end int, wanted func(control.Event) bool) int {
	for i := end - 1; i >= 0; i-- {
		if wanted(events[i]) {
			return i
		}
	}
	return -1
}

func lastDrop(fires []strategy.Fire) *strategy.Fire {
	for i := len(fires) - 1; i >= 0; i-- {
		if fires[i].Kind.String() == "drop" {
			return &fires[i]
		}
	}
	return nil
}

func who(e control.Event) string { return control.Title(e.Task, e.Name) }

// does says what was done, and where.
func does(e control.Event) string {
	what := "did " + e.Kind.String()
	if e.Point != "" {
		what = "passed " + e.Point
	}
	if e.Site.File == "" {
		return what
	}
	return fmt.Sprintf("%s at %s:%d", what, path.Base(e.Site.File), e.Site.Line)
}
