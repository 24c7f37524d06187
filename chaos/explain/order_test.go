package explain

import (
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
		want    string
		cited   []int
	}{
		"a check before a store": {
			numbered(load("a", 1), store("b", 2), load("a", 3)),
			[][]control.Event{numbered(store("b", 2), load("a", 1), load("a", 3))},
			"a's atomic/load [1] at queue.go:1 comes before b's atomic/store [1] at queue.go:2; the other way round it passes", []int{0, 1},
		},
		"the nearest, and what follows": {
			numbered(load("a", 1), store("b", 2), store("c", 3), load("a", 4)),
			[][]control.Event{
				numbered(store("b", 2), store("c", 3), load("a", 1), load("a", 4)),
				numbered(load("a", 1), store("b", 2), load("a", 4), store("c", 3)),
			},
			"c's atomic/store [1] at queue.go:3 comes before a's atomic/load [1] at queue.go:4; the other way round it passes", []int{2, 3},
		},
		"several pairs, of which the closest that is over first": {
			numbered(load("a", 1), load("a", 2), store("b", 3)),
			[][]control.Event{numbered(store("b", 3), load("a", 1), load("a", 2))},
			"a's atomic/load [1] at queue.go:2 comes before b's atomic/store [1] at queue.go:3; the other way round, with what follows from it, it passes", []int{1, 2},
		},
		"a lock that is never had": {
			numbered(lock("a", 1, 1), lock("b", 2, 2), waits(lock("a", 2, 3)), waits(lock("b", 1, 4))),
			[][]control.Event{numbered(lock("a", 1, 1), lock("a", 2, 3), unlock("a", 2, 5), unlock("a", 1, 5), lock("b", 2, 2), lock("b", 1, 4))},
			"b's sync/mutex-lock [2] at queue.go:2 comes before a's sync/mutex-lock [2] at queue.go:3; the other way round it passes", []int{1, 2},
		},
		"reads are in no order": {
			numbered(load("a", 1), load("b", 2)),
			[][]control.Event{numbered(load("b", 2), load("a", 1))}, "", nil,
		},
		"nor are other places": {
			numbered(load("a", 1), store("b", 2)),
			[][]control.Event{numbered(store("b", 2), load("a", 9))}, "", nil,
		},
		"a case": {
			numbered(takes("a", "takes case 0")),
			[][]control.Event{numbered(takes("a", "takes case 1"))},
			"a's channel/select [2] at queue.go:30 (takes case 0); with takes case 1 it passes", []int{0},
		},
		"a timer": {
			numbered(load("a", 1), timer, store("a", 2)),
			[][]control.Event{numbered(load("a", 1), store("a", 2), timer)},
			"the timer armed by main at queue.go:40 fires before a's atomic/store at queue.go:2; later, or not at all, it passes", []int{1},
		},
		"none that passes": {numbered(load("a", 1), store("b", 2)), nil, "", nil},
	} {
		line, cited := Order(test.failing, test.passing...)
		if line != test.want || !slices.Equal(cited, test.cited) {
			t.Errorf("%s: %q, citing %v\nwant %q, citing %v", name, line, cited, test.want, test.cited)
		}
	}
}
