package real_test

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// Catches: an execution that stops before another step than the one asked for, on another task, twice, or not
// at all; that is another one because it stops; and one that stops without being asked, as the next does.
func TestStopsOfRuntime(t *testing.T) {
	f, e := newFake(t, control.Options{Strategy: strategy.Random()})
	body := func() {
		x := new(int32)
		for range 2 {
			f.Go(func() {
				for range 3 {
					f.point(strategy.Store, unsafe.Pointer(x))
				}
			})
		}
		f.load(x)
	}
	r, _ := e.Run(3, body)
	schedule := r.Schedule.Clone()
	r, events := e.Trace(schedule, body)
	events = slices.Clone(events)
	for step := 1; step <= r.Steps+1; step++ {
		traps := 0
		was := core.Trap
		core.Trap = func() { traps++ }
		task := ""
		f.stopped = nil
		e.StopAt(step, func(title string) { task += title })
		stopped, _ := e.Repeat(schedule, body)
		e.Repeat(schedule, body)
		core.Trap = was
		if stopped.Hash != r.Hash || stopped.Steps != r.Steps {
			t.Fatalf("step %d: %d steps, %016x, and without a stop %d, %016x", step, stopped.Steps, stopped.Hash, r.Steps, r.Hash)
		}
		want := ""
		if i := slices.IndexFunc(events, func(e control.Event) bool { return e.Number == step }); i >= 0 {
			want = control.Title(events[i].Task, events[i].Name)
		}
		if stops := traps + len(f.stopped); task != want || (stops == 1) != (want != "") || stops > 1 {
			t.Errorf("step %d: stopped %d times, of task %q, want %q", step, stops, task, want)
		}
	}
}
