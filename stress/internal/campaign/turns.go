package campaign

import (
	"math"
	"slices"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/scenario"
)

// How a campaign divides its time. In the first round each scenario has a short turn. After that
// the turns go to the most promising scenarios, with these exceptions: none falls behind by much,
// controls must be detected, and native scenarios, for which nothing shows whether an execution was
// new, take turns. All decisions depend on how much time each scenario has had, so that a resumed
// campaign continues as it would have.
const (
	// floor is the part of its share of the time that each scenario gets in any case.
	floor = 0.1
	// patience is how many shares of the time a control may take until it is detected.
	patience = 30
	// controlsPart is the maximum part of the time for all undetected controls.
	controlsPart = 0.5
	// nativeWeight is the weight of a native scenario's share relative to that of a controlled one.
	nativeWeight = 0.5
)

// Bounds of the time of a turn. The start of a process takes some hundredths of a second.
const (
	leastSlice = 250 * time.Millisecond
	mostSlice  = 10 * time.Second
	// Typical times of a first turn: mostly starts of processes, and the watchdog.
	controlledTime, nativeTime = 100 * time.Millisecond, 250 * time.Millisecond
	// sliceParts is how many turns each scenario could get in the remaining time.
	sliceParts = 2
)

// firstRound returns the order of the first turns. A failure of the subject most likely shows within a few
// controlled executions, which take the least time. A native control takes as long as the watchdog waits, so
// these are spread among the other native scenarios. Exhaustive searches, which have only one turn, come
// last.
func firstRound(entries []*entry) []*entry {
	var all [6][]*entry // by kind: controls have odd numbers
	for _, e := range entries {
		kind := 0
		if e.scenario.Exhaustive() {
			kind = 4
		} else if e.scenario.Mode != scenario.Control {
			kind = 2
		}
		if isControl(e) {
			kind++
		}
		if e.turns == 0 {
			all[kind] = append(all[kind], e)
		}
	}
	return slices.Concat(all[0], all[1], spread(all[2], all[3]), all[4], all[5])
}

// spread merges two lists evenly.
func spread(a, b []*entry) (merged []*entry) {
	n, m := len(a), len(b)
	for i, j := 0, 0; i < n || j < m; {
		if j == m || i < n && (2*i+1)*m <= (2*j+1)*n {
			merged = append(merged, a[i])
			i++
		} else {
			merged = append(merged, b[j])
			j++
		}
	}
	return merged
}

// isControl reports whether the scenario is a positive control.
func isControl(e *entry) bool { return e.scenario.Expect != verdict.Pass }

// next returns the scenario that has the next turn, or nil if there is none.
func (c *campaign) next() *entry {
	if c.current != nil {
		return c.current
	}
	active := c.active()
	if len(active) == 0 || c.For == 0 {
		return firstOf(active)
	}
	first := firstOf(firstRound(active))
	switch {
	case first != nil && !(first.scenario.Mode != scenario.Control && c.canWait()):
		return first
	case c.left() <= 0:
		return nil
	}
	return mostPromising(filtered(active, func(e *entry) bool { return e.turns > 0 }))
}

// canWait reports whether the rest of the first round may wait for a turn of a scenario that has begun.
// Such a turn follows each native control, while there is time for the rest.
func (c *campaign) canWait() bool {
	controls, later := 0, 0
	var rest time.Duration
	for _, e := range c.entries {
		controlled := e.scenario.Mode == scenario.Control
		switch {
		case e.turns > 0:
			later += e.turns - 1
			if isControl(e) && !controlled {
				controls++
			}
		case controlled:
			rest += controlledTime
		default:
			rest += nativeTime
		}
	}
	return later < controls && c.left() > rest && slices.ContainsFunc(c.active(), func(e *entry) bool { return e.turns > 0 })
}

func firstOf(entries []*entry) *entry {
	if len(entries) == 0 {
		return nil
	}
	return entries[0]
}

// active returns the scenarios that are not done.
func (c *campaign) active() (all []*entry) {
	for _, e := range c.entries {
		if e.done == nil {
			all = append(all, e)
		}
	}
	return all
}

// sliceOf returns the time of the next turn of a scenario.
func (c *campaign) sliceOf(e *entry) time.Duration {
	active := c.active()
	left := c.left()
	share := time.Duration(float64(left) * weight(e) / weightOf(active))
	switch {
	case e.scenario.Exhaustive() && isControl(e):
		return min(patience*share, left)
	case e.scenario.Exhaustive():
		return share
	case e.turns == 1 && isControl(e): // also if the time is up
		return min(time.Duration(patience*float64(c.For)*weight(e)/weightOf(c.entries)), mostSlice)
	case e.turns == 1:
		return 0
	case len(active) == 1:
		return left
	}
	return min(max(left/time.Duration(sliceParts*len(active)), leastSlice), mostSlice)
}

// mostPromising chooses among scenarios that have all had a turn.
func mostPromising(active []*entry) *entry {
	total, weights := spentOf(active), weightOf(active)
	share := func(e *entry) float64 { return total * weight(e) / weights }
	perShare := func(e *entry) float64 { return seconds(e) / weight(e) }
	if e := least(active, perShare); seconds(e) < floor*share(e) {
		return e
	}
	controls := filtered(active, func(e *entry) bool { return isControl(e) && seconds(e) < patience*share(e) })
	if len(controls) > 0 && spentOf(controls) < controlsPart*total {
		return least(controls, perShare)
	}
	native := filtered(active, func(e *entry) bool { return e.scenario.Mode != scenario.Control })
	controlled := filtered(active, func(e *entry) bool { return e.scenario.Mode == scenario.Control })
	part := nativeWeight * weightOf(native)
	if len(native) > 0 && spentOf(native)*(part+weightOf(controlled)) < part*total || len(controlled) == 0 {
		return least(native, perShare)
	}
	return least(controlled, func(e *entry) float64 { return perShare(e) / e.yield() })
}

// yield estimates how many new orders one more second brings.
func (e *entry) yield() float64 {
	return e.Orders.Weight(e.Executions) * float64(e.Executions+1) / max(seconds(e), 1e-3)
}

func weight(e *entry) float64 { return float64(max(e.scenario.Share, 1)) }

func seconds(e *entry) float64 { return e.spent.Seconds() }

func weightOf(entries []*entry) (sum float64) {
	for _, e := range entries {
		sum += weight(e)
	}
	return sum
}

func spentOf(entries []*entry) (sum float64) {
	for _, e := range entries {
		sum += seconds(e)
	}
	return sum
}

func filtered(entries []*entry, keep func(*entry) bool) []*entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e *entry) bool { return !keep(e) })
}

// least returns the first of the entries with the least value.
func least(entries []*entry, value func(*entry) float64) (found *entry) {
	lowest := math.Inf(1)
	for _, e := range entries {
		if v := value(e); found == nil || v < lowest {
			found, lowest = e, v
		}
	}
	return found
}
