package explain

import (
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// foremost returns which of the tasks that are left are shown. Of many that wait alike at the same place these are the
// first few; then those that hold what a shown one waits for, so that a cycle is whole, however long it is.
func foremost(events []control.Event, left []control.TaskState) map[string]bool {
	alike := map[string][]string{}
	byPath := map[string]control.TaskState{}
	for _, t := range left {
		stands := t.Waits + " in " + t.Place()
		alike[stands] = append(alike[stands], t.Path)
		byPath[t.Path] = t
	}
	shown := map[string]bool{}
	var open []string
	show := func(path string) {
		if _, isLeft := byPath[path]; isLeft && !shown[path] {
			shown[path] = true
			open = append(open, path)
		}
	}
	for _, paths := range alike {
		if len(paths) > control.MostNamed {
			paths = paths[:control.FewNamed]
		}
		for _, path := range paths {
			show(path)
		}
	}
	if len(shown) == len(left) {
		return shown
	}
	for len(open) > 0 {
		t := byPath[open[0]]
		open = open[1:]
		if t.Object != 0 && (isLock(t.Kind) || t.Kind == strategy.Once) {
			for _, i := range (&wait{events: events, task: t}).holders() {
				show(events[i].Task)
			}
		}
	}
	return shown
}
