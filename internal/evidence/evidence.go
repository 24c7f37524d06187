package evidence

import (
	"slices"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/orders"
)

// An Evidence is what is known of executions that all passed.
type Evidence struct {
	Executions int             `json:"-"`
	Orders     *orders.Summary `json:"-"` // nil if they were not counted
	// Bounds are those of PCT, ascending by depth: of executions that it has scheduled. They are nil if something that
	// was out of control withdraws them.
	Bounds []Bound `json:"pct,omitempty"`
	// Timers were armed, sleeps included; in Early executions one fired though a task could continue, and in Far
	// ones one did not because it was too far ahead.
	Timers int `json:"timers"`
	Early  int `json:"early"`
	Far    int `json:"far,omitempty"`
	// Uncounted executions fail after such a timer, and do not count for that.
	Uncounted int `json:"uncounted,omitempty"`
	// Forced is in how many executions the engine has decided without asking the strategy, although there was a
	// choice.
	Forced int `json:"forced,omitempty"`
	// Uncontrolled is what was noticed to be out of control.
	Uncontrolled []Cause `json:"uncontrolled"`
	// Searched: an exhaustive strategy chose, which makes no schedule twice. There are no chances in that.
	Searched bool `json:"-"`
	// Exhausted is what the strategy reports that has nothing left to explore; "" if it has.
	Exhausted string `json:"-"`

	// Racy is how a user asks for the racy clock; "" if that was the clock.
	Racy string `json:"-"`
}

// A Bound is from below: a bug of that depth, within so many steps, would have been found with that
// probability or a higher one. See strategy.Guarantee.
type Bound struct {
	Depth       int     `json:"depth"`
	Executions  int     `json:"executions"`
	Tasks       int     `json:"tasks"`
	Steps       int     `json:"steps"`
	Within      int     `json:"within"`
	Probability float64 `json:"probability"`
}

// Of is the evidence of so many executions of a subject in so many settings, 0 of one without. What was out
// of control may take the chance of a new order from what was seen, and an exhaustive strategy (searched) does:
// the estimate is of executions that are drawn alike.
func Of(executions, settings int, searched bool, seen *orders.Summary, c *Counts) *Evidence {
	e := &Evidence{
		Executions: executions, Searched: searched, Orders: seen, Bounds: c.bounds(max(settings, 1)), Timers: c.Timers, Early: c.Early, Far: c.Far, Uncounted: c.Uncounted, Forced: c.Forced,
		Uncontrolled: append([]Cause{}, c.Uncontrolled...),
	}
	if e.Withdrawn() != "" {
		e.Bounds = nil
	}
	if searched || e.Withdrawn() != "" {
		e.Orders = seen.WithoutChance()
	}
	return e
}

// Merge joins the evidence of parts of the executions of a subject, but for their number and their orders.
func Merge(parts ...*Evidence) *Evidence {
	var c Counts
	sum := &Evidence{}
	for _, p := range parts {
		c.Add(&Counts{Timers: p.Timers, Uncontrolled: p.Uncontrolled})
		sum.Early += p.Early
		sum.Far += p.Far
		sum.Uncounted += p.Uncounted
		sum.Forced += p.Forced
		for _, b := range p.Bounds {
			sum.merge(b)
		}
	}
	sum.Timers, sum.Uncontrolled = c.Timers, append([]Cause{}, c.Uncontrolled...)
	if sum.Withdrawn() != "" {
		sum.Bounds = nil
	}
	return sum
}

func (e *Evidence) merge(b Bound) {
	i, found := slices.BinarySearchFunc(e.Bounds, b.Depth, func(a Bound, depth int) int { return a.Depth - depth })
	if !found {
		e.Bounds = slices.Insert(e.Bounds, i, b)
		return
	}
	a := &e.Bounds[i]
	a.Executions += b.Executions
	a.Tasks, a.Steps, a.Within = max(a.Tasks, b.Tasks), max(a.Steps, b.Steps), min(a.Within, b.Within)
	a.Probability = 1 - (1-a.Probability)*(1-b.Probability)
}

// bounds are those that hold in every setting.
func (c *Counts) bounds(settings int) (all []Bound) {
	in := map[int]int{} // settings, by depth
	for _, d := range c.PCT {
		if d.Steps <= 1 {
			continue // there was nothing to choose
		}
		b := Bound{d.Depth, d.Executions, d.Tasks, d.Steps, d.Within, d.least()}
		in[d.Depth]++
		i := slices.IndexFunc(all, func(a Bound) bool { return a.Depth == d.Depth })
		switch {
		case i < 0:
			all = append(all, b)
		case b.Probability < all[i].Probability:
			all[i] = b
		}
	}
	all = slices.DeleteFunc(all, func(b Bound) bool { return in[b.Depth] < settings })
	slices.SortFunc(all, func(a, b Bound) int { return a.Depth - b.Depth })
	return all
}

func (d *Depth) least() float64 {
	return strategy.Guarantee{Depth: d.Depth, Tasks: d.Tasks, Steps: d.Steps}.Least(d.Executions)
}
