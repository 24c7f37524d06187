package chaos

import (
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/hooks"
)

// The parts of a plan: see package plan.
type (
	// A Plan lists the faults to inject, and the seed.
	Plan = plan.Plan
	// A Fault is one line of a plan: a kind of fault at one hook point.
	Fault = plan.Fault
	// A Shape is how the lengths of a delay are distributed.
	Shape = plan.Shape
	// A PlanError is one problem of one fault of a plan.
	PlanError = plan.PlanError
	// A Point describes a hook point of this binary.
	Point = plan.Point
)

// The shapes of delays: see package plan.
const (
	Uniform     = plan.Uniform
	Exponential = plan.Exponential
	Pareto      = plan.Pareto
)

// Points lists the hook points of this binary, by name: those of every package
// linked into it. Without the build tag chaos there are none.
func Points() []Point { return plan.Points() }

// Kinds lists all kinds of fault.
func Kinds() []hooks.FaultKind { return plan.Kinds() }
