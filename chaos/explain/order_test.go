package explain

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// numbered gives the operations of each task their numbers.
func numbered(events ...control.Event) []control.Event {
	ops := map[string]int{}
	for i := range events {
		e := &events[i]
		if e.Kind == strategy.Clock || e.Kind == strategy.Begin {
			e.Op = -1
			continue
		}
		e.Op = ops[e.Task]
		if !e.Waits { // else it is done later
			ops[e.Task]++
		}
	}
	return events
}

func TestOrder(t *testing.T) {
	load := func(task string, line int) control.Event { return event(task, strategy.Load, "atomic/load", 1, line) }
	store := func(task string, line int) control.Event { return event(task, strategy.Store, "atomic/store", 1, line) }
	lock := func(task string, object, line int) control.Event {
		return event(task, strategy.Lock, "sync/mutex-lock", object, line)
	}
	unlock := func(task string, object, line int) control.Event {
		return event(task, strategy.Unlock, "sync/mutex-unlock", object, line)
	}
	waits := func(e control.Event) control.Event { e.Waits = true; return e }
	takes := func(task, outcome string) control.Event {
		e := event(task, strategy.Select, "channel/select", 2, 30)
		e.Outcome = outcome
		return e
	}
	timer := control.Event{Task: "clock", Kind: strategy.Clock, Outcome: "armed by main", Site: load("", 40).Site}
	for name, test := range map[string]struct {
		failing []control.Event
		passing [][]control.Event
		fails   string
		passes  string
		cited   []int
	}{
		"a check before a store": {
			numbered(load("a", 1), store("b", 2), load("a", 3)),
			[][]control.Event{numbered(store("b", 2), load("a", 1), load("a", 3))},
			"if a's atomic/load [1] at queue.go:1 comes before b's atomic/store [1] at queue.go:2", "if b's atomic/store [1] at queue.go:2 comes first", []int{0, 1},
		},
		"the nearest, and what follows": {
			numbered(load("a", 1), store("b", 2), store("c", 3), load("a", 4)),
			[][]control.Event{
				numbered(store("b", 2), store("c", 3), load("a", 1), load("a", 4)),
				numbered(load("a", 1), store("b", 2), load("a", 4), store("c", 3)),
			},
			"if c's atomic/store [1] at queue.go:3 comes before a's atomic/load [1] at queue.go:4", "if a's atomic/load [1] at queue.go:4 comes first", []int{2, 3},
		},
		"several pairs, of which the closest that is over first": {
			numbered(load("a", 1), load("a", 2), store("b", 3)),
			[][]control.Event{numbered(store("b", 3), load("a", 1), load("a", 2))},
			"if a's atomic/load [1] at queue.go:2 comes before b's atomic/store [1] at queue.go:3", "if b's atomic/store [1] at queue.go:3 comes first, and with it what follows from that", []int{1, 2},
		},
		"a lock that is never had": {
			numbered(lock("a", 1, 1), lock("b", 2, 2), waits(lock("a", 2, 3)), waits(lock("b", 1, 4))),
			[][]control.Event{numbered(lock("a", 1, 1), lock("a", 2, 3), unlock("a", 2, 5), unlock("a", 1, 5), lock("b", 2, 2), lock("b", 1, 4))},
			"if b's sync/mutex-lock [2] at queue.go:2 comes before a's sync/mutex-lock [2] at queue.go:3", "if a's sync/mutex-lock [2] at queue.go:3 comes first", []int{1, 2},
		},
		"reads are in no order": {
			numbered(load("a", 1), load("b", 2)),
			[][]control.Event{numbered(load("b", 2), load("a", 1))}, "", "", nil,
		},
		"nor are other places": {
			numbered(load("a", 1), store("b", 2)),
			[][]control.Event{numbered(store("b", 2), load("a", 9))}, "", "", nil,
		},
		"a case": {
			numbered(takes("a", "takes case 0")),
			[][]control.Event{numbered(takes("a", "takes case 1"))},
			"with a's channel/select [2] at queue.go:30: takes case 0", "with takes case 1 there", []int{0},
		},
		"a timer": {
			numbered(load("a", 1), timer, store("a", 2)),
			[][]control.Event{numbered(load("a", 1), store("a", 2), timer)},
			"if the timer armed by main at queue.go:40 fires before a's atomic/store at queue.go:2", "if it fires later, or not at all", []int{1},
		},
		"none that passes": {numbered(load("a", 1), store("b", 2)), nil, "", "", nil},
	} {
		var passing []Passing
		for _, events := range test.passing {
			passing = append(passing, Passing{Events: events})
		}
		got, want := Order(test.failing, passing...), Difference{test.fails, test.passes, test.cited}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v\nwant %+v", name, got, want)
		}
	}
}

// Catches: an experiment that is missing, or one with operations that commute or are of one task, and another order of
// them.
func TestSwaps(t *testing.T) {
	load := func(task string) control.Event { return event(task, strategy.Load, "atomic/load", 1, 1) }
	store := func(task string) control.Event { return event(task, strategy.Store, "atomic/store", 1, 2) }
	events := numbered(load("a"), load("b"), store("a"), load("c"), event("c", strategy.Yield, "", 0, 3))
	events = append(events, control.Event{Task: "clock", Kind: strategy.Clock, Op: -1})
	swaps := func(all []Swap) (s []control.Swap) {
		for _, e := range all {
			s = append(s, e.Swap)
		}
		return s
	}
	all := []control.Swap{{Task: "clock"}, {Task: "c"}, {Task: "a", Op: 1, Until: "c"}, {Task: "a", Op: 1}, {Task: "b", Until: "a", UntilOp: 1}, {Task: "b"}, {Task: "a"}}
	if got := swaps(Swaps(events, nil, 10)); !slices.Equal(got, all) {
		t.Errorf("%v, want %v", got, all)
	}
	if got := Swaps(events, nil, 2); len(got) != 2 {
		t.Errorf("%d experiments, want 2", len(got))
	}
	var left []control.TaskState
	for i := range control.MostNamed + 1 { // a is the first, and b, c the last of many that wait alike
		left = append(left, control.TaskState{Path: fmt.Sprint(i), Waits: "waits"})
	}
	left[0].Path, left[control.FewNamed].Path, left[control.MostNamed].Path = "a", "b", "c"
	if got, want := swaps(Swaps(events, left, 10)), []control.Swap{all[0], all[2], all[3], all[6]}; !slices.Equal(got, want) {
		t.Errorf("of many that wait alike: %v, want %v", got, want)
	}
	passing := numbered(load("a"), store("a"), load("c"), store("d"), load("b"))
	nearer := (&Swap{control.Swap{Task: "b"}, 1, -1, control.Event{}}).Nearer(events, passing)
	if got, want := swaps(nearer), []control.Swap{{Task: "b", Until: "a", UntilOp: 1}, {Task: "b", Until: "d"}}; !slices.Equal(got, want) {
		t.Errorf("nearer: %v, want %v", got, want)
	}
	d := Order(events, Passing{passing, &nearer[1]})
	if want := "if b's atomic/load [1] at queue.go:1 comes before d's atomic/store [1] at queue.go:2"; d.Fails != want || !slices.Equal(d.Cited, []int{1}) {
		t.Errorf("an operation that never comes: %+v, want %s", d, want)
	}
}

// Catches: pairs that come in the same order in both executions, or that are taken for others because their objects have other
// numbers there; experiments with the first operations before those with the last; and no word that a flip is not enough.
func TestApart(t *testing.T) {
	load := func(task string, object, line int) control.Event {
		return event(task, strategy.Load, "atomic/load", object, line)
	}
	store := func(task string, object, line int) control.Event {
		return event(task, strategy.Store, "atomic/store", object, line)
	}
	failing := numbered(load("a", 1, 1), store("b", 1, 2), load("a", 2, 3), store("b", 2, 4))
	passing := numbered(store("b", 2, 2), load("a", 2, 1), store("b", 1, 4), load("a", 1, 3))
	var swaps []control.Swap
	for _, s := range Flips(failing, passing, 10) {
		swaps = append(swaps, s.Swap)
	}
	want := []control.Swap{{Task: "a", Op: 1, Until: "b", UntilOp: 1}, {Task: "a", Op: 0, Until: "b", UntilOp: 0}}
	if !slices.Equal(swaps, want) {
		t.Errorf("experiments %+v, want %+v", swaps, want)
	}
	if most := Flips(failing, passing, 1); len(most) != 1 {
		t.Errorf("%d experiments, want 1", len(most))
	}
	if same := Flips(failing, failing, 10); len(same) > 0 {
		t.Errorf("of the same execution: %+v", same)
	}
	const fails, passes = "if a's atomic/load [1] at queue.go:1 comes before b's atomic/store [1] at queue.go:2", "if b's atomic/store [1] at queue.go:2 comes first"
	for tried, more := range map[int]string{
		0: ", as in the execution that passes",
		1: " and the rest is as in the execution that passes: one flip is not enough",
		2: " and the rest is as in the execution that passes: one flip is not enough, for each of 2 tried",
	} {
		if d := Apart(failing, passing, tried); d.Fails != fails || d.Passes != passes+more || !slices.Equal(d.Cited, []int{0, 1}) {
			t.Errorf("%d tried: %+v", tried, d)
		}
	}
	if d := Apart(failing, failing, 0); d.Passes != "" || d.Fails != "for another reason than an order: no two operations come in another one in the execution that passes" {
		t.Errorf("of the same execution: %+v", d)
	}
}
