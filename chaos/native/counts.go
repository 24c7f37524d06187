package native

import (
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/internal/racing"
	"github.com/rouse-go/rouse/internal/seam"
)

// Counts says what the engine has seen and done since it was armed.
type Counts struct {
	Points []PointCount // the points that were visited, by name
	Faults []FaultCount // in the order of the plan
}

// A PointCount says how often a hook point was visited.
type PointCount struct {
	Point string
	Hits  uint64
}

// A FaultCount says how often a fault of the plan was hit (see plan.Fault), and how
// often it fired: a fault with a count of 1 that fired at its fifth hit has 5 hits for
// good.
type FaultCount struct {
	At          string
	Kind        string
	Hits, Fires uint64
	// Skipped is how many of the hits From and Every left out; a draw decided the others.
	Skipped uint64 `json:",omitempty"`
	// Expired is how many of a hold's fires ended by its limit, or by Disarm, and not
	// because the other point was passed.
	Expired uint64
}

// A tally adds up what tasks have counted.
type tally struct {
	visits []uint64 // by Point.Index
	marks  []mark   // by fault; strikes is not used
	steps  uint64
}

// add adds what t has counted. Under registry.mu, between Hide and Show.
//
//go:norace
func (y *tally) add(t *task) {
	if own := t.counted.Load(); own != nil {
		if len(*own) > len(y.visits) {
			y.visits = enlarged(y.visits, len(*own))
		}
		for i, n := range *own {
			y.visits[i] += n
		}
	}
	for i := range t.marks {
		y.marks[i].hits += t.marks[i].hits
		y.marks[i].skipped += t.marks[i].skipped
		y.marks[i].fires += t.marks[i].fires
	}
	y.steps += t.recent.n
}

// enlarged returns a copy of counts with that many elements. (append and copy
// would tell the race detector about it.)
//
//go:norace
func enlarged(counts []uint64, size int) []uint64 {
	larger := make([]uint64, size)
	//lint:ignore S1001 copy would tell the race detector
	for i, n := range counts {
		larger[i] = n
	}
	return larger
}

// total adds up all tasks there have ever been.
//
//go:norace
func (in *injector) total() tally {
	racing.Hide()
	r := &in.tasks
	r.mu.Lock()
	y := tally{
		visits: enlarged(r.gone.visits, len(r.gone.visits)),
		marks:  make([]mark, len(r.gone.marks)),
		steps:  r.gone.steps,
	}
	for i := range y.marks {
		y.marks[i] = r.gone.marks[i]
	}
	for _, t := range r.tasks() {
		y.add(t)
	}
	r.mu.Unlock()
	racing.Show()
	return y
}

// Counts returns what has been counted so far. It may be called at any time,
// from any goroutine, also after Disarm. It does not stop the goroutines that
// are counting: what they count meanwhile may be in it or not. Cost: a few
// nanoseconds for each task alive and each point.
func (e *Engine) Counts() Counts {
	y := e.in.total()
	var c Counts
	for _, p := range seam.Points() {
		if p.Index < len(y.visits) && y.visits[p.Index] > 0 {
			c.Points = append(c.Points, PointCount{Point: p.Name, Hits: y.visits[p.Index]})
		}
	}
	slices.SortFunc(c.Points, func(a, b PointCount) int { return strings.Compare(a.Point, b.Point) })
	for _, f := range e.in.faults {
		m := y.marks[f.index]
		c.Faults = append(c.Faults, FaultCount{At: f.at, Kind: f.kind.String(), Hits: m.hits, Skipped: m.skipped, Fires: m.fires, Expired: f.expired.value()})
	}
	return c
}

// Progress returns a number that has grown whenever a hook point was visited
// since it was last asked for. Otherwise as Counts.
func (e *Engine) Progress() uint64 { return e.in.total().steps }

// Injecting returns how many goroutines are inside an injected delay now. One
// that is on its way into or out of a delay is running.
func (e *Engine) Injecting() int { return e.in.injecting() }
