package explore

import (
	"slices"

	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// Bounds of what is repeated to find executions that pass: decisions, experiments, and the steps of all.
const mostLeftOut, mostSwaps, mostRepeated = 64, 256, 1_000_000

// Order adds to an explanation what decides between the execution and the nearest one that passes, or the one of
// Against, and of a panic what had closed the channel. schedule is a copy of that of the trace, from before anything was
// repeated.
func (t *Trace) Order(schedule strategy.Schedule, why explain.Wakeup) explain.Wakeup {
	why = why.WithCloser(t.Events, &t.Result)
	switch {
	case t.TracedFrom > 0, t.Verdict == verdict.Pass, t.once:
		return why
	case t.Verdict == verdict.DataRace, t.Verdict == verdict.ReliesOnSC: // reported once in a process; no question of order
		return why
	}
	if t.passing != nil {
		return t.flipped(schedule, why)
	}
	passing := t.swapped(schedule)
	if len(passing) == 0 {
		passing = t.without(schedule)
	}
	return why.With(explain.Order(t.Events, passing...))
}

// swapped returns the execution that passes if an operation comes after another: the last operation for which that is
// known, and the first other one.
func (t *Trace) swapped(schedule strategy.Schedule) []explain.Passing {
	left := mostRepeated
	for _, s := range explain.Swaps(t.Events, mostSwaps) {
		p := t.swap(schedule, s, &left)
		if p == nil {
			continue
		}
		for _, n := range s.Nearer(t.Events, p.Events) {
			if nearer := t.swap(schedule, n, &left); nearer != nil {
				p = nearer
				break
			}
		}
		return []explain.Passing{*p}
	}
	return nil
}

// swap makes an experiment, and returns the execution if it passes. left are the steps that may still be repeated.
func (t *Trace) swap(schedule strategy.Schedule, s explain.Swap, left *int) *explain.Passing {
	if *left < 0 || t.search.Enough() {
		return nil
	}
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
		if t.search.Enough() { // of some of them nothing follows
			return nil
		}
		try(i, i+1)
	}
	if len(all) == 0 && n > 1 {
		try(0, n)
	}
	return all
}
