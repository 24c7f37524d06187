package explore

import (
	"slices"

	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// Bounds of what is repeated to find executions that pass: decisions, experiments of a kind, and the steps of all.
const mostLeftOut, mostSwaps, mostRepeated = 64, 64, 1_000_000

// Order adds to an explanation what decides between the execution and the nearest one that passes. schedule is a copy
// of that of the trace, from before anything was repeated.
func (t *Trace) Order(schedule strategy.Schedule, why explain.Wakeup) explain.Wakeup {
	if t.TracedFrom > 0 || t.Verdict == verdict.DataRace { // a race is reported once in a process
		return why
	}
	left := mostRepeated
	passing := t.swapped(schedule, &left)
	if len(passing) == 0 {
		passing = t.without(schedule)
	}
	return t.against(why, passing...)
}

// against adds to an explanation what decides between the execution and others.
func (t *Trace) against(why explain.Wakeup, passing ...explain.Passing) explain.Wakeup {
	why.Difference = explain.Order(t.Events, passing...)
	why.Cited = append(why.Cited, why.Difference.Cited...)
	slices.Sort(why.Cited)
	why.Cited = slices.Compact(why.Cited)
	return why
}

// swapped returns the executions that pass if two operations come in the other order; if there is none, one that
// passes if an operation comes later.
func (t *Trace) swapped(schedule strategy.Schedule, left *int) (all []explain.Passing) {
	two, late := explain.Swaps(t.Events, mostSwaps)
	half := *left / 2
	for _, s := range two {
		if *left < half {
			break
		}
		if p := t.swap(schedule, s, left); p != nil {
			all = append(all, *p)
		}
	}
	if len(all) > 0 {
		return all
	}
	for _, s := range late {
		if *left < 0 {
			break
		}
		p := t.swap(schedule, s, left)
		if p == nil {
			continue
		}
		all = append(all, *p)
		for _, n := range s.Nearer(t.Events, p.Events) {
			if *left < 0 {
				break
			}
			if p := t.swap(schedule, n, left); p != nil {
				return []explain.Passing{*p}
			}
		}
	}
	return all
}

// swap makes an experiment, and returns the execution if it passes.
func (t *Trace) swap(schedule strategy.Schedule, s explain.Swap, left *int) *explain.Passing {
	r, swapped := t.search.Engine.Swap(schedule, s.Swap, t.search.Body(t.x))
	*left -= r.Steps
	if r = t.search.Judge(r); !swapped || r.Verdict != verdict.Pass {
		return nil
	}
	other := t.search.Trace(t.x, r.Schedule.Clone())
	*left -= other.Steps
	if other.Verdict != verdict.Pass {
		return nil
	}
	return &explain.Passing{Events: other.Events, Swap: &s}
}

// without returns the executions that pass if one decision of the schedule is left out, or else the one without any.
func (t *Trace) without(schedule strategy.Schedule) (all []explain.Passing) {
	n := len(schedule.Deviations)
	if n > mostLeftOut || n*t.Steps > mostRepeated {
		return nil
	}
	try := func(from, to int) {
		without := schedule.Clone()
		without.Deviations = slices.Delete(without.Deviations, from, to)
		if other := t.search.Trace(t.x, without); other.Verdict == verdict.Pass {
			all = append(all, explain.Passing{Events: other.Events})
		}
	}
	for i := range n {
		try(i, i+1)
	}
	if len(all) == 0 && n > 1 {
		try(0, n)
	}
	return all
}
