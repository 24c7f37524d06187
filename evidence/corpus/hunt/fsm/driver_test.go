package example

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/looplab/fsm"
)

// Each state is entered once.
func TestEnterEachState(t *testing.T) {
	var a, b atomic.Int32
	f := fsm.NewFSM("new", fsm.Events{{Name: "start", Src: []string{"new"}, Dst: "a"}, {Name: "next", Src: []string{"a"}, Dst: "b"}}, fsm.Callbacks{
		"enter_a": func(context.Context, *fsm.Event) { a.Add(1) },
		"enter_b": func(context.Context, *fsm.Event) { b.Add(1) },
	})
	var wg sync.WaitGroup
	wg.Go(func() { f.Event(t.Context(), "start") })
	for f.Event(t.Context(), "next") != nil {
		runtime.Gosched()
	}
	wg.Wait()
	if a.Load() != 1 || b.Load() != 1 {
		t.Errorf("enter_a was called %d times, enter_b %d times", a.Load(), b.Load())
	}
}
