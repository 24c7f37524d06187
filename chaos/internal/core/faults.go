package core

import (
	"cmp"
	"slices"
	"time"

	"github.com/rouse-go/rouse/chaos/internal/firing"
	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// faults holds a plan from which fires are drawn, or a list of fires to repeat.
type faults struct {
	plan    []plannedFault
	Replays []strategy.Fire // to repeat, instead of drawing
	Used    []bool          // of Replays
	Armed   bool
	At      [][]int // by Point.Index, the places in plan or Replays; nil if the point has none
	EndHold []bool  // by Point.Index: the points that end a hold
	seed    uint64
	Fires   []strategy.Fire
	Counts  []FaultCount
}

type plannedFault struct {
	plan.Fault
	threshold uint64 // it fires if the draw is below
	turns     firing.Turns
	limit     time.Duration // of a hold
	left      int           // fires left of its Count
}

// A FaultCount counts how often a fault of the plan was hit (see plan.Fault), and fired.
type FaultCount struct {
	Hits, Fires int
	// Skipped is how many of the hits From and Every left out; a draw decided the others.
	Skipped int
	// Expired is how many of a hold's fires ended because no other task could continue, or by its
	// limit, and not because the other point was passed.
	Expired int
}

// Arm prepares the faults of p, which has been checked.
func (f *faults) Arm(p plan.Plan) {
	*f = faults{plan: make([]plannedFault, len(p.Faults)), Counts: make([]FaultCount, len(p.Faults)), seed: p.Seed, Armed: len(p.Faults) > 0}
	for i, fault := range p.Faults {
		f.plan[i] = plannedFault{Fault: fault, threshold: splitmix.Threshold(fault.Probability), turns: firing.TurnsOf(&fault), limit: firing.Limit(&fault)}
		f.index(seam.Lookup(fault.At), i)
		if fault.Kind == seam.Hold {
			f.addEndOfHold(seam.Lookup(fault.Until))
		}
	}
}

// Repeat prepares the fires to be repeated, in place of a plan.
func (f *faults) Repeat(fires []strategy.Fire) {
	*f = faults{Replays: fires, Used: make([]bool, len(fires)), Armed: len(fires) > 0}
	for i, fire := range fires {
		p, until := seam.Lookup(fire.Point), seam.Lookup(fire.Until)
		if p == nil || fire.Kind == seam.Hold && until == nil {
			continue // the recording is of another version of the program
		}
		f.index(p, i)
		if until != nil {
			f.addEndOfHold(until)
		}
	}
	for _, at := range f.At { // for firesAt to search; those of one visit stay in their order
		slices.SortStableFunc(at, func(a, b int) int {
			return cmp.Or(cmp.Compare(fires[a].Task, fires[b].Task), cmp.Compare(fires[a].Visit, fires[b].Visit))
		})
	}
}

func (f *faults) index(p *seam.Point, i int) {
	for len(f.At) <= p.Index {
		f.At = append(f.At, nil)
	}
	f.At[p.Index] = append(f.At[p.Index], i)
}

func (f *faults) addEndOfHold(p *seam.Point) {
	for len(f.EndHold) <= p.Index {
		f.EndHold = append(f.EndHold, false)
	}
	f.EndHold[p.Index] = true
}

// firesAt returns the places in Replays of the fires to repeat at that visit. It bisects: a
// recording may have very many. (The race detector would see a map.)
//
//go:norace
func (f *faults) firesAt(at []int, task uint64, visit int) []int {
	low, high := 0, len(at)
	for low < high {
		if mid := (low + high) / 2; f.Replays[at[mid]].Task < task || f.Replays[at[mid]].Task == task && f.Replays[at[mid]].Visit < visit {
			low = mid + 1
		} else {
			high = mid
		}
	}
	for high = low; high < len(at) && f.Replays[at[high]].Task == task && f.Replays[at[high]].Visit == visit; high++ {
	}
	return at[low:high]
}

// unused returns the fires to repeat that did not apply.
func (f *faults) unused() []strategy.Fire {
	var unused []strategy.Fire
	for i, fire := range f.Replays {
		if !f.Used[i] {
			unused = append(unused, fire)
		}
	}
	return unused
}

// Disarm forgets the points of plans that earlier executions have armed.
func (f *faults) Disarm() { f.At, f.EndHold = nil, nil }

// Begin resets the counts for an execution.
func (f *faults) Begin(seed uint64) {
	f.Fires = f.Fires[:0]
	f.seed = seed
	for i := range f.plan {
		f.plan[i].left = f.plan[i].Count
		f.Counts[i] = FaultCount{}
	}
}

// An Effect is the combined effect of the faults at one visit.
type Effect struct {
	Delay  int64
	Until  *seam.Point // the point that ends a hold; nil if there is none
	Limit  int64       // of the hold
	Held   int         // its place in the plan, or in Replays
	Yield  bool
	Copies int // of a notification
	Failed bool
	Value  uint64
}

// DrawFaults adds to r the faults that fire at p. can is the set that the function of hooks can
// carry.
//
//go:norace
func (e *Engine) DrawFaults(r *Effect, p *seam.Point, can seam.Fault) {
	f, t := &e.Faults, e.Running()
	visit, at := t.nextVisit(p), f.At[p.Index]
	if f.Replays != nil {
		for _, i := range f.firesAt(at, t.Key, visit) {
			if f.Replays[i].Kind&can != 0 {
				f.Used[i] = true
				e.fire(r, t, i, f.Replays[i])
			}
		}
		return
	}
	for _, i := range at {
		c := &f.plan[i]
		if c.Kind&can == 0 || !c.inScope(t) || c.Count > 0 && c.left == 0 {
			continue
		}
		f.Counts[i].Hits++
		if !c.turns.All() && !c.turns.Has(t.nextHit(i)) {
			f.Counts[i].Skipped++
			continue
		}
		draw := splitmix.Mix(splitmix.Mix(splitmix.Mix(splitmix.Mix(f.seed, t.Key), p.Key), uint64(visit)), uint64(i))
		if draw>>11 >= c.threshold {
			continue
		}
		c.left--
		f.Counts[i].Fires++
		e.fire(r, t, i, strategy.Fire{Task: t.Key, Point: p.Name, Visit: visit, Kind: c.Kind, Value: c.value(draw, r.Value), Until: c.Until})
	}
}

// fire records the fire, and adds it to r. i is its place in the plan or in Replays.
//
//go:norace
func (e *Engine) fire(r *Effect, t *Task, i int, fire strategy.Fire) {
	e.Faults.Fires = append(e.Faults.Fires, fire)
	if e.Tracing {
		e.traceFault(t, fire.Point, fire.Kind.String())
	}
	e.Hash = splitmix.Mix(e.Hash, uint64(fire.Kind)^fire.Value)
	switch fire.Kind {
	case seam.Delay:
		r.Delay += int64(fire.Value)
	case seam.Hold:
		r.Until, r.Limit, r.Held = seam.Lookup(fire.Until), int64(fire.Value), i
		e.Hash = splitmix.Mix(e.Hash, r.Until.Key)
	case seam.Yield:
		r.Yield = true
	case seam.Drop:
		r.Copies = 0
	case seam.Duplicate:
		r.Copies = 2
	case seam.Fail, seam.Spurious:
		r.Failed = true
	case seam.Roll:
		r.Value = fire.Value
	}
}

//go:norace
func (c *plannedFault) inScope(t *Task) bool {
	if c.Task == "" || c.Task == t.Label {
		return true
	}
	path := t.Path()
	return c.Task == path || firing.IsPattern(c.Task) && (firing.Matches(c.Task, t.Label) || firing.Matches(c.Task, path))
}

// lengthSalt separates the draw of a delay's length from the draw of its firing.
const lengthSalt = 1

// value returns the value of a fire. old is the value that a roll perturbs.
//
//go:norace
func (c *plannedFault) value(draw, old uint64) uint64 {
	switch {
	case c.Kind == seam.Delay:
		return uint64(firing.Length(&c.Fault, draw, lengthSalt))
	case c.Kind == seam.Hold:
		return uint64(c.limit)
	case c.Kind != seam.Roll:
		return 0
	case c.To != nil:
		return *c.To
	}
	by := int64(plan.RollBy)
	if c.By != 0 {
		by = int64(c.By)
	}
	return old + uint64(by)
}

type visits struct {
	point *seam.Point
	n     int
}

// nextVisit counts the task's visits of the point, from 0.
//
//go:norace
func (t *Task) nextVisit(p *seam.Point) int {
	for i := range t.visits {
		if v := &t.visits[i]; v.point == p {
			v.n++
			return v.n
		}
	}
	t.visits = append(t.visits, visits{point: p})
	return 0
}

// nextHit counts the task's hits of the plan's i-th fault, from 1.
//
//go:norace
func (t *Task) nextHit(i int) uint64 {
	for len(t.hits) <= i {
		t.hits = append(t.hits, 0)
	}
	t.hits[i]++
	return t.hits[i]
}
