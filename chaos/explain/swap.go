package explain

import (
	"slices"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// maxOutcomes bounds the other outcomes of an operation that are tried.
const maxOutcomes = 3

// maxLater bounds the later operations on an object that one is to come after.
const maxLater = 4

// A Swap is an experiment: would the execution pass if two operations of it came in the other order, or one had another
// outcome?
type Swap struct {
	control.Swap
	first, second int           // events; second is -1 if the execution ends before
	event         control.Event // the second in the execution that passes, or the first with its other outcome
}

// Swaps returns the experiments with an execution that may show what decides, at most most of them. Each operation,
// the last one first, is to come after one that conflicts with it and came next, and then as late as possible. So the
// first one that passes has the last operation after which the failure could still be averted. left are the tasks that
// have not ended; of many that wait alike, only the first few are tried.
func Swaps(events []control.Event, left []control.TaskState, most int) (all []Swap) {
	if len(events) > maxCompared {
		return nil
	}
	ops, skipped := operationNumbers(events), untried(events, left)
	later := map[int][]int{} // by object: events from the last one on
	for i := len(events) - 1; i >= 0 && len(all) < most; i-- {
		e := events[i]
		if ops[i] < 0 || e.Overtaken || !orders(e.Kind) {
			continue
		}
		for _, o := range objectsOf(e) {
			if next := conflictsAfter(events, i, later[o]); len(next) > 0 && !skipped[e.Task] {
				all = append(all, comesAfter(events, ops, i, next[0]))
			}
			later[o] = append(later[o], i)
		}
		if skipped[e.Task] {
			continue
		}
		for other := 1; other <= maxOutcomes && chooses(e); other++ {
			all = append(all, Swap{control.Swap{Task: e.Task, Op: ops[i], Other: other}, i, -1, control.Event{}})
		}
		all = append(all, Swap{control.Swap{Task: e.Task, Op: ops[i]}, i, -1, control.Event{}})
	}
	return all
}

// FurtherSwaps returns the experiments that Swaps leaves out: those with operations that conflict with nothing, such as the
// beginning of a task, those that keep a task directly after an operation, before the plain code that follows, and those
// with operations that conflict and came later than the next one.
func FurtherSwaps(events []control.Event, left []control.TaskState, most int) (all []Swap) {
	if len(events) > maxCompared {
		return nil
	}
	ops, skipped := operationNumbers(events), untried(events, left)
	later := map[int][]int{} // by object: events from the last one on
	for i, e := range slices.Backward(events) {
		if ops[i] < 0 || e.Overtaken || e.Kind == strategy.End || e.Kind == strategy.Point {
			continue
		}
		if !skipped[e.Task] && e.Kind != strategy.Clock {
			all = append(all, Swap{control.Swap{Task: e.Task, Op: ops[i], After: true}, i, -1, control.Event{}})
			if !orders(e.Kind) {
				all = append(all, Swap{control.Swap{Task: e.Task, Op: ops[i]}, i, -1, control.Event{}})
			}
		}
		for _, o := range objectsOf(e) {
			if next := conflictsAfter(events, i, later[o]); len(next) > 1 && !skipped[e.Task] { // Swaps has the first
				for _, j := range next[1:] {
					all = append(all, comesAfter(events, ops, i, j))
				}
			}
			later[o] = append(later[o], i)
		}
		if len(all) >= most {
			break
		}
	}
	return all
}

// conflictsAfter returns the first few operations of others that conflict with the i-th, before the next one of its task.
// later are those on an object that come after it, the last one first.
func conflictsAfter(events []control.Event, i int, later []int) (all []int) {
	for _, j := range slices.Backward(later) {
		if events[j].Task == events[i].Task || len(all) == maxLater {
			break
		}
		if conflict(events[i], events[j]) {
			all = append(all, j)
		}
	}
	return all
}

// comesAfter returns the experiment that lets the i-th operation come after the j-th.
func comesAfter(events []control.Event, ops []int, i, j int) Swap {
	return Swap{control.Swap{Task: events[i].Task, Op: ops[i], Until: events[j].Task, UntilOp: ops[j]}, i, j, events[j]}
}

// untried returns the tasks of which no operations are tried: all but the first few of many that wait alike.
func untried(events []control.Event, left []control.TaskState) map[string]bool {
	skipped, shown := map[string]bool{}, foremost(events, left)
	for _, t := range left {
		skipped[t.Path] = !shown[t.Path]
	}
	return skipped
}

// operationNumbers returns the number of each operation, and -1 for other events. The operations of the clock are its
// firings.
func operationNumbers(events []control.Event) []int {
	numbers, fired := make([]int, len(events)), 0
	for i, e := range events {
		numbers[i] = e.Op
		if e.Kind == strategy.Clock {
			numbers[i] = fired
			fired++
		}
	}
	return numbers
}

// Nearer returns, of the experiment that lets an operation come as late as possible, and with which the execution
// passes, those that let it come only after one of the operations that came before it: the first ones first. conflicting
// has those with operations that conflict, and all those with all.
func (s *Swap) Nearer(events, passing []control.Event) (conflicting, all []Swap) {
	if s.Until != "" || len(passing) > maxCompared {
		return nil, nil
	}
	return s.nearer(events, identified(events), passing, operationNumbers(passing), events[s.first])
}

// nearer is Nearer. first is the operation as it is in the execution that passes, whose objects may have other numbers.
func (s *Swap) nearer(events []control.Event, here map[identity]int, passing []control.Event, numbers []int, first control.Event) (conflicting, all []Swap) {
	for j, e := range passing {
		if e.Task == s.Task {
			if e.Kind != strategy.Clock && (!s.After && numbers[j] == s.Op || s.After && numbers[j] == s.Op+1) {
				break
			}
			continue
		}
		if numbers[j] < 0 || e.Waits {
			continue
		}
		nearer := Swap{control.Swap{Task: s.Task, Op: s.Op, After: s.After, Until: e.Task, UntilOp: numbers[j]}, s.first, -1, e}
		if i, known := here[identityOf(e)]; known && place(events[i]) == place(e) {
			if i < s.first { // it did before, too
				continue
			}
			nearer.second = i
		}
		if shares(e, first) && conflict(e, first) {
			conflicting = append(conflicting, nearer)
		}
		nearer.Along = true
		all = append(all, nearer)
	}
	return conflicting, all
}

// Flips returns the experiments that let an operation come after one that comes before it in an execution that passes,
// and not before it here: at most most of them, those of the last operation first.
func Flips(events, passing []control.Event, most int) (all []Swap) {
	if len(events) > maxCompared || len(passing) > maxCompared {
		return nil
	}
	type operation struct {
		task string
		op   int
	}
	here, numbers := identified(events), operationNumbers(passing)
	there := map[operation]int{} // events of the passing one, of an operation that waits the first
	for j, e := range slices.Backward(passing) {
		there[operation{e.Task, numbers[j]}] = j
	}
	done := map[operation]bool{}
	for i, op := range slices.Backward(operationNumbers(events)) {
		e, id := events[i], operation{events[i].Task, op}
		j, found := there[id]
		if op < 0 || !found || done[id] || e.Overtaken || !orders(e.Kind) || place(e) != place(passing[j]) {
			continue
		}
		done[id] = true
		s := Swap{Swap: control.Swap{Task: e.Task, Op: op}, first: i}
		conflicting, _ := s.nearer(events, here, passing[:j], numbers, passing[j])
		if all = append(all, conflicting...); len(all) >= most {
			return all[:most]
		}
	}
	return all
}

// shares reports whether two operations share an object.
func shares(a, b control.Event) bool {
	return slices.ContainsFunc(objectsOf(a), func(o int) bool { return slices.Contains(objectsOf(b), o) })
}
