package explain

import (
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
	if got := swaps(Swaps(events, 10)); !slices.Equal(got, all) {
		t.Errorf("%v, want %v", got, all)
	}
	if got := Swaps(events, 2); len(got) != 2 {
		t.Errorf("%d experiments, want 2", len(got))
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
