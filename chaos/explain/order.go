package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// maxCompared bounds the events of an execution that is compared with others.
const maxCompared = 20_000

// A Difference is what decides between an execution that fails and others that pass.
type Difference struct {
	Fails, Passes string // a line each; "" if nothing is known
	Cited         []int  // the events of the failing one that are named
	Decides       bool   // it does, by experiments
}

// Figures are how executions ended that have tested a claim: how many With it fail, and Without it pass.
type Figures struct{ With, Fails, Without, Passes int }

// Missed returns how many of the executions ended otherwise.
func (f Figures) Missed() int { return f.With - f.Fails + f.Without - f.Passes }

func (f Figures) difference(fails, passes string, cited ...int) Difference {
	return Difference{
		Fails:  fmt.Sprintf("%s (%d of %d executions)", fails, f.Fails, f.With),
		Passes: fmt.Sprintf("%s (%d of %d)", passes, f.Passes, f.Without), Cited: cited, Decides: true,
	}
}

// Claim returns the claim that the experiment has led to.
func (s *Swap) Claim(events []control.Event, f Figures) Difference {
	w := wait{events: events}
	first := w.describe(s.first)
	if s.Other != 0 {
		if was, now := events[s.first].Outcome, s.event.Outcome; was != now {
			return f.difference("with "+first+": "+was, "with "+now+" there", s.first)
		}
		return f.difference("with "+first, "with "+describeEvent(s.event)+" there", s.first)
	}
	second := describeEvent(s.event)
	if s.second >= 0 {
		second = w.describe(s.second)
	}
	slices.Sort(w.cited)
	if s.After {
		return f.difference("if what follows "+first+" comes before "+second, "if "+second+" comes directly after it", w.cited...)
	}
	return f.difference("if "+first+" comes before "+second, "if "+second+" comes first", w.cited...)
}

// Seen returns the experiment with what it has led to in an execution that passes, or false if the operations are not at
// the same places there.
func (s Swap) Seen(events, passing []control.Event) (Swap, bool) {
	was, second := events[s.first], s.Until == ""
	first := was.Kind == strategy.Clock // it may fire later, or not at all
	if isUnnamed(was) || s.Until != "" && isUnnamed(s.event) {
		return s, false
	}
	for i, op := range operationNumbers(passing) {
		e := passing[i]
		if e.Waits {
			continue
		}
		if e.Task == s.Until && op == s.UntilOp {
			second = place(e) == place(s.event) && e.Kind == s.event.Kind
		}
		if e.Task != s.Task || op != s.Op || was.Kind == strategy.Clock {
			continue
		}
		first = place(e) == place(was) && e.Kind == was.Kind
		if s.Other != 0 {
			s.event = e
			first = first && (e.Outcome != was.Outcome || e.Via != was.Via)
		}
	}
	return s, first && second
}

// isUnnamed reports whether the event is of a timer of which it is not known which one it is.
func isUnnamed(e control.Event) bool { return e.Kind == strategy.Clock && e.Site.File == "" }

// Rank tells claims apart that hold: the lower, the nearer to the user's own code is what it names.
func (s *Swap) Rank(events []control.Event) int {
	rank := s.FirstRank(events)
	switch {
	case s.Other != 0:
	case s.second >= 0:
		rank = max(rank, rankOf(events[s.second]))
	default:
		rank = max(rank, rankOf(s.event))
	}
	return rank
}

// FirstRank is what Rank is at least.
func (s *Swap) FirstRank(events []control.Event) int { return rankOf(events[s.first]) }

// rankOf prefers code to tests, those to libraries, and those to the standard library, and of each what is not only about
// the beginning and the end of tasks.
func rankOf(e control.Event) int {
	file, rank := e.Site.File, 0
	switch {
	case e.Standard:
		rank = 6
	case strings.Contains(file, "@v") || strings.Contains(file, "/vendor/"):
		rank = 4
	case file == "" || strings.HasSuffix(file, "_test.go"):
		rank = 2
	}
	if e.Kind == strategy.Begin || strings.Contains(operation(e), "WaitGroup") || strings.Contains(operation(e), "/waitgroup-") {
		rank++
	}
	return rank
}

// lastRank is above all that Swap.Rank returns.
const lastRank = 100

// RankOfFault is Swap.Rank for a claim about a fault. Of one that does no more than change when something happens, an order
// says more.
func RankOfFault(f strategy.Fire) int {
	if f.Kind&(seam.Delay|seam.Yield|seam.Hold) != 0 {
		return lastRank
	}
	return 0
}

// FaultLeftOut returns the event at which a fault was injected that a passing execution does not have, or -1 if that is not
// a single one.
func FaultLeftOut(events, passing []control.Event) int {
	type injected struct{ task, place, fault string }
	counts := map[injected]int{}
	of := func(e control.Event) injected { return injected{e.Task, place(e), e.Fault} }
	for _, e := range passing {
		counts[of(e)]++
	}
	found := -1
	for i, e := range events {
		if e.Fault == "" {
			continue
		}
		if counts[of(e)]--; counts[of(e)] >= 0 {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

// UpTo returns the experiment that changes nothing up to the i-th event.
func UpTo(events []control.Event, i int) control.Swap {
	s := control.Swap{Task: events[i].Task, Op: -1, Stays: true}
	for _, e := range events[:i+1] {
		if e.Task == s.Task && e.Op >= 0 {
			s.Op = e.Op
		}
	}
	return s
}

// ClaimOfFault returns the claim that a fault decides, which the i-th event has.
func ClaimOfFault(events []control.Event, i int, f Figures) Difference {
	return f.difference("with the fault "+events[i].Fault+" at "+describeEvent(events[i]), "without it", i)
}

// Undecided describes an execution for which no order decides. Of those that differ from it at random f.Fails fail, and near is
// one that passes; nil if none does. alike: none has taken another way.
func Undecided(events, near []control.Event, f Figures, alike bool) Difference {
	switch {
	case alike:
		return Difference{Fails: fmt.Sprintf("in each of %d executions: nothing was found that could come otherwise", f.With)}
	case f.Fails == f.With:
		return Difference{Fails: fmt.Sprintf("in each of %d executions that differ from it at random: no order was found that decides", f.With)}
	}
	d := Difference{Fails: fmt.Sprintf("in %d of %d executions that differ from it at random, and no order was found that decides", f.Fails, f.With)}
	i := firstApart(events, near)
	if i < len(near) && i < len(events) {
		d.Passes = "for example with " + describeEvent(near[i]) + " where this one has " + describeEvent(events[i])
	}
	return d
}

// Apart compares with an execution that passes and need not be near: it returns the first pair of operations that comes in
// another order there. tried is how many such pairs have been flipped alone, and did not make the failing one pass.
func Apart(failing, passing []control.Event, tried int) Difference {
	if len(failing) > maxCompared || len(passing) > maxCompared {
		return Difference{}
	}
	ops := identified(failing)
	var d Difference
	if first, second := reversed(failing, ops, passing); first >= 0 {
		w := wait{events: failing}
		earlier, later := w.describe(first), w.describe(second)
		d = Difference{Fails: "if " + earlier + " comes before " + later, Passes: "if " + later + " comes first", Cited: w.cited}
	} else if d = outcomes(failing, ops, passing); d.Fails == "" {
		d = fires(failing, passing)
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

// An identity is what an operation has in common in several executions.
type identity struct {
	task  string
	op    int    // -1 for an event that is not one of the task's operations
	place string // for such an event
	nth   int    // of those at that place
}

func identityOf(e control.Event) identity { return identity{task: e.Task, op: e.Op} }

// identified returns the index of each operation: where it was done, or where it begins to wait if it was not.
func identified(events []control.Event) map[identity]int {
	all, others := make(map[identity]int, len(events)), map[identity]int{}
	for i, e := range events {
		if e.Object == 0 && len(e.Cases) == 0 || e.Overtaken {
			continue
		}
		id := identityOf(e)
		if e.Op < 0 {
			id.place = place(e)
			others[id]++
			id.nth = others[id]
		}
		all[id] = i
	}
	return all
}

// reversed returns two events, of which the second comes before the first in the other execution: of all such pairs the one
// that is over first, and of several the closest; -1 if there is none.
func reversed(events []control.Event, ops map[identity]int, other []control.Event) (first, second int) {
	there := identified(other)
	at := make([]int, len(events)) // indexes of the same operations there, plus 1
	for id, i := range ops {
		if j, found := there[id]; found && place(events[i]) == place(other[j]) {
			at[i] = j + 1
		}
	}
	earlier := map[int][]int{} // by object
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
		if len(before) > 0 {
			return slices.Max(before), i
		}
	}
	return -1, -1
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
	return e.Kind == strategy.Select && (e.Outcome != "" || e.Via.Object != 0 && !e.Waits) || e.Outcome != "" && e.Call == "Choose"
}

// outcomes describes the first operation that has another outcome in an execution that passes.
func outcomes(events []control.Event, ops map[identity]int, other []control.Event) (d Difference) {
	first, now := -1, ""
	for id, j := range identified(other) {
		i, found := ops[id]
		if found && chooses(other[j]) && place(events[i]) == place(other[j]) && events[i].Outcome != other[j].Outcome && (first < 0 || i < first) {
			first, now = i, other[j].Outcome
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
func fires(events, other []control.Event) Difference {
	i := firstApart(events, other)
	if i == len(events) || i == len(other) || events[i].Kind != strategy.Clock || other[i].Kind == strategy.Clock {
		return Difference{}
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
	return Difference{Fails: "if " + line, Passes: "if it fires later, or not at all", Cited: []int{i}}
}

// firstApart returns the first event in which two executions do something else, or where one of them ends.
func firstApart(a, b []control.Event) int {
	i := 0
	for i < min(len(a), len(b)) && alikeEvents(a[i], b[i]) {
		i++
	}
	return i
}

// alikeEvents reports whether two executions do the same there.
func alikeEvents(a, b control.Event) bool {
	return a.Task == b.Task && a.Op == b.Op && a.Kind == b.Kind && a.Waits == b.Waits
}
