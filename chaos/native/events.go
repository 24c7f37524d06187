package native

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/internal/racing"
	"github.com/rouse-go/rouse/internal/seam"
)

// TaskEvents are the last events of one task.
type TaskEvents struct {
	Path   string // "main/0"
	Name   string // as set by hooks.Name; "" if it was not
	Ended  bool
	Events []Event // the last 64 at most, oldest first
	// Older are events from before those: for each fault of the plan the last one that it
	// changed, then for each point the last visit, with its time and number only.
	Older []Event
}

// An Event is one visit of a hook point.
type Event struct {
	// After is the time since the engine was armed. It orders the events of different tasks
	// roughly: it is read before the visit's faults act, and nothing orders the reading with
	// what the program does next.
	After time.Duration
	Point string
	Visit uint64 // number of the task's visits of the point before this one
	// Fault names the kinds that fired, joined by "|"; it is "" if none did.
	Fault string
	// Detail is the length of the delay, what a hold waits for, and, for Value, what was seen
	// and what was returned: "350µs", "until queue/pushed or for 1s", "7 -> 5"; or "".
	Detail string
}

// String returns the event as one line without a line break.
func (e Event) String() string {
	line := fmt.Sprintf("%12s  %s #%d", e.After, e.Point, e.Visit)
	if e.Fault != "" {
		line += "  " + e.Fault
	}
	if e.Detail != "" {
		line += "  " + e.Detail
	}
	return line
}

// title names the task.
func (t TaskEvents) title() string {
	title := t.Path
	if t.Name != "" {
		title += fmt.Sprintf(" (%s)", t.Name)
	}
	return title
}

// String returns a headline and a line for each event.
func (t TaskEvents) String() string {
	var b strings.Builder
	b.WriteString("task " + t.title())
	if t.Ended {
		b.WriteString(", ended")
	}
	b.WriteString(":\n")
	for _, e := range t.Events {
		fmt.Fprintf(&b, "  %s\n", e)
	}
	if len(t.Events) == 0 {
		b.WriteString("  no hook was visited\n")
	}
	return b.String()
}

// Timeline returns the events of all tasks as text, one a line, in the order of
// the clock.
func Timeline(tasks []TaskEvents) string {
	type line struct {
		Event
		task string
	}
	var lines []line
	width := 0
	for _, t := range tasks {
		for _, e := range t.Events {
			lines = append(lines, line{e, t.title()})
		}
		width = max(width, len(t.title()))
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(a.After, b.After) })
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "%-*s  %s\n", width, l.task, l.Event)
	}
	return b.String()
}

// Events returns the last events of the last 256 tasks that ended, and then of the living
// tasks, each by age. It may be called at any time, also after Disarm. It stops no task, and
// leaves out an event that is being written.
func (e *Engine) Events() []TaskEvents {
	var all []TaskEvents
	for _, s := range e.in.snapshot() {
		t := TaskEvents{Path: s.id.path(), Name: s.label, Ended: s.ended}
		for _, v := range s.events {
			t.Events = append(t.Events, v.describe())
		}
		for _, v := range s.older {
			t.Older = append(t.Older, v.describe())
		}
		all = append(all, t)
	}
	return all
}

// describe returns the event as users see it.
func (e event) describe() Event {
	d := Event{After: e.when, Point: e.point.Name, Visit: e.visit}
	if e.fired != 0 {
		d.Fault = e.fired.String()
	}
	var details []string
	if e.delay > 0 {
		details = append(details, e.delay.String())
	}
	if e.hold != nil {
		details = append(details, fmt.Sprintf("until %s or for %s", e.hold.line.Until, e.hold.limit))
	}
	if e.valued {
		details = append(details, fmt.Sprintf("%d -> %d", e.seen, e.returned))
	}
	d.Detail = strings.Join(details, ", ")
	return d
}

// A snapshot is the state of a task at one moment.
type snapshot struct {
	id     *ident
	label  string
	ended  bool
	events []event
	older  []event
}

// snapshot reads the living tasks and the last tasks that ended.
//
//go:norace
func (in *injector) snapshot() []snapshot {
	points := seam.Points()
	racing.Hide()
	r := &in.tasks
	r.mu.Lock()
	tasks := r.tasks()
	all := make([]snapshot, len(tasks))
	for i, t := range tasks {
		all[i].id, all[i].ended = t.id, t.ended
	}
	r.mu.Unlock()
	for i, t := range tasks {
		all[i].label = t.name()
		all[i].events = t.recent.last()
		if len(all[i].events) > 0 {
			all[i].older = t.older(all[i].events[0].when, points)
		}
	}
	racing.Show()
	return all
}
