package explain

import (
	"fmt"
	"slices"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// maxCompared bounds the events of an execution that is compared with others.
const maxCompared = 20_000

// A Passing is an execution that passes and is near one that fails.
type Passing struct {
	Events []control.Event
	// Swap made it of the one that fails; nil if another change did.
	Swap *Swap
}

// A Difference is what decides between an execution that fails and the nearest one that passes.
type Difference struct {
	Fails, Passes string // a line each; "" if nothing is known
	Cited         []int  // the events of the failing one that are named
}

// Order finds the smallest difference between an execution that fails and others that pass: of the nearest one, which
// has the fewest pairs of operations in another order, such a pair. Where no pair differs, it is a choice that has
// another outcome, or a timer that fires early.
func Order(failing []control.Event, passing ...Passing) Difference {
	if len(failing) > maxCompared {
		return Difference{}
	}
	ops := identified(failing)
	var nearest *pair
	for _, other := range passing {
		p := reversed(failing, ops, other.Events)
		if s := other.Swap; s != nil && s.Until != "" {
			known := p
			if p = &(pair{s.first, s.second, s.event, 1}); known != nil {
				p.count = known.count
			}
		}
		if p != nil && (nearest == nil || p.count < nearest.count) {
			nearest = p
		}
	}
	if nearest != nil {
		return nearest.difference(failing)
	}
	var all [][]control.Event
	for _, other := range passing {
		all = append(all, other.Events)
	}
	return chosen(failing, ops, all)
}

// Apart is Order with one execution that passes and need not be near: the first pair of operations that comes in another
// order there. tried is how many such pairs have been flipped alone, and did not make the failing one pass.
func Apart(failing, passing []control.Event, tried int) Difference {
	if len(failing) > maxCompared || len(passing) > maxCompared {
		return Difference{}
	}
	ops := identified(failing)
	var d Difference
	if p := reversed(failing, ops, passing); p != nil {
		p.count = 1
		d = p.difference(failing)
	} else {
		d = chosen(failing, ops, [][]control.Event{passing})
	}
	switch {
	case d.Fails == "":
		d.Fails = "for another reason than an order: no two operations come in another one in the execution that passes"
	case tried == 1:
		d.Passes += " and the rest is as in the execution that passes: one flip is not enough"
	case tried > 1:
		d.Passes += fmt.Sprintf(" and the rest is as in the execution that passes: one flip is not enough, for each of %d tried", tried)
	default:
		d.Passes += ", as in the execution that passes"
	}
	return d
}

// chosen returns the difference where no pair differs.
func chosen(failing []control.Event, ops map[identity]int, passing [][]control.Event) Difference {
	if d := outcomes(failing, ops, passing); d.Fails != "" {
		return d
	}
	return fires(failing, passing)
}

// A pair is two events of an execution, of which the second comes before the first in another one; count is how many
// such pairs there are. If the execution ends before the second, second is -1, and event is the one in the other
// execution.
type pair struct {
	first, second int
	event         control.Event
	count         int
}

func (p *pair) difference(failing []control.Event) Difference {
	w := wait{events: failing}
	first, second := w.describe(p.first), ""
	if p.second >= 0 {
		second = w.describe(p.second)
	} else {
		second = describeEvent(p.event)
	}
	d := Difference{Fails: "if " + first + " comes before " + second, Passes: "if " + second + " comes first", Cited: w.cited}
	if p.count > 1 {
		d.Passes += ", and with it what follows from that"
	}
	return d
}

// An identity is what an operation has in common in several executions.
type identity struct {
	task  string
	op    int    // -1 for an event that is not one of the task's operations
	place string // for such an event
	nth   int    // of those at that place
}

// identified returns the index of each operation: where it was done, or where it begins to wait if it was not.
func identified(events []control.Event) map[identity]int {
	all, others := make(map[identity]int, len(events)), map[identity]int{}
	for i, e := range events {
		if e.Object == 0 && len(e.Cases) == 0 || e.Overtaken {
			continue
		}
		id := identity{task: e.Task, op: e.Op}
		if e.Op < 0 {
			id.place = place(e)
			others[id]++
			id.nth = others[id]
		}
		all[id] = i
	}
	return all
}

// reversed returns the pair that counts: of those that the other execution has in another order, the one that
// is over first, and of several the closest; nil if there is none.
func reversed(events []control.Event, ops map[identity]int, other []control.Event) *pair {
	if len(other) > maxCompared {
		return nil
	}
	there := identified(other)
	at := make([]int, len(events)) // indexes of the same operations there, plus 1
	for id, i := range ops {
		if j, found := there[id]; found && place(events[i]) == place(other[j]) {
			at[i] = j + 1
		}
	}
	earlier := map[int][]int{} // by object
	found := pair{first: -1}
	for i, e := range events {
		if at[i] == 0 {
			continue
		}
		var before []int
		for _, o := range objectsOf(e) {
			for _, j := range earlier[o] {
				if at[j] > at[i] && events[j].Task != e.Task && conflict(events[j], e) && !slices.Contains(before, j) {
					before = append(before, j)
				}
			}
			earlier[o] = append(earlier[o], i)
		}
		if len(before) > 0 && found.first < 0 {
			found.first, found.second = slices.Max(before), i
		}
		found.count += len(before)
	}
	if found.first < 0 {
		return nil
	}
	return &found
}

// objectsOf returns the objects of an operation.
func objectsOf(e control.Event) (all []int) {
	if e.Object != 0 {
		all = append(all, e.Object)
	}
	for _, c := range e.Cases {
		if c.Object != 0 && !slices.Contains(all, c.Object) {
			all = append(all, c.Object)
		}
	}
	return all
}

// conflict reports whether it matters in which order two operations on the same object come. Unlocking
// always comes between two operations that take the lock, which say more.
func conflict(a, b control.Event) bool {
	if !orders(a.Kind) || !orders(b.Kind) {
		return false
	}
	kinds := [2]strategy.Kind{a.Kind, b.Kind}
	alike := func(all ...strategy.Kind) bool {
		return slices.Contains(all, kinds[0]) && slices.Contains(all, kinds[1])
	}
	return !alike(strategy.Load, strategy.SyscallRead) && !alike(strategy.RLock, strategy.TryRLock) && !alike(strategy.Signal) && !alike(strategy.Wait)
}

// orders reports whether it may matter when an operation of that kind comes.
func orders(k strategy.Kind) bool {
	switch k {
	case strategy.Unlock, strategy.RUnlock, strategy.Spawn, strategy.Begin, strategy.End, strategy.Point, strategy.Yield, strategy.After, strategy.Resume:
		return false
	}
	return true
}

// chooses reports whether the operation is one of several outcomes, one of which was chosen.
func chooses(e control.Event) bool {
	return e.Outcome != "" && (e.Kind == strategy.Select || e.Call == "Choose")
}

// outcomes describes the first operation that has another outcome in an execution that passes.
func outcomes(events []control.Event, ops map[identity]int, passing [][]control.Event) (d Difference) {
	first, now := -1, ""
	for _, other := range passing {
		for id, j := range identified(other) {
			i, found := ops[id]
			if found && chooses(other[j]) && place(events[i]) == place(other[j]) && events[i].Outcome != other[j].Outcome && (first < 0 || i < first) {
				first, now = i, other[j].Outcome
			}
		}
	}
	if first < 0 {
		return d
	}
	w := wait{events: events}
	d.Fails, d.Passes = "with "+w.describe(first), "with "+now+" there"
	if was := events[first].Outcome; was != "" {
		d.Fails += ": " + was
	}
	d.Cited = w.cited
	return d
}

// fires describes which timer fires where an execution that passes does something else.
func fires(events []control.Event, passing [][]control.Event) Difference {
	for _, other := range passing {
		i := 0
		for i < min(len(events), len(other)) && alike(events[i], other[i]) {
			i++
		}
		if i == len(events) || i == len(other) || events[i].Kind != strategy.Clock || other[i].Kind == strategy.Clock {
			continue
		}
		line := "a timer fires"
		if e := events[i]; e.Step > 0 {
			line += fmt.Sprintf(" at step %d", e.Step)
		} else {
			line = "the timer " + e.Outcome + " at " + place(e) + " fires"
		}
		line += " before " + other[i].Task + "'s " + operation(other[i])
		if other[i].Site.File != "" {
			line += " at " + place(other[i])
		}
		return Difference{"if " + line, "if it fires later, or not at all", []int{i}}
	}
	return Difference{}
}

// alike reports whether two executions do the same there.
func alike(a, b control.Event) bool {
	return a.Task == b.Task && a.Op == b.Op && a.Kind == b.Kind && a.Waits == b.Waits
}
