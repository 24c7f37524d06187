package explain

import (
	"slices"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// A Swap is an experiment: would the execution pass if two operations of it came in the other order?
type Swap struct {
	control.Swap
	first, second int // events; second is -1 if the execution ends before
	event         control.Event
}

// Swaps returns the experiments with an execution that may show what decides, at most most of them. Each operation,
// the last one first, is to come after one that conflicts with it and came next, and then as late as possible. So the
// first one that passes has the last operation after which the failure could still be averted. left are the tasks that
// have not ended; of many that wait alike, only the first few are tried.
func Swaps(events []control.Event, left []control.TaskState, most int) (all []Swap) {
	if len(events) > maxCompared {
		return nil
	}
	ops, skipped := operationNumbers(events), map[string]bool{}
	shown := foremost(events, left)
	for _, t := range left {
		skipped[t.Path] = !shown[t.Path]
	}
	later := map[int][]int{} // by object: events from the last one on
	for i := len(events) - 1; i >= 0 && len(all) < most; i-- {
		e := events[i]
		if ops[i] < 0 || e.Overtaken || !orders(e.Kind) {
			continue
		}
		for _, o := range objectsOf(e) {
			for _, j := range slices.Backward(later[o]) {
				other := events[j]
				if other.Task == e.Task || skipped[e.Task] {
					break
				}
				if conflict(e, other) {
					all = append(all, Swap{control.Swap{Task: e.Task, Op: ops[i], Until: other.Task, UntilOp: ops[j]}, i, j, other})
					break
				}
			}
			later[o] = append(later[o], i)
		}
		if !skipped[e.Task] {
			all = append(all, Swap{control.Swap{Task: e.Task, Op: ops[i]}, i, -1, control.Event{}})
		}
	}
	return all
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
// passes, those that let it come only after one of the operations that came before it: the first ones first.
func (s *Swap) Nearer(events, passing []control.Event) (all []Swap) {
	if s.Until != "" || len(passing) > maxCompared {
		return nil
	}
	return s.nearer(events, identified(events), passing, operationNumbers(passing), events[s.first])
}

// nearer is Nearer. first is the operation as it is in the execution that passes, whose objects may have other numbers.
func (s *Swap) nearer(events []control.Event, here map[identity]int, passing []control.Event, numbers []int, first control.Event) (all []Swap) {
	for j, e := range passing {
		if e.Task == s.Task {
			if numbers[j] == s.Op && e.Kind != strategy.Clock {
				break
			}
			continue
		}
		if numbers[j] < 0 || e.Waits || !shares(e, first) || !conflict(e, first) {
			continue
		}
		nearer := Swap{control.Swap{Task: s.Task, Op: s.Op, Until: e.Task, UntilOp: numbers[j]}, s.first, -1, e}
		if i, known := here[identity{task: e.Task, op: e.Op}]; known && place(events[i]) == place(e) {
			if i < s.first { // it did before, too
				continue
			}
			nearer.second = i
		}
		all = append(all, nearer)
	}
	return all
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
		if all = append(all, s.nearer(events, here, passing[:j], numbers, passing[j])...); len(all) >= most {
			return all[:most]
		}
	}
	return all
}

// shares reports whether two operations share an object.
func shares(a, b control.Event) bool {
	return slices.ContainsFunc(objectsOf(a), func(o int) bool { return slices.Contains(objectsOf(b), o) })
}
