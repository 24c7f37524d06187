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
			over := make(chan bool)
			go func() { over <- hooks.Controlled() }()
			outside = <-over
		})
		if r.Verdict != verdict.Pass || !root || !task || outside {
			t.Errorf("%s; controlled: root %t, task %t, a goroutine of nobody's %t", r.Verdict, root, task, outside)
		}
		if hooks.Controlled() {
			t.Error("the test is controlled when all is over")
		}
	})
}
