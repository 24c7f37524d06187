package real

import (
	"time"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/internal/seam"
)

// Under a Runtime the subject's hook points, if it has any, are those of another copy of package
// hooks, and so are the operations that faults are made of. The engine draws which faults fire, as it
// does elsewhere, and records them; the caller carries them out.

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

// ArmPlan implements control.Engine.Arm.
func (s *Tasks) ArmPlan(p plan.Plan) {
	if s.Engine.Inside("Arm") {
		s.runtime.Call(func() { s.armNow(p) })
	}
}

// SetName implements control.Engine.SetName.
func (s *Tasks) SetName(name string) {
	if s.Engine.Inside("SetName") {
		s.runtime.Call(func() { s.Running().Label = name })
	}
}

//go:norace
func (s *Tasks) armNow(p plan.Plan) {
	for _, f := range p.Faults {
		declare(f.At)
		if f.Until != "" {
			declare(f.Until)
		}
	}
	fires := s.Faults.Fires // of an earlier plan, which the schedule has, too
	if s.Repeating {
		used := s.Faults.Used
		s.Faults.Repeat(s.Faults.Replays)
		copy(s.Faults.Used, used)
	} else {
		s.Faults.Arm(p)
		s.Faults.Begin(s.Seed)
	}
	s.Faults.Fires = fires
}

// declare declares a point of that name unless there is one.
func declare(name string) {
	if seam.Lookup(name) == nil {
		seam.Declare(name, "of the subject", seam.Faults)
	}
}

// Visit implements control.Engine.Visit.
func (s *Tasks) Visit(v *Visit, point string, can seam.Fault) {
	if s.Engine.Inside("Visit") {
		s.runtime.Call(func() { s.visitNow(v, point, can) })
	}
}

//go:norace
func (s *Tasks) visitNow(v *Visit, point string, can seam.Fault) {
	p := seam.Lookup(point)
	if p == nil || p.Index >= len(s.Faults.At) || s.Faults.At[p.Index] == nil {
		return
	}
	if s.Tracing {
		s.traceStack(s.Running())
	}
	r := core.Effect{Copies: v.Copies, Value: v.Value}
	s.DrawFaults(&r, p, can)
	*v = Visit{Delay: time.Duration(r.Delay), Limit: time.Duration(r.Limit), Yield: r.Yield, Copies: r.Copies, Failed: r.Failed, Value: r.Value}
	if r.Until != nil {
		v.Until = r.Until.Name
	}
}
