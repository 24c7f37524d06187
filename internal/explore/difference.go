package explore

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/recording"
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
	for _, s := range explain.Swaps(t.Events, t.Tasks, mostSwaps) {
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

// ParseExecution reads SEED:EXECUTION, which names an execution of a run by the seed of the run and its number:
// 42:17, 0x2a:17.
func ParseExecution(text string) (seed uint64, n int, ok bool) {
	s, number, _ := strings.Cut(text, ":")
	base := 10
	if hex, is := strings.CutPrefix(strings.ToLower(s), "0x"); is {
		base, s = 16, hex
	}
	seed, err := strconv.ParseUint(s, base, 64)
	if err != nil {
		return 0, 0, false
	}
	at, err := strconv.ParseUint(number, 10, 31)
	return seed, int(at), err == nil
}

// An AgainstError reports that the execution to compare with cannot be used: it fails, does not exist or is too long.
type AgainstError struct{ Reason string }

func (e *AgainstError) Error() string { return e.Reason }

// Passing runs an execution that passes and returns its events, for Trace.Against. It is named by the text of a
// recording, or in the form of ParseExecution; then the seed of the search must be the one in the name. The error is an
// *AgainstError, or that of recording.Parse.
func (s *Search) Passing(named string) ([]control.Event, error) {
	var x strategy.Execution
	var by strategy.Schedule
	if _, n, ok := ParseExecution(named); ok {
		x = s.Execution(n)
		r, err := s.numbered(n)
		if err != nil {
			return nil, err
		}
		by = r
	} else {
		rec, err := recording.Parse("the recording", named)
		if err != nil {
			return nil, err
		}
		x, by = strategy.Execution{Number: rec.Execution, Seed: rec.Seed}, rec.Schedule()
	}
	t := s.Trace(x, by)
	switch {
	case t.Verdict != verdict.Pass:
		return nil, &AgainstError{fmt.Sprintf("it fails, too: %s: %s; want an execution that passes", t.Verdict, explain.Summary(t.Result))}
	case t.TracedFrom > 0:
		return nil, &AgainstError{fmt.Sprintf("it has %d steps, too many to compare", t.Steps)}
	}
	return t.Events, nil
}

// numbered returns the schedule of execution n. It first runs the executions that its strategy learns from.
func (s *Search) numbered(n int) (schedule strategy.Schedule, err error) {
	current, ran := 0, false
	s.Explore(Range{
		From: s.Batches.Of(n) * s.Batches.size, Judge: n, To: n + 1,
		Before: func(n int) bool { current = n; return true },
		After: func(r *control.Result) {
			if current == n {
				schedule, ran = r.Schedule.Clone(), true
			}
		},
	})
	if !ran {
		return schedule, &AgainstError{fmt.Sprintf("there is no execution %d: the strategy %s has nothing left to explore before", n, s.Batches.Name())}
	}
	return schedule, nil
}

// Against makes Order compare the execution with the given passing one instead of the nearest.
func (t *Trace) Against(passing []control.Event) { t.passing = passing }

// flipped is Order with a given passing execution: among the pairs of operations that have the other order there, it
// looks for one whose flip alone makes the execution pass. If it finds none, it shows the first pair that differs.
func (t *Trace) flipped(schedule strategy.Schedule, why explain.Wakeup) explain.Wakeup {
	left, tried := mostRepeated, 0
	for _, s := range explain.Flips(t.Events, t.passing, mostSwaps) {
		if left < 0 {
			break
		}
		tried++
		if p := t.swap(schedule, s, &left); p != nil {
			return why.With(explain.Order(t.Events, *p))
		}
	}
	return why.With(explain.Apart(t.Events, t.passing, tried))
}
