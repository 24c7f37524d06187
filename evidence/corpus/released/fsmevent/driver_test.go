package example

import (
	"context"
	"sync"
	"testing"

	"github.com/looplab/fsm"
)

// Two events at the same time, of which neither is asynchronous.
func TestEvents(t *testing.T) {
	machine := fsm.NewFSM("a", fsm.Events{
		{Name: "go", Src: []string{"a"}, Dst: "b"},
		{Name: "go", Src: []string{"b"}, Dst: "a"},
	}, fsm.Callbacks{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if err := machine.Event(context.Background(), "go"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}
