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
// lastVisits of each task, with delayProbability at each visit. Under control a delay lasts until about no other
// task can continue; its length decides between several delays.
const (
	lastVisits           = 3
	mostSeen             = 16
	delayProbability     = 0.1
	leastDelay, mostWait = time.Microsecond, 100 * time.Microsecond
)

// lastSeen returns the subject's own points that tasks passed last, from the events of a native recording, whose
// lines are in the order of time: the task, the time, the point, and the number of the visit. It leaves out
// operations of drop-ins, which are decisions anyway.
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

// delaysAt returns the faults that a search adds to a plan.
func delaysAt(points []string) (faults []chaos.Fault) {
	for _, p := range points {
		faults = append(faults, chaos.Fault{At: p, Kind: hooks.Delays, Probability: delayProbability, Min: leastDelay, Max: mostWait})
	}
	return faults
}
