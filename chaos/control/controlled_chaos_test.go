//go:build chaos

package control

import (
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
)

// Catches: code that would block in earnest under control, or in a model without.
func TestControlledIsWhoeverTheEngineRuns(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		e := start(t, Options{Switch: how})
		if hooks.Controlled() {
			t.Error("the engine is controlled before it runs")
		}
		var root, task bool
		outside := true
		r, _ := e.Run(0, func() {
			root = hooks.Controlled()
			tasks(func() { task = hooks.Controlled() })
		})
		if r.Verdict != verdict.Pass || !root || !task {
			t.Errorf("%s; controlled: root %t, task %t", r.Verdict, root, task)
		}
		r, _ = e.Run(1, func() {
			over := make(chan bool)
			go func() { over <- hooks.Controlled() }()
			outside = <-over
		})
		if r.Verdict != verdict.Uncontrolled || outside {
			t.Errorf("%s; a goroutine that is no task is controlled: %t", r.Verdict, outside)
		}
		if hooks.Controlled() {
			t.Error("the test is controlled when all is over")
		}
	})
}
