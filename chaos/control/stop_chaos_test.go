//go:build chaos

package control

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/internal/goroutines"
)

//go:noinline
func stoppedFirst(mu *sync.Mutex) {
	mu.Lock()
	defer mu.Unlock()
}

//go:noinline
func stoppedSecond(mu *sync.Mutex) {
	mu.Lock()
	defer mu.Unlock()
}

// Catches: a task of package hooks that does not stop on its own goroutine, or before another step.
func TestStopsOnItsGoroutine(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		e := start(t, Options{Switch: how})
		body := func() {
			var mu sync.Mutex
			go hooks.Task(func() { stoppedFirst(&mu) })()
			go hooks.Task(func() { stoppedSecond(&mu) })()
			mu.Lock()
			defer mu.Unlock()
		}
		r, _ := e.Run(1, body)
		schedule := r.Schedule.Clone()
		r, events := e.Trace(schedule, body)
		functions := map[string]string{"main": "TestStopsOnItsGoroutine", "main/0": "stoppedFirst", "main/1": "stoppedSecond"}
		for _, event := range append([]Event(nil), events...) {
			if event.Op <= 0 || event.Site.Function == "" { // it begins or ends
				continue
			}
			stack := ""
			was := core.Trap
			core.Trap = func() { stack += goroutines.Own().String() }
			e.StopAt(event.Number, nil)
			again, _ := e.Repeat(schedule, body)
			core.Trap = was
			if again.Hash != r.Hash {
				t.Fatalf("step %d: another trace", event.Number)
			}
			for task, function := range functions {
				if task != "main" && strings.Contains(stack, "."+function+"(") != (task == event.Task) {
					t.Errorf("step %d of %s stops here:\n%s", event.Number, event.Task, stack)
				}
			}
			if stack == "" {
				t.Errorf("step %d does not stop", event.Number)
			}
		}
	})
}
