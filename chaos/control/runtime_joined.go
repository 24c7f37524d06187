package control

import (
	"errors"
	"time"

	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/internal/seam"
)

// Under a Runtime the subject's hook points, if it has any, are those of another copy of package
// hooks, and so are the operations that faults are made of. The engine draws which faults fire, as it
// does elsewhere, and records them; the caller carries them out.

var errNoRuntime = errors.New("control: Arm is for Options.Runtime: use Options.Plan")

// A Visit is the combined effect of the faults at one visit of a hook point. They are carried out in
// the order of the fields.
type Visit struct {
	Delay  time.Duration
	Until  string        // the point that ends a hold; "" if there is no hold
	Limit  time.Duration // of the hold
	Yield  bool
	Copies int // of a notification
	Failed bool
	Value  uint64 // of a counter
}

// Arm sets the faults of the execution in progress, from inside; a further one replaces them. An execution
// that repeats a schedule fires what the schedule has instead, at the points that a plan has named so far.
func (e *Engine) Arm(p plan.Plan) error {
	s, ok := e.in.front.(*runtimeTasks)
	if !ok {
		return errNoRuntime
	}
	if e.in.inside("Arm") {
		s.runtime.Call(func() { s.armNow(p) })
	}
	return nil
}

// SetName gives the calling task a name, for reports, and for faults that apply to one task.
func (e *Engine) SetName(name string) {
	if s, ok := e.in.front.(*runtimeTasks); ok && e.in.inside("SetName") {
		s.runtime.Call(func() { s.current().label = name })
	}
}

//go:norace
func (s *runtimeTasks) armNow(p plan.Plan) {
	for _, f := range p.Faults {
		declare(f.At)
		if f.Until != "" {
			declare(f.Until)
		}
	}
	fires := s.faults.fires // of an earlier plan, which the schedule has, too
	if s.repeating {
		used := s.faults.used
		s.faults.repeat(s.faults.replays)
		copy(s.faults.used, used)
	} else {
		s.faults.arm(p)
		s.faults.begin(s.seed)
	}
	s.faults.fires = fires
}

// disarm forgets the points of plans that earlier executions have armed.
func (f *faults) disarm() { f.at, f.endHold = nil, nil }

// declare declares a point of that name unless there is one.
func declare(name string) {
	if seam.Lookup(name) == nil {
		seam.Declare(name, "of the subject", seam.Faults)
	}
}

// Visit draws the faults of the calling task's visit of a hook point. can is the set that the caller
// can carry out, and value the counter that a roll perturbs.
func (e *Engine) Visit(point string, can uint16, value uint64) (v Visit) {
	v = Visit{Copies: 1, Value: value}
	if s, ok := e.in.front.(*runtimeTasks); ok && e.in.inside("Visit") {
		s.runtime.Call(func() { s.visitNow(&v, point, seam.Fault(can)) })
	}
	return v
}

//go:norace
func (s *runtimeTasks) visitNow(v *Visit, point string, can seam.Fault) {
	p := seam.Lookup(point)
	if p == nil || p.Index >= len(s.faults.at) || s.faults.at[p.Index] == nil {
		return
	}
	if s.tracing {
		s.traceStack(s.current())
	}
	r := effect{copies: v.Copies, value: v.Value}
	s.drawFaults(&r, p, can)
	*v = Visit{Delay: time.Duration(r.delay), Limit: time.Duration(r.limit), Yield: r.yield, Copies: r.copies, Failed: r.failed, Value: r.value}
	if r.until != nil {
		v.Until = r.until.Name
	}
}
