package firing

import (
	"time"

	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/chaos/plan"
)

// Length returns how long a checked delay lasts, by a draw and a salt that sets it apart
// from the other decisions of that draw.
//
//go:norace
func Length(f *plan.Fault, draw, salt uint64) time.Duration {
	switch f.Shape {
	case plan.Exponential:
		return splitmix.Exponential(draw, salt, f.Min, f.Mean, f.Max)
	case plan.Pareto:
		return splitmix.Pareto(draw, salt, f.Min, f.Mean, f.Max)
	}
	return splitmix.Between(draw, salt, f.Min, f.Max)
}

// Limit returns the maximum duration of a checked hold.
func Limit(f *plan.Fault) time.Duration {
	if f.Max > 0 {
		return f.Max
	}
	return plan.HoldLimit
}
