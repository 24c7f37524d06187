package stress

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// A Parameter is a size that a workload takes, as `stress list --workloads` shows it.
type Parameter struct {
	Key string // in scenario files
	// Default is what a native scenario has that does not say, Controlled one with mode: control.
	// Controlled is "" where it has none: a pause that is not there.
	Default, Controlled string
	// From and To bound it. Beside them a scenario is refused whose sizes together are too much.
	From, To string
}

// sizeKeys are the keys of Sizes in scenario files.
var sizeKeys = []string{"jobs", "injectors", "depth", "leaf", "repeat", "pause"}

// count is the size of that key that is a number; 0 if it is not set.
func (s *Sizes) count(key string) int {
	switch key {
	case "jobs":
		return s.Jobs
	case "injectors":
		return s.Injectors
	case "depth":
		return s.Depth
	case "leaf":
		return s.Leaf
	case "repeat":
		return s.Repeat
	}
	return 0
}

// text is the size of that key, "" if it is not set.
func (s *Sizes) text(key string) string {
	switch n := s.count(key); {
	case n != 0:
		return strconv.Itoa(n)
	case key == "pause" && s.Pause != 0:
		return shortDuration(s.Pause)
	}
	return ""
}

// Parameters lists the sizes that the workload takes.
func (w *Workload) Parameters() (all []Parameter) {
	most := w.mostSizes()
	for _, key := range sizeKeys {
		if !slices.Contains(w.Uses, key) {
			continue
		}
		p := Parameter{Key: key, Default: w.defaults.text(key), Controlled: w.small.text(key), From: "1", To: most.text(key)}
		if key == "pause" {
			p.From = time.Duration(1).String()
		}
		all = append(all, p)
	}
	return all
}

// Pools says which pool sizes the workload is for.
func (w *Workload) Pools() string {
	least, most := max(w.least, 1), w.most
	if most == 0 {
		most = maxWorkers
	}
	if least == most {
		return plural(least, "worker")
	}
	return fmt.Sprintf("%d to %s", least, plural(most, "worker"))
}

// mostSizes are the bounds of each size by itself.
func (w *Workload) mostSizes() Sizes { return w.bound.orElse(mostSizes) }
