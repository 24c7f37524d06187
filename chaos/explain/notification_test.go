package explain

import (
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// Catches: "nothing was received" of a channel from which something was, by a task that did not wait, or that
// waited and has continued; and a task that still waits taken for one that has communicated.
func TestLastPartner(t *testing.T) {
	const ch = 2
	waits := func(e control.Event) control.Event { e.Waits = true; return e }
	begun := did(1, "main", strategy.Send, "send", ch, 20)
	received := did(2, "main/0", strategy.Receive, "receive", ch, 30)
	parked := waits(did(2, "main/0", strategy.Receive, "receive", ch, 30))
	other := did(4, "main/0", strategy.Lock, "sync.(*Mutex).Lock", 3, 31)
	sends := waits(did(5, "main", strategy.Send, "send", ch, 20))
	task := control.TaskState{Path: "main", Kind: strategy.Send, Object: ch}
	receiver := control.TaskState{Path: "main/0", Kind: strategy.Receive, Object: ch}
	for _, c := range []struct {
		name   string
		task   control.TaskState
		events []control.Event
		want   string
	}{
		{"received", task, []control.Event{begun, received, sends}, "main/0's receive [2] at queue.go:30 was the last"},
		{"continued", task, []control.Event{parked, begun, other, sends}, "main/0's receive [2] at queue.go:30 was the last"},
		{"never", task, []control.Event{begun, sends}, "nothing was received from it"},
		{"sent", receiver, []control.Event{begun, received, parked}, "main's send [2] at queue.go:20 was the last"},
		{"still waits", receiver, []control.Event{waits(begun), parked}, "nothing was sent to it, and it was not closed"},
	} {
		if why := Explain(c.events, []control.TaskState{c.task}, nil, ""); why.Notification != c.want {
			t.Errorf("%s: %q, want %q", c.name, why.Notification, c.want)
		}
	}
}
