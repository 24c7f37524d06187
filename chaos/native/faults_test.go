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

// inHold waits until so many goroutines are held.
func inHold(e *Engine, n int) {
	for e.Injecting() != n {
		time.Sleep(time.Millisecond)
	}
}

// Goroutines are held at the same time, until another task passes the other point, and not
// because one has passed it before, passes another, or is still delayed there.
func TestAHoldEndsWhenTheOtherPointIsPassed(t *testing.T) {
	const n = 4
	e := arm(t, 0,
		chaos.Fault{At: "native/at", Kind: hooks.Holds, Until: "native/notify", Max: time.Hour},
		chaos.Fault{At: "native/notify", Kind: hooks.Holds, Until: "native/value", Max: time.Hour, Task: "late"})
	var all sync.WaitGroup
	for range n {
		all.Go(hooks.Task(func() { hooks.At(atPoint) }))
	}
	inHold(e, n)
	hooks.Fail(failPoint)
	all.Go(hooks.Task(func() { hooks.Name("late"); hooks.Notify(notifyPoint) }))
	inHold(e, n+1)
	if got := e.Progress(); got != n+2 {
		t.Errorf("%d visits, want %d: a held task has continued", got, n+2)
	}
	hooks.Value(valuePoint, 1)
	all.Wait()
	want := []FaultCount{
		{At: "native/at", Kind: "hold", Hits: n, Fires: n},
		{At: "native/notify", Kind: "hold", Hits: 1, Fires: 1},
	}
	for i, f := range e.Counts().Faults {
		if f != want[i] {
			t.Errorf("faults[%d] counted %+v, want %+v", i, f, want[i])
		}
	}
	for _, task := range e.Events() {
		if task.Path == "main/0" && task.Events[0].Detail != "until native/notify or for 1h0m0s" {
			t.Errorf("recorded %+v", task.Events)
		}
	}

	// That visit is over: the next task is held again.
	all.Go(hooks.Task(func() { hooks.At(atPoint) }))
	inHold(e, 1)
	e.Disarm()
	all.Wait()
	if got := e.Counts().Faults[0]; got.Fires != n+1 || got.Expired != 1 {
		t.Errorf("after Disarm: %+v, want one hold that no visit ended", got)
	}
}

// A point that is never passed holds no task for ever: two that wait for each other continue by
// their limits, and it is counted.
func TestAHoldEndsByItsLimit(t *testing.T) {
	e := arm(t, 0,
		chaos.Fault{At: "native/at", Kind: hooks.Holds, Until: "native/notify", Max: 5 * time.Millisecond},
		chaos.Fault{At: "native/notify", Kind: hooks.Holds, Until: "native/at", Max: time.Hour})
	var all sync.WaitGroup
	all.Go(hooks.Task(func() { hooks.Notify(notifyPoint) }))
	inHold(e, 1)
	all.Go(hooks.Task(func() { hooks.At(atPoint) }))
	all.Wait() // the first by its limit, which ends the other's
	for i, want := range []uint64{1, 0} {
		if f := e.Counts().Faults[i]; f.Fires != 1 || f.Expired != want {
			t.Errorf("faults[%d]: %d fires, %d expired, want 1 and %d", i, f.Fires, f.Expired, want)
		}
	}
}

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
