//go:build chaos

package control

import (
	"testing"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
)

var tracedPoint = hooks.Declare("control-test/traced", "between two loads", hooks.Disturbs)

// A trace has the operations, by number, and the hook points that were passed between
// them; looking changes nothing.
func TestTraceHasHookPoints(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		e := start(t, Options{Switch: how})
		body := func() {
			var x atomic.Int64
			x.Load()
			hooks.At(tracedPoint)
			x.Store(1)
		}
		r, _ := e.Run(1, body)
		traced, events := e.Trace(r.Schedule.Clone(), body)
		if traced.Hash != r.Hash || traced.Steps != r.Steps {
			t.Errorf("traced: %d steps, %016x; untraced: %d, %016x", traced.Steps, traced.Hash, r.Steps, r.Hash)
		}
		want := []struct {
			kind  strategy.Kind
			point string
			op    int
		}{{strategy.Begin, "", 0}, {strategy.Load, "atomic/load", 1}, {strategy.Point, "control-test/traced", -1}, {strategy.Store, "atomic/store", 2}, {strategy.End, "", 3}}
		if len(events) != len(want) {
			t.Fatalf("%d events: %+v", len(events), events)
		}
		for i, w := range want {
			if e := events[i]; e.Kind != w.kind || w.point != "" && e.Point != w.point || e.Op != w.op {
				t.Errorf("event %d: %+v, want %+v", i, e, w)
			}
		}
		if again, _ := e.Run(1, body); again.Hash != r.Hash {
			t.Error("the trace was left on")
		}
	})
}
