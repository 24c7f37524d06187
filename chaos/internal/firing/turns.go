package firing

import "github.com/rouse-go/rouse/chaos/plan"

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
