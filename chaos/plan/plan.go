package plan

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rouse-go/rouse/hooks"
)

// A Plan lists the faults to inject, and the seed. The zero Plan injects nothing.
type Plan struct {
	Seed   uint64
	Faults []Fault
}

// A Fault is one line of a plan: a kind of fault at one hook point.
//
// # When it fires
//
// These are checked in this order, each only if those before it have passed:
//
//  1. Scope. A visit of At with a verb that can carry Kind, by a task that Task means,
//     is a hit, unless Count is used up.
//  2. From and Every choose among a task's hits by their number: the From-th, and every
//     Every-th after it. Each task counts its own hits of each fault, from 1, so that
//     the timing of other tasks changes nothing.
//  3. Probability: a draw decides, from the stream of the task. It depends on the seed
//     and the visit, not on From, Every and Count: these leave fires out, and change
//     none of the others.
//  4. Count: the first hits that pass the draw fire, of all tasks together. So with a
//     probability of 0.1 and a count of 3 it fires three times, in some thirty hits.
//
// For example, From 10, Every 5, Probability 0.5 and Count 2: each task draws at its hits
// 10, 15, 20 and so on, until the fault has fired twice. Several faults at one point have
// draws and counts of their own.
//
// Which of several tasks gets the last of a count is decided by timing natively, and by the
// schedule under control.
type Fault struct {
	// At is the name of the hook point, "package/what".
	At string
	// Kind is one of the faults that the point offers.
	Kind hooks.FaultKind
	// Probability that the fault fires at a hit that is chosen, 0 < p <= 1; 0 means
	// 1.
	Probability float64
	// Count bounds how often the fault fires in one execution; 0 means no bound.
	Count int
	// Task restricts the fault to goroutines of that name (see hooks.Name), or,
	// with a path such as "main/0", to the task at that path; "" is any. A star matches
	// any text: "worker *", "main/*".
	Task string
	// From is the number of the first hit at which the fault may fire; 0 means
	// Every, or 1 without it. Every is the distance from there to the next; 0 means
	// 1. So Every 3 means the hits 3, 6, 9, and From 1, Every 3 means 1, 4, 7.
	From, Every int
	// Min and Max bound a delay, which is drawn between them. A delay needs a Max. For a hold,
	// Max is how long it lasts at most, 0 means HoldLimit, and Min is 0 or Max. No other kind
	// takes either.
	Min, Max time.Duration
	// Shape is how delays are distributed between Min and Max, and Mean their mean if it is
	// Exponential or Pareto, as it would be without Max: what is drawn longer lasts Max.
	Shape Shape
	Mean  time.Duration
	// Until is the point at which another task's visit ends a hold: the visit must be
	// over, with all that faults do there, after the hold has begun. The hold ends at its
	// limit in any case, and the task continues; engines count such ends. So two holds that
	// wait for each other last as long as their limits. Under control, virtual time passes
	// only when no task can continue, and a hold lasts until then, whatever its limit.
	Until string
	// By is what a roll adds to the counter, modulo its width; 0 means RollBy.
	By int64
	// To, if set, is what a roll sets the counter to; By must then be 0.
	To *uint64
}

// HoldLimit is how long a hold lasts at most if the plan does not say.
const HoldLimit = time.Second

// RollBy is what a roll adds if the plan does not say: one even-odd cycle of a jobs
// event counter backwards.
const RollBy = -2

// A Shape is how the lengths of a delay are distributed. All draws are made with
// whole numbers, so that a seed gives the same lengths on every machine.
type Shape uint8

// The shapes. With the last two, most delays are short and a few are long; Pareto has the heavier
// tail.
const (
	// Uniform: all lengths from Min to Max are equally likely.
	Uniform Shape = iota
	// Exponential: Min plus an exponentially distributed length, so that the mean is Mean.
	Exponential
	// Pareto: Min times a Pareto distributed factor of scale 1 and mean Mean/Min. Its exponent
	// is Mean/(Mean-Min): the farther Mean is from Min, the heavier the tail.
	Pareto

	shapeEnd
)

var shapeNames = [...]string{"uniform", "exponential", "pareto"}

// String returns the shape's name.
func (s Shape) String() string {
	if s < shapeEnd {
		return shapeNames[s]
	}
	return "?"
}

// parseShape returns the shape of that name.
func parseShape(name string) (Shape, bool) {
	for i, n := range shapeNames {
		if n == name {
			return Shape(i), true
		}
	}
	return 0, false
}

// ShapeNames lists the names that parseShape accepts.
func ShapeNames() []string { return append([]string(nil), shapeNames[:]...) }

// String returns the fault as Parse and scenario files take it, on one line and within braces.
func (f Fault) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "{at: %s, fault: %s", f.At, f.Kind)
	pair := func(set bool, key, value string) {
		if set {
			fmt.Fprintf(&b, ", %s: %s", key, value)
		}
	}
	length := func(d time.Duration) string { return strings.ReplaceAll(d.String(), "µ", "u") }
	switch {
	case f.Min != f.Max:
		pair(true, "for", length(f.Min)+".."+length(f.Max))
	default:
		pair(f.Max != 0, "for", length(f.Max))
	}
	pair(f.Shape != Uniform, "shape", f.Shape.String())
	pair(f.Mean != 0, "mean", length(f.Mean))
	pair(f.Until != "", "until", f.Until)
	pair(f.By != 0, "by", strconv.FormatInt(f.By, 10))
	if f.To != nil {
		pair(true, "to", strconv.FormatUint(*f.To, 10))
	}
	pair(f.Probability != 0, "probability", strconv.FormatFloat(f.Probability, 'f', -1, 64))
	pair(f.From != 0, "from", strconv.Itoa(f.From))
	pair(f.Every != 0, "every", strconv.Itoa(f.Every))
	pair(f.Count != 0, "count", strconv.Itoa(f.Count))
	pair(f.Task != "", "task", strconv.Quote(strings.ToValidUTF8(f.Task, "\uFFFD"))) // Go's escapes are YAML's, double-quoted
	return b.String() + "}"
}
