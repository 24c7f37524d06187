package explain

import (
	"fmt"

	"github.com/rouse-go/rouse/chaos/control"
)

// Divergence describes the first difference between two executions by the same schedule: the event, and
// for each the task and what it did.
func Divergence(a, b []control.Event) string {
	for i := range min(len(a), len(b)) {
		if x, y := whatWasDone(a[i]), whatWasDone(b[i]); x != y {
			return fmt.Sprintf("at event %d, %s, and then %s", i+1, x, y)
		}
	}
	switch {
	case len(a) > len(b):
		return fmt.Sprintf("at event %d, %s, and then it had ended", len(b)+1, whatWasDone(a[len(b)]))
	case len(a) < len(b):
		return fmt.Sprintf("at event %d, it had ended, and then %s", len(a)+1, whatWasDone(b[len(a)]))
	}
	return "its events are the same"
}

func whatWasDone(e control.Event) string { return control.Title(e.Task, e.Name) + ": " + describe(e) }
