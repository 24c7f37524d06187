package example

import (
	"context"
	"testing"

	"github.com/looplab/fsm"
)

// The state is set while a callback of an event reads it.
func TestSetStateBesideEvent(t *testing.T) {
	f := fsm.NewFSM("closed", fsm.Events{{Name: "open", Src: []string{"closed"}, Dst: "open"}}, fsm.Callbacks{
		"before_open": func(_ context.Context, e *fsm.Event) { e.FSM.Current() },
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		f.SetState("closed")
	}()
	f.Event(context.Background(), "open")
	<-done
}
