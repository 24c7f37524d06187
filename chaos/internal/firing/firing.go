package firing

import (
	"time"

	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/chaos/plan"
)

// IsPattern reports whether a task name is a pattern for several tasks.
//
//go:norace
func IsPattern(name string) bool {
	for i := range len(name) {
		if name[i] == '*' {
			return true
		}
	}
	return false
}

// Matches reports whether the pattern matches the name: a star matches any text, also the
// empty one, and every other character matches itself.
//
//go:norace
func Matches(pattern, name string) bool {
	// star is where the last star was, and tried how much of the name it takes. An
	// earlier star need never take more than it has.
	star, tried := -1, 0
	p, n := 0, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, tried = p, n
			p++
		case p < len(pattern) && pattern[p] == name[n]:
			p++
			n++
		case star >= 0:
			tried++
			p, n = star+1, tried
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// Turns selects the hits of a task that From and Every choose.
type Turns struct{ first, every uint64 }

// TurnsOf returns the Turns of a checked fault.
func TurnsOf(f *plan.Fault) Turns {
	t := Turns{first: uint64(f.From), every: uint64(max(f.Every, 1))}
	if t.first == 0 {
		t.first = t.every
	}
	return t
}

// Has reports whether the n-th hit is chosen, from 1.
//
//go:norace
func (t Turns) Has(n uint64) bool {
	return n >= t.first && (t.every == 1 || (n-t.first)%t.every == 0)
}

// All reports whether every hit is chosen.
//
//go:norace
func (t Turns) All() bool { return t.first <= 1 && t.every == 1 }

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
