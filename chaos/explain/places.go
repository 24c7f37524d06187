package explain

import (
	"fmt"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// Annotate adds to each entry of a recording, as a comment, the place where the decision was made:
// what the task was about to do, in the words of describe. events are those of its execution.
func Annotate(entries []recording.Entry, events []control.Event) {
	tasks := operations(events)
	for i := range entries {
		e := &entries[i]
		if e.Point != "" || e.Task == "" {
			continue
		}
		switch done := tasks[e.Task]; {
		case e.Ops < len(done) && e.After:
			e.Comment = "directly after " + describe(done[e.Ops])
		case e.Ops < len(done):
			e.Comment = "at " + describe(done[e.Ops])
		case len(done) > 0:
			e.Comment = "after " + describe(done[len(done)-1])
		}
	}
}

// Gone describes what is missing for the entries of a recording that no longer applied: the task,
// or the place in it. events are those of the execution that was to be repeated. After 100 lines it
// gives the number of the others.
func Gone(entries []recording.Entry, unused strategy.Schedule, events []control.Event) []string {
	tasks := operations(events)
	missing := missingOf(entries, unused)
	var lines []string
	for i, n := range missing {
		if i == maxMissing {
			return append(lines, fmt.Sprintf("%d entries more", len(missing)-i))
		}
		e := entries[n]
		what := e.String()
		if e.Comment != "" {
			what += " (" + e.Comment + ")"
		}
		done, known := tasks[e.Task]
		switch {
		case e.Task != "" && !known:
			what += ": there is no task " + e.Task
		case e.Point != "":
			what += fmt.Sprintf(": task %s does not come to visit %d of %s", e.Task, e.Visit, e.Point)
		case e.Ops > len(done):
			what += fmt.Sprintf(": task %s makes %d operations", e.Task, len(done))
			if len(done) > 0 {
				what += ", the last at " + describe(done[len(done)-1])
			}
		case e.To != "":
			what += ": task " + e.To + " cannot continue there"
		default:
			what += ": there is no such choice there"
		}
		lines = append(lines, what)
	}
	return lines
}

// maxMissing bounds what Gone lists: of a recording of another program nothing applies.
const maxMissing = 100

// missingOf returns the numbers of the entries that are unused.
func missingOf(entries []recording.Entry, unused strategy.Schedule) (missing []int) {
	deviations, fires := setOf(unused.Deviations), setOf(unused.Fires)
	s := (&recording.Recording{Entries: entries}).Schedule() // of each kind, in the order of the entries
	for i, e := range entries {
		gone := false
		if e.Point != "" {
			gone, s.Fires = fires[s.Fires[0]], s.Fires[1:]
		} else {
			gone, s.Deviations = deviations[s.Deviations[0]], s.Deviations[1:]
		}
		if gone {
			missing = append(missing, i)
		}
	}
	return missing
}

func setOf[E comparable](all []E) map[E]bool {
	set := make(map[E]bool, len(all))
	for _, e := range all {
		set[e] = true
	}
	return set
}

// operations lists what each task did, without the hook points that it passed on the way.
func operations(events []control.Event) map[string][]control.Event {
	tasks := make(map[string][]control.Event)
	for _, e := range events {
		if e.Op >= 0 {
			tasks[e.Task] = append(tasks[e.Task], e)
		}
	}
	return tasks
}
