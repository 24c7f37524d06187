//go:build chaos

package native_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/native"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/sync"
)

// A latch with its notification: what Execute is tried on.
type gate struct {
	mu   sync.Mutex
	cond sync.Cond
	open bool
}

func (g *gate) pass() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for !g.open {
		g.cond.Wait()
	}
}

func (g *gate) openUp() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open = true
	g.cond.Signal()
}

// scene runs a goroutine that passes the gate and one that opens it. ended is closed when
// both have gone.
func scene() (subject func(), g *gate, ended <-chan struct{}) {
	g = new(gate)
	g.cond.L = &g.mu
	opened, passed := make(chan struct{}), make(chan struct{})
	return func() {
		defer close(passed)
		go hooks.Task(func() { defer close(opened); hooks.Name("opener"); g.openUp() })()
		g.pass()
		<-opened
	}, g, passed
}

func TestExecuteFinishes(t *testing.T) {
	subject, _, _ := scene()
	x, err := native.Execute(chaos.Plan{}, subject)
	if err != nil || x.Kind != native.Finished || x.String() != "finished" {
		t.Fatalf("%v, %v; want finished", x, err)
	}
	if len(x.Counts.Points) == 0 || len(x.Events) == 0 {
		t.Errorf("nothing was counted: %+v", x.Counts)
	}
}

// TestExecuteNamesStuckTasks drops the only notification: which task waits, where,
// and what the plan did must all be said.
func TestExecuteNamesStuckTasks(t *testing.T) {
	plan := chaos.Plan{Faults: []chaos.Fault{
		{At: "sync/cond-signal", Kind: hooks.Drops},
		// The opener comes late, so that there is a waiter to notify.
		{At: "sync/mutex-lock", Kind: hooks.Delays, Min: 2e6, Max: 2e6, Task: "opener"},
		{At: "sync/mutex-lock", Kind: hooks.Holds, Until: "sync/once-do", Max: 1e6, Count: 1, Task: "open*"},
	}}
	subject, g, ended := scene()
	x, err := native.Execute(plan, subject)
	if err != nil || x.Kind != native.Stuck {
		t.Fatalf("%v, %v; want stuck", x, err)
	}
	for _, want := range []string{"stuck", "[sync.Cond.Wait] in native_test.(*gate).pass (execute_chaos_test.go:", "fault drop at sync/cond-signal fired 1 of 1 times", "fault hold at sync/mutex-lock fired 1 of 1 times, 1 until its limit", "(opener)"} {
		if !strings.Contains(x.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, x)
		}
	}
	g.openUp() // disarmed by now: the stuck task continues
	<-ended    // and does not visit the hooks of the next test
}

func TestExecuteRefusesAsArmDoes(t *testing.T) {
	called := false
	_, err := native.Execute(chaos.Plan{Faults: []chaos.Fault{{At: "no/such-point", Kind: hooks.Drops}}}, func() { called = true })
	var wrong *chaos.PlanError
	if !errors.As(err, &wrong) || called {
		t.Fatalf("error %v, called %v; want a *chaos.PlanError, not called", err, called)
	}
}
