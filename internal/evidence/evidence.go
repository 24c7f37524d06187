package evidence

import (
	"slices"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/orders"
)

// An Evidence holds what is known about executions that all passed.
type Evidence struct {
	Executions int             `json:"-"`
	Orders     *orders.Summary `json:"-"` // nil if orders were not counted
	// Bounds are the bounds of PCT for the executions that it has scheduled, ascending by depth. They are nil if
	// something that was out of control invalidates them.
	Bounds []Bound `json:"pct,omitempty"`
	// Timers counts armed timers, including sleeps. In Early executions one fired though a task could continue, and in
	// Far executions one did not because it was too far ahead.
	Timers int `json:"timers"`
	Early  int `json:"early"`
	Far    int `json:"far,omitempty"`
	// Uncounted is how many executions fail after an early timer, and therefore do not count.
	Uncounted int `json:"uncounted,omitempty"`
	// Forced is in how many executions the engine decided without asking the strategy, although there was a
	// choice.
	Forced int `json:"forced,omitempty"`
	// Uncontrolled lists what was noticed to be out of control.
	Uncontrolled []Cause `json:"uncontrolled"`
	// Searched means that an exhaustive strategy chose, which makes no schedule twice. Then no chances apply.
	Searched bool `json:"-"`
	// Exhausted is the result of a strategy that has nothing left to explore, or "" if something is left.
	Exhausted string `json:"-"`

	// Racy is the option that selects the racy clock, or "" if that clock was used.
	Racy string `json:"-"`
}

// A Bound is a lower bound: a bug of depth Depth within Within steps would have been found with at least
// Probability. See strategy.Guarantee.
type Bound struct {
	Depth       int     `json:"depth"`
	Executions  int     `json:"executions"`
	Tasks       int     `json:"tasks"`
	Steps       int     `json:"steps"`
	Within      int     `json:"within"`
	Probability float64 `json:"probability"`
}

// Of returns the evidence of executions of a subject with the given number of settings, 0 for a subject without.
// Causes that were out of control may remove the chance of a new order from seen, and an exhaustive strategy (searched)
// always does: the estimate needs executions drawn from the same distribution.
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

// Merge merges the evidence of parts of the executions of a subject, except for their number and their orders.
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

// bounds returns the bounds that hold in every setting.
func (c *Counts) bounds(settings int) (all []Bound) {
	in := map[int]int{} // settings, by depth
	for _, d := range c.PCT {
		if d.Steps <= 1 {
			continue // no choice
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
