package plan

import (
	"time"

	"github.com/rouse-go/rouse/hooks"
)

// A Plan says what is to go wrong, where, how often, and with which seed.
// The zero Plan injects nothing.
type Plan struct {
	Seed   uint64
	Faults []Fault
}

// A Fault is one line of a plan: a kind of fault at one hook point.
type Fault struct {
	// At is the name of the hook point, "package/what".
	At string
	// Kind is one of the faults that the point offers.
	Kind hooks.Fault
	// Probability that the fault fires at one visit, 0 < p <= 1; 0 stands for 1.
	Probability float64
	// Count bounds how often the fault fires in one execution; 0 is no bound.
	// A visit counts against it only when the fault fires.
	Count int
	// Task restricts the fault to goroutines of that name (see hooks.Name), or,
	// with a path such as "main/0", to the task at that path; "" is any.
	Task string
	// Min and Max bound a delay, which is drawn uniformly between them. A delay
	// needs a Max; no other kind takes either.
	Min, Max time.Duration
	// By is what a roll adds to the counter, modulo its width; 0 stands for RollBy.
	By int64
	// To, if set, is what a roll sets the counter to; By must then be 0.
	To *uint64
}

// RollBy is what a roll adds if the plan does not say: one even-odd cycle of a jobs
// event counter backwards.
const RollBy = -2
