package measure

import "time"

// Others watches how much of the machine other programs take: measurements taken meanwhile are
// only trustworthy if that is little.
type Others struct {
	own   func() []int
	since time.Time
	busy  time.Duration         // all processors
	taken time.Duration         // this process, and the children that it has waited for
	child map[int]time.Duration // running children
}

// WatchOthers begins to watch. own returns the ids of running child processes, which do not count
// as others.
func WatchOthers(own func() []int) *Others {
	o := &Others{own: own, since: time.Now(), taken: CPU() + childrenCPU(), child: map[int]time.Duration{}}
	for _, pid := range own() {
		o.child[pid] = processCPU(pid)
	}
	o.busy = busy()
	return o
}

// Share returns the share of all processors that others have taken since WatchOthers, from 0 to 1; -1
// if it is unknown. Its resolution is 10 ms on Linux, the only system that is supported.
func (o *Others) Share() float64 {
	busy := busy() - o.busy
	if o.busy == 0 || busy < 0 {
		return -1
	}
	taken := CPU() + childrenCPU() - o.taken
	for _, pid := range o.own() {
		taken += processCPU(pid) - o.child[pid]
	}
	available := time.Since(o.since) * time.Duration(processors())
	if available <= 0 {
		return -1
	}
	return min(1, max(0, float64(busy-taken)/float64(available)))
}
