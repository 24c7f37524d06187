package chaos

import (
	"encoding/json"
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
)

// An engine runs the execution that a C belongs to.
type engine interface {
	Go(f func())
	Choose(n int) int
	OnStuck(j control.Judge)
	Fail(v verdict.Verdict, summary string)
	Task() string
	Recovered(v any)
}

var (
	_ engine = (*control.Engine)(nil)
	_ engine = (*joined)(nil)
)

// A joined engine is the engine of stress test, which runs the whole test as one execution. It is in
// another copy of this module, below GOROOT, so both use only standard types.
type joined struct {
	choose func(n int) int
	fail   func(verdict, summary, detail string)
	task   func() string
	stuck  func(judge func(verdict, summary string) (string, string))
	arm    func(plan []byte) error
	quiet  func(by int32) // quiet(1) begins a region without points, quiet(-1) ends it
	// turn waits until the task may run beside other bodies, or alone. It returns nil if the task
	// is in a body.
	turn func(task string, alone bool) (done func())

	tasks sync.WaitGroup // of Go
	points
}

// joins returns the engine of stress test if that runs the test, and nil otherwise.
func joins(t TB) *joined {
	of, ok := t.(interface{ RouseControl() map[string]any })
	if !ok {
		return nil
	}
	functions := of.RouseControl()
	if functions == nil {
		return nil
	}
	j := new(joined)
	var all [9]bool
	j.choose, all[0] = functions["choose"].(func(int) int)
	j.fail, all[1] = functions["fail"].(func(string, string, string))
	j.task, all[2] = functions["task"].(func() string)
	j.stuck, all[3] = functions["stuck"].(func(func(string, string) (string, string)))
	j.arm, all[4] = functions["arm"].(func([]byte) error)
	j.points.visit, all[5] = functions["visit"].(visitFunc)
	j.points.name, all[6] = functions["name"].(func(string))
	j.quiet, all[7] = functions["quiet"].(func(int32))
	j.turn, all[8] = functions["turn"].(func(string, bool) func())
	for _, found := range all {
		if !found {
			t.Fatalf("chaos: this stress is of another version of rouse: run the one of the version in go.mod, or go test")
		}
	}
	return j
}

// join runs the body once, in the execution that runs the test: stress test repeats that.
func join(t TB, j *joined, f func(c *C), options []Option) {
	t.Helper()
	p, ok := j.prepare(t, options)
	if !ok {
		return
	}
	if hooks.Enabled {
		// Faults are injected wherever a point of the plan is passed, so a body with a plan runs alone.
		done := j.turn(j.task(), len(p.Faults) > 0)
		if done == nil {
			t.Fatalf("chaos: Explore: inside an execution")
		}
		defer done()
	}
	if len(p.Faults) > 0 {
		if err := j.injects(p); err != nil {
			t.Fatalf("chaos: %v", err)
		}
		defer j.remove()
	}
	c := &C{engine: j, name: t.Name()}
	c.run(func() { f(c) })
	j.tasks.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

// prepare returns the plan, and false if the body is not to be run.
func (j *joined) prepare(t TB, options []Option) (p Plan, ok bool) {
	t.Helper()
	j.quiet(1) // no schedule of the subject
	defer j.quiet(-1)
	s, err := settingsOf(options)
	if err != nil {
		t.Fatalf("chaos: %v", err)
	}
	if s.replay != "" {
		t.Logf("chaos: %s is not repeated under stress test, which has recordings of its own; go test -tags chaos repeats it", s.replay)
		return p, false
	}
	if s.memory != control.SC {
		t.Logf("chaos: memory %s is not explored under stress test, whose memory is Go's; go test -tags chaos explores it", s.memory)
	}
	if hooks.Enabled {
		p = s.plan
	}
	return p, true
}

// injects arms a plan in the engine.
func (j *joined) injects(p Plan) error {
	j.quiet(1)
	defer j.quiet(-1)
	if err := p.Check(); err != nil {
		return err
	}
	text, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("plan: %w", err)
	}
	if err := j.arm(text); err != nil {
		return err
	}
	j.install(p)
	return nil
}

func (j *joined) Go(f func()) { j.tasks.Go(f) }

func (j *joined) Choose(n int) int { return j.choose(n) }

func (j *joined) OnStuck(judge control.Judge) {
	j.stuck(func(v, summary string) (string, string) {
		better, summary := judge(control.Result{Verdict: verdict.Verdict(v), Effect: verdict.Verdict(v), Summary: summary})
		return string(better), summary
	})
}

func (j *joined) Fail(v verdict.Verdict, summary string) { j.fail(string(v), summary, "") }

func (j *joined) Task() string { return j.task() }

// Recovered fails the execution with a panic of the subject.
func (j *joined) Recovered(v any) {
	if v != nil {
		j.fail(string(verdict.Panicked), fmt.Sprintf("panic: %v", v), string(debug.Stack()))
	}
}
