//go:build chaos

package native

import (
	"sync"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
)

// Goroutines delayed at one point are inside at the same time; Disarm lets all of
// them continue, an hour early.
func TestDelaysOverlapAndDisarmCutsThemShort(t *testing.T) {
	const n = 16
	e := arm(t, 0, chaos.Fault{At: "native/at", Kind: hooks.Delays, Min: time.Hour, Max: time.Hour})
	var all sync.WaitGroup
	for i := range n {
		all.Add(1)
		body := func() { defer all.Done(); hooks.At(atPoint) }
		if i%2 == 0 {
			body = hooks.Task(body)
		}
		go body()
	}
	for e.Injecting() < n {
		time.Sleep(time.Millisecond)
	}
	if got := e.Progress(); got != n {
		t.Errorf("a visit is counted when it begins: %d, want %d", got, n)
	}
	for _, task := range e.Events() {
		if task.Path != "main" && (len(task.Events) != 1 || task.Events[0].Detail != "1h0m0s") {
			t.Errorf("%s recorded %+v while it is delayed", task.Path, task.Events)
		}
	}
	e.Disarm()
	all.Wait()
	if got := e.Injecting(); got != 0 {
		t.Errorf("%d goroutines are inside a delay after all have continued", got)
	}
}

// A delay ends by itself, too, and lasts what was drawn: several naps and a rest.
func TestADelayEnds(t *testing.T) {
	const d = 2*nap + nap/2
	e := arm(t, 0, chaos.Fault{At: "native/at", Kind: hooks.Delays, Min: d, Max: d})
	hooks.At(atPoint)
	hooks.At(notifyPoint)
	events := e.Events()[0].Events
	if lasted := events[1].After - events[0].After; lasted < d {
		t.Errorf("a delay of %v lasted %v", d, lasted)
	}
}
