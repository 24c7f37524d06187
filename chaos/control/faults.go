package control

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

// faults are the plan, made ready, or a list of fires that is to be repeated.
type faults struct {
	plan    []plan.Fault
	below   []uint64 // what the draw of each has to stay below
	left    []int    // of its count
	at      [][]int  // by Point.Index, the places in plan; nil if the point has none
	armed   bool
	seed    uint64
	fires   []strategy.Fire
	replays []strategy.Fire // to repeat, instead of drawing
	used    []bool          // of replays
	counts  []FaultCount
	turns   []firing.Turns
	limits  []time.Duration // of holds
	// awaited are the points that end a hold, by Point.Index: as the plan has them, or the
	// fires that are to be repeated.
	awaited []bool
}

// A FaultCount says how often a fault of the plan was hit (see plan.Fault), and fired.
type FaultCount struct {
	Hits, Fires int
	// Skipped is how many of the hits From and Every left out; a draw decided the others.
	Skipped int
	// Expired is how many of a hold's fires ended because nobody else could go on, or by
	// its limit, and not because the other point was passed.
	Expired int
}

// arm makes the plan ready. The plan has been checked.
func (f *faults) arm(p plan.Plan) {
	*f = faults{plan: p.Faults, seed: p.Seed, armed: len(p.Faults) > 0}
	f.left = make([]int, len(f.plan))
	f.counts = make([]FaultCount, len(f.plan))
	for i, fault := range f.plan {
		f.below = append(f.below, splitmix.Threshold(fault.Probability))
		f.turns = append(f.turns, firing.TurnsOf(&fault))
		f.limits = append(f.limits, firing.Limit(&fault))
		f.index(seam.Lookup(fault.At), i)
		if fault.Kind == seam.Hold {
			f.endsHold(seam.Lookup(fault.Until))
		}
	}
}

// await says that visits of p end holds.
func (f *faults) endsHold(p *seam.Point) {
	for len(f.awaited) <= p.Index {
		f.awaited = append(f.awaited, false)
	}
	f.awaited[p.Index] = true
}

func (f *faults) index(p *seam.Point, i int) {
	for len(f.at) <= p.Index {
		f.at = append(f.at, nil)
	}
	f.at[p.Index] = append(f.at[p.Index], i)
}

// repeat makes the fires ready, instead of a plan.
func (f *faults) repeat(fires []strategy.Fire) {
	*f = faults{replays: fires, used: make([]bool, len(fires)), armed: len(fires) > 0}
	for i, fire := range fires {
		p, until := seam.Lookup(fire.Point), seam.Lookup(fire.Until)
		if p == nil || fire.Kind == seam.Hold && until == nil {
			continue // the program is another now
		}
		f.index(p, i)
		if until != nil {
			f.endsHold(until)
		}
	}
	for _, at := range f.at { // for replayed to look up; those of one visit stay in their order
		slices.SortStableFunc(at, func(a, b int) int {
			return cmp.Or(cmp.Compare(fires[a].Task, fires[b].Task), cmp.Compare(fires[a].Visit, fires[b].Visit))
		})
	}
}

// replayed are the places in replays of what is to be repeated at that visit, found by
// bisection: a recording may have very many. The race detector would see a map.
//
//go:norace
func (f *faults) firesAt(at []int, task uint64, visit int) []int {
	low, high := 0, len(at)
	for low < high {
		if mid := (low + high) / 2; f.replays[at[mid]].Task < task || f.replays[at[mid]].Task == task && f.replays[at[mid]].Visit < visit {
			low = mid + 1
		} else {
			high = mid
		}
	}
	for high = low; high < len(at) && f.replays[at[high]].Task == task && f.replays[at[high]].Visit == visit; high++ {
	}
	return at[low:high]
}

// unused returns what was to be repeated and was not.
func (f *faults) unused() []strategy.Fire {
	var unused []strategy.Fire
	for i, fire := range f.replays {
		if !f.used[i] {
			unused = append(unused, fire)
		}
	}
	return unused
}

// begin resets the counts for an execution.
func (f *faults) begin(seed uint64) {
	f.fires = f.fires[:0]
	f.seed = seed
	for i := range f.left {
		f.left[i] = f.plan[i].Count
		f.counts[i] = FaultCount{}
	}
}

// An effect is what the faults at one visit amount to.
type effect struct {
	delay  int64
	until  *seam.Point // of a hold; nil: there is none
	limit  int64       // of it
	held   int         // its place in the plan, or among those that are repeated
	yield  bool
	copies int // of a notification
	failed bool
	value  uint64
}

// drawFaults says what is done to t at p. can is what the verb can carry, value what a
// Value has.
//
//go:norace
func (e *engine) drawFaults(t *task, p *seam.Point, can seam.Fault, value uint64) effect {
	f := &e.faults
	r := effect{copies: 1, value: value}
	if p.Index >= len(f.at) || f.at[p.Index] == nil {
		return r
	}
	visit, at := t.nextVisit(p), f.at[p.Index]
	if f.replays != nil {
		at = f.firesAt(at, t.Key, visit)
	}
	for _, i := range at {
		var fire strategy.Fire
		if f.replays != nil {
			if fire = f.replays[i]; fire.Kind&can == 0 {
				continue
			}
			f.used[i] = true
		} else {
			c := &f.plan[i]
			if c.Kind&can == 0 || !e.inScope(c, t) || c.Count > 0 && f.left[i] == 0 {
				continue
			}
			f.counts[i].Hits++
			if !f.turns[i].All() && !f.turns[i].Has(t.nextHit(i)) {
				f.counts[i].Skipped++
				continue
			}
			draw := splitmix.Mix(splitmix.Mix(splitmix.Mix(splitmix.Mix(f.seed, t.Key), p.Key), uint64(visit)), uint64(i))
			if draw>>11 >= f.below[i] {
				continue
			}
			f.left[i]--
			f.counts[i].Fires++
			fire = strategy.Fire{Task: t.Key, Point: p.Name, Visit: visit, Kind: c.Kind, Value: f.fireValue(i, draw, r.value), Until: c.Until}
		}
		f.fires = append(f.fires, fire)
		if e.tracing {
			e.traceFault(t, p.Name, fire.Kind.String())
		}
		e.hash = splitmix.Mix(e.hash, uint64(fire.Kind)^fire.Value)
		switch fire.Kind {
		case seam.Delay:
			r.delay += int64(fire.Value)
		case seam.Hold:
			r.until, r.limit, r.held = seam.Lookup(fire.Until), int64(fire.Value), i
			e.hash = splitmix.Mix(e.hash, r.until.Key)
		case seam.Yield:
			r.yield = true
		case seam.Drop:
			r.copies = 0
		case seam.Duplicate:
			r.copies = 2
		case seam.Fail, seam.Spurious:
			r.failed = true
		case seam.Roll:
			r.value = fire.Value
		}
	}
	return r
}

// inScope reports whether t is in the fault's scope.
//
//go:norace
func (e *engine) inScope(f *plan.Fault, t *task) bool {
	if f.Task == "" || f.Task == t.label {
		return true
	}
	path := t.path()
	return f.Task == path || firing.IsPattern(f.Task) && (firing.Matches(f.Task, t.label) || firing.Matches(f.Task, path))
}

// lengthSalt sets the draw of a delay's length apart from that of its firing.
const lengthSalt = 1

// amount returns the value of a fire of the plan's i-th fault.
//
//go:norace
func (f *faults) fireValue(i int, draw, value uint64) uint64 {
	c := &f.plan[i]
	switch {
	case c.Kind == seam.Delay:
		return uint64(firing.Length(c, draw, lengthSalt))
	case c.Kind == seam.Hold:
		return uint64(f.limits[i])
	case c.Kind != seam.Roll:
		return 0
	case c.To != nil:
		return *c.To
	case c.By != 0:
		return value + uint64(c.By)
	}
	by := int64(plan.RollBy)
	return value + uint64(by)
}

// visit counts the task's visits of the point, from 0.
//
//go:norace
func (t *task) nextVisit(p *seam.Point) int {
	for i := range t.visits {
		if v := &t.visits[i]; v.point == p {
			v.n++
			return v.n
		}
	}
	t.visits = append(t.visits, visits{point: p})
	return 0
}

// hit counts the task's hits of the plan's i-th fault, from 1.
//
//go:norace
func (t *task) nextHit(i int) uint64 {
	for len(t.hits) <= i {
		t.hits = append(t.hits, 0)
	}
	t.hits[i]++
	return t.hits[i]
}

type visits struct {
	point *seam.Point
	n     int
}

// applyFaults is the current task's visit of p: what the faults do to the task itself, and
// to those that wait for somebody to pass. It returns the rest.
//
//go:norace
func (e *engine) applyFaults(p *seam.Point, can seam.Fault, value uint64) effect {
	r := e.drawFaults(e.current(), p, can, value)
	if r.delay > 0 {
		e.Sleep(nil, r.delay)
	}
	if r.until != nil {
		e.hold(&r)
	}
	if r.yield {
		e.Yield()
	}
	if p.Index < len(e.faults.awaited) && e.faults.awaited[p.Index] {
		e.endHolds(p)
	}
	return r
}
