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

func TestApartOrder(t *testing.T) {
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
	const another = "for another reason than an order: no two operations come in another one in the execution that passes"
	timer := control.Event{Task: "clock", Kind: strategy.Clock, Outcome: "armed by main", Site: load("", 40).Site}
	for name, test := range map[string]struct {
		failing []control.Event
		passing []control.Event
		fails   string
		passes  string
		cited   []int
	}{
		"a check before a store": {
			numbered(load("a", 1), store("b", 2), load("a", 3)),
			numbered(store("b", 2), load("a", 1), load("a", 3)),
			"if a's atomic/load [1] at queue.go:1 comes before b's atomic/store [1] at queue.go:2", "if b's atomic/store [1] at queue.go:2 comes first, as in the execution that passes", []int{0, 1},
		},
		"several pairs, of which the closest that is over first": {
			numbered(load("a", 1), load("a", 2), store("b", 3)),
			numbered(store("b", 3), load("a", 1), load("a", 2)),
			"if a's atomic/load [1] at queue.go:2 comes before b's atomic/store [1] at queue.go:3", "if b's atomic/store [1] at queue.go:3 comes first, as in the execution that passes", []int{1, 2},
		},
		"a lock that is never had": {
			numbered(lock("a", 1, 1), lock("b", 2, 2), waits(lock("a", 2, 3)), waits(lock("b", 1, 4))),
			numbered(lock("a", 1, 1), lock("a", 2, 3), unlock("a", 2, 5), unlock("a", 1, 5), lock("b", 2, 2), lock("b", 1, 4)),
			"if b's sync/mutex-lock [2] at queue.go:2 comes before a's sync/mutex-lock [2] at queue.go:3", "if a's sync/mutex-lock [2] at queue.go:3 comes first, as in the execution that passes", []int{1, 2},
		},
		"reads are in no order": {
			numbered(load("a", 1), load("b", 2)),
			numbered(load("b", 2), load("a", 1)), another, "", nil,
		},
		"nor are other places": {
			numbered(load("a", 1), store("b", 2)),
			numbered(store("b", 2), load("a", 9)), another, "", nil,
		},
		"a case": {
			numbered(takes("a", "takes case 0")),
			numbered(takes("a", "takes case 1")),
			"with a's channel/select [2] at queue.go:30: takes case 0", "with takes case 1 there, as in the execution that passes", []int{0},
		},
		"a timer": {
			numbered(load("a", 1), timer, store("a", 2)),
			numbered(load("a", 1), store("a", 2), timer),
			"if the timer armed by main at queue.go:40 fires before a's atomic/store at queue.go:2", "if it fires later, or not at all, as in the execution that passes", []int{1},
		},
	} {
		got, want := Apart(test.failing, test.passing, 0), Difference{Fails: test.fails, Passes: test.passes, Cited: test.cited}
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
	nearer, every := (&Swap{control.Swap{Task: "b"}, 1, -1, control.Event{}}).Nearer(events, passing)
	if got, want := swaps(nearer), []control.Swap{{Task: "b", Until: "a", UntilOp: 1}, {Task: "b", Until: "d"}}; !slices.Equal(got, want) {
		t.Errorf("nearer: %v, want %v", got, want)
	}
	if got, want := swaps(every), []control.Swap{{Task: "b", Until: "a", UntilOp: 1, Along: true}, {Task: "b", Until: "c", Along: true}, {Task: "b", Until: "d", Along: true}}; !slices.Equal(got, want) {
		t.Errorf("nearer, of all: %v, want %v", got, want)
	}
	seen, ok := nearer[1].Seen(events, passing)
	d := seen.Claim(events, Figures{With: 10, Fails: 9, Without: 8, Passes: 7})
	want := Difference{
		Fails:  "if b's atomic/load [1] at queue.go:1 comes before d's atomic/store [1] at queue.go:2 (9 of 10 executions)",
		Passes: "if d's atomic/store [1] at queue.go:2 comes first (7 of 8)", Cited: []int{1}, Decides: true,
	}
	if !ok || !reflect.DeepEqual(d, want) {
		t.Errorf("an operation that never comes: %+v, want %+v", d, want)
	}
	passing[4].Site.Line++ // the operation is at another place there
	if _, ok := nearer[1].Seen(events, passing); ok {
		t.Error("a claim about an operation that the passing execution does not have")
	}
	passing[4].Site.Line--
	passing[3].Site.Line++
	if _, ok := nearer[1].Seen(events, passing); ok {
		t.Error("a claim about another operation that the passing execution does not have")
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

// Catches: a claim about a test, a library, or the standard library that is preferred to one about the code.
func TestRank(t *testing.T) {
	in := func(file string, e control.Event) control.Event { e.Site.File = file; return e }
	load := did(1, "main", strategy.Load, "atomic.(*Bool).Load", 1, 7)
	standard := in("/usr/lib/go/src/context/context.go", load)
	standard.Standard = true
	last := -1
	for i, e := range []control.Event{
		load, did(1, "main", strategy.Wait, "sync.(*WaitGroup).Wait", 1, 7), in("/src/queue/queue_test.go", load),
		in("/src/queue/queue_test.go", did(1, "main", strategy.Begin, "", 0, 7)), in("/root/go/pkg/mod/example.com/lib@v1.2.3/lib.go", load), standard,
	} {
		first := Swap{first: 0, second: -1, event: load}
		second := Swap{first: 0, second: -1, event: e}
		rank, same := first.Rank([]control.Event{e}), second.Rank([]control.Event{load})
		if rank <= last || same != rank || first.FirstRank([]control.Event{e}) != rank {
			t.Errorf("event %d has rank %d, and %d as the second one, after %d", i, rank, same, last)
		}
		last = rank
	}
}

// TestSteps: an operation that its task repeats at the same line is named with its step, and no other.
func TestSteps(t *testing.T) {
	at := func(step int, task string, kind strategy.Kind, line int) control.Event {
		e := did(step, task, kind, "", 1, line)
		e.Op = step
		return e
	}
	failing := joined(at(1, "a", strategy.Load, 5), at(2, "b", strategy.Store, 7), at(3, "a", strategy.Load, 5), at(4, "b", strategy.Receive, 8))
	waits := failing[3]
	waits.Waits, waits.Op = true, -1
	w := wait{events: append(failing, waits)}
	for i, want := range []string{
		"a's load [1] at queue.go:5 (step 1)", "b's store [1] at queue.go:7", "a's load [1] at queue.go:5 (step 3)",
		"b's receive [1] at queue.go:8", "b's receive [1] at queue.go:8",
	} {
		if got := w.describe(i); got != want {
			t.Errorf("event %d is %q, want %q", i, got, want)
		}
	}
}
