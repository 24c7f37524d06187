package control

import (
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
}

// A FaultCount says how often a fault of the plan could have fired, and did.
type FaultCount struct{ Hits, Fires int }

// arm makes the plan ready. The plan has been checked.
func (f *faults) arm(p plan.Plan) {
	*f = faults{plan: p.Faults, seed: p.Seed, armed: len(p.Faults) > 0}
	f.left = make([]int, len(f.plan))
	f.counts = make([]FaultCount, len(f.plan))
	for i, fault := range f.plan {
		f.below = append(f.below, splitmix.Threshold(fault.Probability))
		f.on(seam.Lookup(fault.At), i)
	}
}

func (f *faults) on(p *seam.Point, i int) {
	for len(f.at) <= p.Index {
		f.at = append(f.at, nil)
	}
	f.at[p.Index] = append(f.at[p.Index], i)
}

// repeat makes the fires ready, instead of a plan.
func (f *faults) repeat(fires []strategy.Fire) {
	*f = faults{replays: fires, used: make([]bool, len(fires)), armed: len(fires) > 0}
	for i, fire := range fires {
		if p := seam.Lookup(fire.Point); p != nil {
			f.on(p, i)
		}
	}
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
	yield  bool
	copies int // of a notification
	failed bool
	value  uint64
}

// consult says what is done to t at p. can is what the verb can carry, value what a
// Value has.
//
//go:norace
func (e *engine) consult(t *task, p *seam.Point, can seam.Fault, value uint64) effect {
	f := &e.faults
	r := effect{copies: 1, value: value}
	if p.Index >= len(f.at) || f.at[p.Index] == nil {
		return r
	}
	visit := t.visit(p)
	for _, i := range f.at[p.Index] {
		var fire strategy.Fire
		if f.replays != nil {
			if fire = f.replays[i]; fire.Task != t.Key || fire.Visit != visit || fire.Kind&can == 0 {
				continue
			}
			f.used[i] = true
		} else {
			c := &f.plan[i]
			if c.Kind&can == 0 || !e.strikes(c, t) || c.Count > 0 && f.left[i] == 0 {
				continue
			}
			f.counts[i].Hits++
			draw := splitmix.Mix(splitmix.Mix(splitmix.Mix(splitmix.Mix(f.seed, t.Key), p.Key), uint64(visit)), uint64(i))
			if draw>>11 >= f.below[i] {
				continue
			}
			f.left[i]--
			f.counts[i].Fires++
			fire = strategy.Fire{Task: t.Key, Point: p.Name, Visit: visit, Kind: c.Kind, Value: amount(c, draw, r.value)}
		}
		f.fires = append(f.fires, fire)
		e.hash = splitmix.Mix(e.hash, uint64(fire.Kind)^fire.Value)
		switch fire.Kind {
		case seam.Delay:
			r.delay += int64(fire.Value)
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

// strikes reports whether t is in the fault's scope.
//
//go:norace
func (e *engine) strikes(f *plan.Fault, t *task) bool {
	return f.Task == "" || f.Task == t.label || f.Task == t.path()
}

// lengthSalt sets the draw of a delay's length apart from that of its firing.
const lengthSalt = 1

// amount returns the value of a fire.
//
//go:norace
func amount(f *plan.Fault, draw, value uint64) uint64 {
	switch {
	case f.Kind == seam.Delay:
		return uint64(splitmix.Between(draw, lengthSalt, f.Min, f.Max))
	case f.Kind != seam.Roll:
		return 0
	case f.To != nil:
		return *f.To
	case f.By != 0:
		return value + uint64(f.By)
	}
	by := int64(plan.RollBy)
	return value + uint64(by)
}

// visit counts the task's visits of the point, from 0.
//
//go:norace
func (t *task) visit(p *seam.Point) int {
	for i := range t.visits {
		if v := &t.visits[i]; v.point == p {
			v.n++
			return v.n
		}
	}
	t.visits = append(t.visits, visits{point: p})
	return 0
}

type visits struct {
	point *seam.Point
	n     int
}

// suffer does what a visit's effect is to the task itself.
//
//go:norace
func (e *engine) suffer(r effect) {
	if r.delay > 0 {
		e.Sleep(nil, r.delay)
	}
	if r.yield {
		e.Yield()
	}
}
