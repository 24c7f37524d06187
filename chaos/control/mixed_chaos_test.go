//go:build chaos

package control_test

import (
	"testing"
	realtime "time"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/time"
)

// Catches: a mixed clock under which timers never fire early, or too often, or whose schedules do not
// repeat with a clock where they were found without one.
func TestMixedClock(t *testing.T) {
	for _, name := range []string{"random", "pct", "pos", "surw"} { // an exhaustive one has no racy executions
		s, err := strategy.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		e, err := control.New(control.Options{Strategy: s, Clock: control.Mixed})
		if err != nil {
			t.Fatal(err)
		}
		body := func() {
			var x, y atomic.Int32
			go hooks.Task(func() {
				time.Sleep(realtime.Second)
				x.Add(1)
			})()
			for range 5 {
				hooks.Gosched()
				y.Add(1)
			}
			time.Sleep(realtime.Second)
			x.Load()
		}
		const executions = 200
		racy := 0
		for seed := range uint64(executions) {
			r, _ := e.Run(seed, body)
			if r.Early > 0 {
				racy++
			}
			schedule := r.Schedule.Clone()
			if again, unused := e.Repeat(schedule, body); again.Hash != r.Hash || unused.Len() > 0 {
				t.Errorf("%s, seed %d: %x, repeated %x, %d decisions did not apply", name, seed, r.Hash, again.Hash, unused.Len())
			}
		}
		if racy < executions/8 || racy > executions/2 {
			t.Errorf("%s: timers fired early in %d of %d executions", name, racy, executions)
		}
		e.Close()
	}
}
