package explain

import (
	"runtime"
	"slices"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// stands is a task that is left, in code of the user or of the standard library.
func stands(path string, kind strategy.Kind, object int, standard bool) control.TaskState {
	return control.TaskState{
		Path: path, Kind: kind, Waits: "waits", Object: object, Since: 9, Standard: standard,
		Stack: []runtime.Frame{{Function: "example.com/queue.Get", File: "/src/queue/queue.go", Line: 7}},
	}
}

// Catches: an explanation of an idle task instead of one that the test waits for; a chain that ends too early, or in a task
// that waits for another; a cycle that is not found; and a guess where it is known what is waited for.
func TestChain(t *testing.T) {
	call := func(task string, kind strategy.Kind, what string, object int) control.Event {
		return did(1, task, kind, what, object, 7)
	}
	begin := func(task string, source int) control.Event {
		e := did(1, task, strategy.Begin, "", 0, 0)
		e.Source = source
		return e
	}
	const wait, lock, receive, send = strategy.Wait, strategy.Lock, strategy.Receive, strategy.Send
	for name, test := range map[string]struct {
		events []control.Event
		left   []control.TaskState
		first  []string
		ends   int
	}{
		"from a WaitGroup over a lock to a channel": {
			[]control.Event{
				call("main", strategy.Signal, "sync.(*WaitGroup).Go", 1), begin("main/1", 1), call("main/2", lock, "sync.(*Mutex).Lock", 2), call("main/0", receive, "", 9),
			},
			[]control.TaskState{stands("main/0", receive, 9, true), stands("main", wait, 1, false), stands("main/1", lock, 2, false), stands("main/2", receive, 3, false)},
			[]string{"main/2", "main", "main/1", "main/0"}, 1,
		},
		"a cycle": {
			[]control.Event{
				call("main/0", lock, "sync.(*Mutex).Lock", 1), call("main/1", lock, "sync.(*Mutex).Lock", 2), call("main/0", send, "", 5),
			},
			[]control.TaskState{stands("main/2", receive, 9, false), stands("main", receive, 5, false), stands("main/0", lock, 2, false), stands("main/1", lock, 1, false)},
			[]string{"main/0", "main/1", "main", "main/2"}, 2,
		},
		"a channel that nobody has used": {
			[]control.Event{call("main/0", receive, "", 9)},
			[]control.TaskState{stands("main/0", receive, 9, false), stands("main", receive, 5, false)},
			[]string{"main", "main/0"}, 1,
		},
		"children that a WaitGroup without Go may wait for": {
			[]control.Event{call("main", strategy.Signal, "sync.(*WaitGroup).Add", 1)},
			[]control.TaskState{stands("main", wait, 1, false), stands("main/0", receive, 9, true), stands("main/1", receive, 3, false)},
			[]string{"main/1", "main", "main/0"}, 1,
		},
		"left by a test that has ended": {
			nil, []control.TaskState{stands("main/0", receive, 9, true), stands("main/1", receive, 3, false)}, []string{"main/1", "main/0"}, 1,
		},
		"a select": {
			[]control.Event{call("main/1", send, "", 4)},
			[]control.TaskState{
				func() control.TaskState {
					s := stands("main", strategy.Select, 3, false)
					s.Cases = []control.ChannelCase{{Object: 3}, {Object: 4}}
					return s
				}(), stands("main/0", receive, 9, false), stands("main/1", receive, 8, false),
			},
			[]string{"main/1", "main", "main/0"}, 1,
		},
	} {
		c := partnersIn(test.events, &control.Result{Tasks: test.left}).chainOf(test.left)
		var got []string
		for _, s := range c.first(test.left) {
			got = append(got, s.Path)
		}
		if !slices.Equal(got, test.first) || len(c.ends) != test.ends {
			t.Errorf("%s: %v, of which %v are ends; want %v, and %d ends", name, got, c.ends, test.first, test.ends)
		}
	}
}

// Catches: a wait for a lock that begins when the task has come to it, though it was free then, or with a later owner.
func TestBlockedSince(t *testing.T) {
	lock := func(step int, task string, kind strategy.Kind) control.Event { return did(step, task, kind, "", 1, 7) }
	for name, test := range map[string]struct {
		kind   strategy.Kind
		events []control.Event
		want   int
	}{
		"free, and then taken":            {strategy.Lock, []control.Event{lock(8, "a", strategy.Lock), lock(9, "a", strategy.Unlock), lock(12, "b", strategy.Lock)}, 12},
		"taken before":                    {strategy.Lock, []control.Event{lock(8, "a", strategy.Lock)}, 10},
		"given up, and taken by another":  {strategy.Lock, []control.Event{lock(8, "a", strategy.Lock), lock(12, "a", strategy.Unlock), lock(13, "b", strategy.Lock)}, 13},
		"for a reader, taken by another":  {strategy.RLock, []control.Event{lock(8, "a", strategy.RLock), lock(12, "b", strategy.RLock)}, 10},
		"for a reader, taken by a writer": {strategy.RLock, []control.Event{lock(8, "a", strategy.RLock), lock(9, "a", strategy.RUnlock), lock(14, "b", strategy.Lock)}, 14},
		"for a writer, taken by readers":  {strategy.Lock, []control.Event{lock(11, "a", strategy.RLock), lock(12, "b", strategy.RLock)}, 11},
		"of something else":               {strategy.Receive, []control.Event{lock(12, "b", strategy.Lock)}, 10},
	} {
		s := stands("main", test.kind, 1, false)
		s.Since = 10
		left := []control.TaskState{s}
		if BlockedSince(test.events, left); left[0].Since != test.want {
			t.Errorf("%s: since %d, want %d", name, left[0].Since, test.want)
		}
	}
}
