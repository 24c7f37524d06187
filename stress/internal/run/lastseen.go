package run

import (
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/stress/scenario"
)

// A search delays tasks at the hook points where they were last seen in the native execution: at the last
// lastVisits of each task, at each visit with that probability. Under control a delay lasts until no other task
// can continue, more or less; its length decides between several.
const (
	lastVisits           = 3
	mostSeen             = 16
	delayProbability     = 0.1
	leastDelay, mostWait = time.Microsecond, 100 * time.Microsecond
)

// lastSeen are the subject's own points that tasks passed last, in the events of a native recording, whose
// lines are in the order of time: the task, the time, the point, and the number of the visit. Drop-ins'
// operations are left out, which are decisions anyway.
func lastSeen(events string, own func(point string) bool) (points []string) {
	byTask := map[string][]string{}
	var tasks []string
	offered := map[string]bool{}
	for _, p := range scenario.Points() {
		offered[p.Name] = p.Offers&hooks.Delays != 0 && !p.Operation && own(p.Name)
	}
	for line := range strings.Lines(events) {
		words := strings.Fields(line)
		at := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "#") })
		if at < 2 || !offered[words[at-1]] {
			continue
		}
		task := words[0]
		if byTask[task] == nil {
			tasks = append(tasks, task)
		}
		byTask[task] = append(byTask[task], words[at-1])
	}
	for _, task := range tasks {
		visits := byTask[task]
		for _, p := range visits[max(len(visits)-lastVisits, 0):] {
			if !slices.Contains(points, p) && len(points) < mostSeen {
				points = append(points, p)
			}
		}
	}
	return points
}

// delaysAt are the faults that a search adds to a plan.
func delaysAt(points []string) (faults []chaos.Fault) {
	for _, p := range points {
		faults = append(faults, chaos.Fault{At: p, Kind: hooks.Delays, Probability: delayProbability, Min: leastDelay, Max: mostWait})
	}
	return faults
}
