//go:build chaos

package native

import (
	"sync"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
)

// A dropped notification is a lost wakeup, and the events show the order.
func TestADroppedSignalIsStuck(t *testing.T) {
	baseline := Baseline()
	e := arm(t, 1, chaos.Fault{At: "native/notify", Kind: hooks.Drops, Count: 1})
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	ready := false
	var all sync.WaitGroup
	all.Add(2)
	go hooks.Task(func() {
		defer all.Done()
		hooks.Name("sleeper")
		mu.Lock()
		for !ready {
			hooks.At(atPoint)
			cond.Wait()
		}
		mu.Unlock()
	})()
	for e.Progress() == 0 {
		time.Sleep(time.Millisecond)
	}
	go hooks.Task(func() {
		defer all.Done()
		mu.Lock()
		ready = true
		mu.Unlock()
		for range hooks.Notify(notifyPoint) {
			cond.Signal()
		}
	})()
	done := doneWhen(&all)
	outcome := Watch(done, e, WithPatience(quick), WithIgnored(baseline), WithTimeout(0))
	if outcome.Kind != Stuck {
		t.Fatalf("the watch says %v", outcome.Kind)
	}
	if drop := taskOf(t, e, "main/1").Events[0]; drop.Fault != "drop" || drop.Point != "native/notify" {
		t.Errorf("recorded %+v", drop)
	}
	if last := taskOf(t, e, "main/0"); last.Name != "sleeper" || last.Events[0].Point != "native/at" {
		t.Errorf("recorded %+v", last)
	}
	cond.Signal()
	<-done
}

// What the engine reports keeps a subject from being reported whose goroutines
// all look blocked.
func TestProgressAndDelaysAcquit(t *testing.T) {
	baseline := Baseline()
	e := arm(t, 1)
	var all sync.WaitGroup
	release := none()
	all.Go(func() { <-release })
	done := doneWhen(&all)
	w := &watch{done: done, engine: e, patience: quick, bystanders: baseline}
	for _, ended := w.look(0); !ended; _, ended = w.look(0) { // until it is blocked
	}
	if _, ended := w.look(e.Progress() + 1); ended {
		t.Error("reported although a hook was visited")
	}
	e.in.inside.add(1)
	if _, ended := w.look(0); ended {
		t.Error("reported although a task is in a delay")
	}
	e.in.inside.add(-1)
	if outcome, ended := w.look(0); !ended || outcome.Kind != Stuck {
		t.Errorf("neither of the two: %v, %v", outcome.Kind, ended)
	}
	close(release)
	<-done
}

// A subject that is delayed for several patiences, and blocked otherwise, continues.
func TestADelayedSubjectFinishes(t *testing.T) {
	baseline := Baseline()
	const d = 20 * quick
	e := arm(t, 1, chaos.Fault{At: "native/at", Kind: hooks.Delays, Min: d, Max: d})
	var all sync.WaitGroup
	handed := none()
	all.Add(2)
	go hooks.Task(func() { defer all.Done(); hooks.At(atPoint); handed <- struct{}{} })()
	go hooks.Task(func() { defer all.Done(); <-handed; hooks.At(atPoint) })()
	if outcome := Watch(doneWhen(&all), e, WithPatience(quick), WithIgnored(baseline), WithTimeout(0)); outcome.Kind != Finished {
		t.Errorf("the watch says %v:\n%s", outcome.Kind, outcome.Goroutines)
	}
}
