package native

import (
	"slices"
	"strings"

	"github.com/rouse-go/rouse/internal/racing"
	"github.com/rouse-go/rouse/internal/seam"
)

// Counts holds the counts since the engine was armed.
type Counts struct {
	Points []PointCount // the points that were visited, by name
	Faults []FaultCount // in the order of the plan
}

// A PointCount says how often a hook point was visited.
type PointCount struct {
	Point string
	Hits  uint64
}

// A FaultCount says how often a fault of the plan was hit (see plan.Fault), and how often it
// fired. Hits are no longer counted once its count is used up.
type FaultCount struct {
	At          string
	Kind        string
	Hits, Fires uint64
	// Skipped counts the hits that From and Every left out; a draw decided the others.
	Skipped uint64 `json:",omitempty"`
	// Expired counts the holds that ended by their limit, or by Disarm or Stop, and not because
	// the other point was passed.
	Expired uint64
}

// A tally is the sum of the counts of tasks.
type tally struct {
	visits []uint64 // by Point.Index
	marks  []mark   // by fault; strikes is not used
	steps  uint64
}

// add adds the counts of t. Under registry.mu, between Hide and Show.
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

// enlarged returns a copy of counts with that many elements. append and copy would be seen by
// the race detector.
//
//go:norace
func enlarged(counts []uint64, size int) []uint64 {
	larger := make([]uint64, size)
	//lint:ignore S1001 copy would be seen by the race detector
	for i, n := range counts {
		larger[i] = n
	}
	return larger
}

// total adds up the counts of all tasks, living and ended.
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

// Counts returns the counts so far. It may be called at any time, from any goroutine, also
// after Disarm, and stops no goroutine: visits meanwhile may be counted or not. It costs a few
// nanoseconds for each living task and each point.
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
		c.Faults = append(c.Faults, FaultCount{At: f.at, Kind: f.kind.String(), Hits: m.hits, Skipped: m.skipped, Fires: m.fires, Expired: uint64(f.expired.value())})
	}
	return c
}

// Progress returns how often hook points were visited. Otherwise it is like Counts.
func (e *Engine) Progress() uint64 { return e.in.total().steps }

// Injecting returns the number of goroutines that are inside an injected delay or hold now.
func (e *Engine) Injecting() int { return int(e.in.inside.value()) }
