//go:build chaos

package original

import (
	"fmt"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// The herd of BP-8, by what it costs: however the threads take turns, a receiver of
// package burst that gets nothing does no more than go to sleep and be notified of the end. The
// original's makes as many operations as it has time for.
func TestIdleReceiversDoNothing(t *testing.T) {
	original, fixed := idle(t, newOriginal), idle(t, newFixed)
	if fixed > 20 || original < 2*fixed {
		t.Errorf("a receiver that gets nothing makes %d operations with package burst and %d with the original, want 20 at most, and at least twice as many", fixed, original)
	}
	t.Logf("%d operations, and %d", fixed, original)
}

// idle is how many operations a receiver makes at most that gets nothing, while one of
// three gets a message.
func idle(t *testing.T, subject func() subject) int {
	t.Helper()
	e := controlled(t, strategy.Random(), plan.Plan{})
	defer e.Close()
	var s *scene
	body := func() {
		s = &scene{subject: subject(), engine: e}
		s.serving(3, s.serve)
		s.send(0)
		s.flush()
		s.delivered.Wait()
		s.end()
	}
	most := 0
	for n := range 300 {
		r, _ := e.Run(strategy.ChildKey(3, n), body)
		_, events := e.Trace(r.Schedule.Clone(), body)
		for _, t := range s.threads {
			if t.messages == 0 {
				most = max(most, operations(events, fmt.Sprintf("main/%d", t.number)))
			}
		}
	}
	return most
}

// operations counts those of a task.
func operations(events []control.Event, task string) (n int) {
	for _, e := range events {
		if e.Op >= 0 && e.Task == task {
			n++
		}
	}
	return n
}

// The search of BP-7, by what it costs: receivers that have left are still looked at.
func TestWhoHasLeftIsNotSearched(t *testing.T) {
	looks := func(subject func() subject, point string) int {
		e := controlled(t, strategy.DFS(0), plan.Plan{})
		defer e.Close()
		body := defect{program: comeAndGo}.body(subject)(e)
		r, _ := e.Run(1, body)
		_, events := e.Trace(r.Schedule.Clone(), body)
		n := 0
		for _, event := range events {
			if event.Op < 0 && event.Point == point {
				n++
			}
		}
		return n
	}
	if n, want := looks(newFixed, "burst/enqueue-look"), comers; n != want {
		t.Errorf("package burst looked at %d receivers, want %d", n, want)
	}
	if n, want := looks(newOriginal, "burst-original/cas-pending"), comers*(comers+1)/2; n != want {
		t.Errorf("the original looked at %d receivers, want %d", n, want)
	}
}
