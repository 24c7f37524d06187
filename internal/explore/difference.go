package explore

import (
	"slices"

	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// Bounds on the repetitions that look for executions that pass: decisions, experiments, and their steps in total.
const mostLeftOut, mostSwaps, mostRepeated = 64, 256, 1_000_000

// Order adds to an explanation what decides between the execution and the nearest one that passes, or the one of
// Against. For a panic it also adds what had closed the channel. schedule is a copy of the trace's schedule from before
// any repetition.
func (t *Trace) Order(schedule strategy.Schedule, why explain.Wakeup) explain.Wakeup {
	why = why.WithCloser(t.Events, &t.Result)
	switch {
	case t.TracedFrom > 0, t.Verdict == verdict.Pass, t.once:
		return why
	case t.Verdict == verdict.DataRace, t.Verdict == verdict.ReliesOnSC: // the former is reported once in a process; for the latter order does not matter
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

// swapped returns an execution that passes because an operation comes after another: for the last operation for which
// it finds one, and the first other operation.
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

// swap makes an experiment, and returns the execution if it passes. left counts the steps that may still be repeated.
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

// without returns the executions that pass when one decision of the schedule is left out, or else the execution without
// any decision, if that passes.
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
		if t.search.Enough() { // a part of them proves nothing
			return nil
		}
		try(i, i+1)
	}
	if len(all) == 0 && n > 1 {
		try(0, n)
	}
	return all
}
