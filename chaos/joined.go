package chaos

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/racing"
	"github.com/rouse-go/rouse/internal/seam"
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

// A visitFunc asks the engine of stress test which faults fire at the calling task's visit of a hook
// point. can is the seam.Fault that the caller can carry, and value the counter that a roll perturbs.
type visitFunc = func(point string, can uint16, value uint64) (delay int64, until string, limit int64, yield bool, copies int, failed bool, result uint64)

// points carries out the faults of a plan where the engine of stress test runs the tasks: it draws
// them, as it draws everything that is recorded, and what they do is done by operations that it runs
// like those of the subject.
type points struct {
	visit   visitFunc
	name    func(name string)
	planned []bool // by seam.Point.Index: a fault of the plan is there, or a hold ends there
	held    *held  // the last first
}

// A held task waits until another one passes a point.
type held struct {
	until  string
	passed chan struct{} // closed then
	next   *held
}

// current holds the points of the execution in progress. The process's engine stays installed: an
// execution that is given up never takes it out.
var current jointPoints

// A jointPoints is the seam.Engine. Only the task that runs uses its field; the race detector does
// not see how tasks take turns.
type jointPoints struct {
	points    *points
	uninstall func() // for tests
}

// install makes the points those of the execution in progress.
//
//go:norace
func (j *joined) install(p Plan) {
	j.planned = nil
	for _, f := range p.Faults {
		j.plans(f.At)
		j.plans(f.Until)
	}
	current.points = &j.points
	if seam.Installed() == nil {
		current.uninstall, _ = seam.Install(&current)
	}
}

// remove ends the faults of the plan.
//
//go:norace
func (j *joined) remove() { current.points = nil }

func (s *points) plans(name string) {
	p := seam.Lookup(name)
	if p == nil {
		return // "" for a fault that is not a hold
	}
	for len(s.planned) <= p.Index {
		s.planned = append(s.planned, false)
	}
	s.planned[p.Index] = true
}

// at makes a task's visit of a point.
//
//go:norace
func (c *jointPoints) at(p *seam.Point, can seam.Fault, v uint64) (copies int, failed bool, value uint64) {
	s := c.points
	if s == nil || p.Index >= len(s.planned) || !s.planned[p.Index] {
		return 1, false, v
	}
	delay, until, limit, yield, copies, failed, value := s.visit(p.Name, uint16(can), v)
	if delay > 0 {
		time.Sleep(time.Duration(delay))
	}
	if until != "" {
		s.hold(until, time.Duration(limit))
	}
	if yield {
		runtime.Gosched()
	}
	s.pass(p.Name)
	return copies, failed, value
}

// hold waits until another task passes the point, or nothing else can happen before the limit.
//
//go:norace
func (s *points) hold(until string, limit time.Duration) {
	racing.Hide()
	defer racing.Show()
	h := &held{until: until, passed: make(chan struct{}), next: s.held}
	s.held = h
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-h.passed:
	case <-timer.C:
		s.forget(h)
	}
}

// pass ends the holds that wait for a point.
//
//go:norace
func (s *points) pass(name string) {
	racing.Hide()
	defer racing.Show()
	for h := s.held; h != nil; h = h.next {
		if h.until == name {
			s.forget(h)
			close(h.passed)
		}
	}
}

//go:norace
func (s *points) forget(h *held) {
	for at := &s.held; *at != nil; at = &(*at).next {
		if *at == h {
			*at = h.next
			return
		}
	}
}

func (c *jointPoints) At(p *seam.Point) { c.at(p, seam.Disturb, 0) }

func (c *jointPoints) Notify(p *seam.Point) int {
	copies, _, _ := c.at(p, seam.Disturb|seam.Drop|seam.Duplicate, 0)
	return copies
}

func (c *jointPoints) Fail(p *seam.Point) bool {
	_, failed, _ := c.at(p, seam.Disturb|seam.Fail|seam.Spurious, 0)
	return failed
}

func (c *jointPoints) Value(p *seam.Point, v uint64) uint64 {
	_, _, value := c.at(p, seam.Disturb|seam.Roll, v)
	return value
}

// Name gives a name to the calling task, for plans.
//
//go:norace
func (c *jointPoints) Name(name string) {
	if s := c.points; s != nil {
		s.name(name)
	}
}

// Task and Unwinding: goroutines are tasks without being made so.
func (c *jointPoints) Task(f func()) func() { return f }

func (c *jointPoints) Unwinding(any) bool { return false }
