package chaos

import (
	"runtime"
	"time"

	"github.com/rouse-go/rouse/internal/racing"
	"github.com/rouse-go/rouse/internal/seam"
)

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
