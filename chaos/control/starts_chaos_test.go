//go:build chaos

package control

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/atomic"
)

// A goroutine that passes no hook is found while it is there; one that has ended is
// reported for the place before which it was started.
func TestGoroutinesWithoutHooksAreFound(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		for range 10 {
			e := start(t, Options{Switch: how})
			r, _ := e.Run(1, func() {
				var n atomic.Int64
				stop := make(chan struct{})
				defer close(stop)
				go func() { <-stop }()
				n.Add(1)
			})
			if r.Verdict != verdict.Uncontrolled || !strings.Contains(r.Summary, "started in control.TestGoroutinesWithoutHooks") ||
				!strings.Contains(r.Summary, "without passing a hook") {
				t.Errorf("%s: %s", r.Verdict, r.Summary)
			}
			e.Close()
		}
		e := start(t, Options{Switch: how})
		for n := range 100 {
			r, _ := e.Run(uint64(n), func() {
				var g group
				for range 2 {
					g.Go(func() {})
				}
				g.Wait()
				new(atomic.Int64).Add(1)
			})
			if r.Verdict != verdict.Pass && r.Verdict != verdict.Uncontrolled { // the one time that it is still there
				t.Fatalf("%s: %s", r.Verdict, r.Summary)
			}
		}
		if says := e.Untracked(); !strings.Contains(says, "started before control.TestGoroutinesWithoutHooks") {
			t.Errorf("it says %q", says)
		}
	})
}

// What the engine starts itself, and tasks start as they should, is not found.
func TestNoGoroutineIsUntracked(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		e := start(t, Options{Switch: how})
		for n := range 200 {
			if r, _ := e.Run(uint64(n), everything); r.Verdict != verdict.Pass {
				t.Fatalf("%s: %s", r.Verdict, r.Summary)
			}
		}
		if says := e.Untracked(); says != "" {
			t.Errorf("it says %q", says)
		}
	})
}
