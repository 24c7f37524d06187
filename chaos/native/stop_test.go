//go:build chaos

package native

import (
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
)

// TestStopOneFault: it fires no more, the others do.
func TestStopOneFault(t *testing.T) {
	e := arm(t, 0, chaos.Fault{At: "native/notify", Kind: hooks.Drops}, chaos.Fault{At: "native/at", Kind: hooks.Yields})
	if n := hooks.Notify(notifyPoint); n != 0 {
		t.Fatalf("Notify = %d, want a drop", n)
	}
	e.Stop(0)
	e.Stop(0) // idempotent
	if n := hooks.Notify(notifyPoint); n != 1 {
		t.Errorf("Notify = %d after Stop", n)
	}
	hooks.At(atPoint)
	c := e.Counts().Faults
	if c[0].Hits != 1 || c[0].Fires != 1 || c[1].Fires != 1 {
		t.Errorf("counts %+v", c)
	}
}

// TestStopLetsGo: a task that the fault holds or delays continues.
func TestStopLetsGo(t *testing.T) {
	for name, f := range map[string]chaos.Fault{
		"hold":  {At: "native/at", Kind: hooks.Holds, Until: "native/value", Max: time.Hour},
		"delay": {At: "native/at", Kind: hooks.Delays, Min: time.Hour, Max: time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			e := arm(t, 0, f)
			gone := make(chan struct{})
			go func() {
				hooks.At(atPoint)
				close(gone)
			}()
			for e.Injecting() == 0 {
				time.Sleep(time.Millisecond)
			}
			e.Stop(0)
			<-gone // or the test does not end
		})
	}
}
