package explain

import (
	"fmt"

	"github.com/rouse-go/rouse/chaos/control"
)

// Way lists what the tasks of an execution did, a line for each event.
func Way(events []control.Event) []string {
	way := make([]string, len(events))
	for i, e := range events {
		way[i] = control.Title(e.Task, e.Name) + ": " + describe(e)
	}
	return way
}

// Divergence describes the first difference between the ways of two executions by the same schedule: the event,
// and for each the task and what it did.
func Divergence(a, b []string) string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("at event %d, %s, and then %s", i+1, a[i], b[i])
		}
	}
	switch {
	case len(a) > len(b):
		return fmt.Sprintf("at event %d, %s, and then it had ended", len(b)+1, a[len(b)])
	case len(a) < len(b):
		return fmt.Sprintf("at event %d, it had ended, and then %s", len(a)+1, b[len(a)])
	}
	return "its events are the same"
}
