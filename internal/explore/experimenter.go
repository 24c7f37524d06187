package explore

import (
	"math"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// What decides is a claim: the execution fails if this comes before that, and passes if that comes first. An experiment
// finds a claim: it repeats the execution with one thing changed, and that passes. Then the claim is tested. Executions
// are drawn that are like the one that fails up to there, and differ from it at random afterwards: mostTested in which the
// operations come in the order of the failing one, and mostTested in which they come in the other. The claim is made
// only if nearly all of the former fail, and of the latter pass.

// Bounds of the experiments: swaps that are tried, claims that are tested, executions that test one, and the steps of
// all that find and test claims, and of those after them. A claim that fewer than leastTested executions have tested is
// not made.
const (
	mostSwaps     = 4096
	mostClaims    = 8
	mostTested    = 100
	leastTested   = 20
	mostRepeated  = 500_000
	mostUndecided = 500_000
	mostMissed    = 20 // one in so many may end otherwise
	// firingSteps is how many steps take as long as a timer that fires.
	firingSteps = 4
	// sameWay is how many executions have to take the same way for there to be nothing that can vary.
	sameWay = 16
)

// An experimenter makes experiments with an execution that fails.
type experimenter struct {
	*Trace
	schedule strategy.Schedule
	left     int  // steps
	other    int  // executions that took another way
	cut      bool // a bound was reached
	bound    int  // the rank that claims of interest are below
}

// An end is how an execution ends.
type end int

const (
	neither end = iota
	fails
	passes
)

// run makes an experiment. It returns how it ended; neither, if it has not been what it was to be, or has failed in a way
// that does not count, or has reached a limit.
func (x *experimenter) run(by strategy.Schedule, s control.Swap) (control.Result, end) {
	if x.left < 0 || x.cut || x.search.Enough() {
		x.cut = true
		return control.Result{}, neither
	}
	r, applies := x.search.Engine.Swap(by, s, x.search.Body(x.x))
	r = x.search.Judge(r)
	x.left -= cost(r)
	if r.Hash != x.Hash {
		x.other++
	}
	switch {
	case !applies || r.Noted || r.Verdict == verdict.Timeout || r.Verdict == verdict.Uncontrolled || r.Verdict == verdict.Nondeterminism:
		return r, neither
	case r.Verdict == verdict.Pass:
		return r, passes
	}
	return r, fails
}

// cost is how many steps take as long as an execution.
func cost(r control.Result) int { return r.Steps + firingSteps*r.Firings }

// traced returns the events of an experiment that has passed, or nil if it does not when it is repeated.
func (x *experimenter) traced(r control.Result) []control.Event {
	other := x.search.Trace(x.x, r.Schedule.Clone())
	if x.left -= cost(other.Result); other.Verdict != verdict.Pass || other.Noted || other.TracedFrom > 0 {
		return nil
	}
	return other.Events
}

// A claim is what may decide: with is an experiment that ends as the failing execution does, and without one that passes.
type claim struct {
	by      strategy.Schedule // of without
	with    control.Swap
	without control.Swap
	says    func(explain.Figures) explain.Difference
	rank    int // of the code that it names, the lower the better
}

// test runs executions in which the claim is as in the failing one, and others in which it is not.
func (x *experimenter) test(c claim) (f explain.Figures, holds bool) {
	each := min(mostTested, x.left/4/max(1, cost(x.Result)))
	if each < leastTested {
		return f, false
	}
	for i := range each {
		with, without := c.with, c.without
		with.Vary, without.Vary = uint64(2*i+1), uint64(2*i+2)
		switch _, how := x.run(x.schedule, with); how {
		case fails:
			f.Fails++
			fallthrough
		case passes:
			f.With++
		}
		switch _, how := x.run(c.by, without); how {
		case passes:
			f.Passes++
			fallthrough
		case fails:
			f.Without++
		}
		if missed := max(i+1-f.Fails, i+1-f.Passes); x.cut || missed*mostMissed > each {
			return f, false
		}
	}
	return f, true
}

// decisive returns what decides between the execution and those that pass.
func (x *experimenter) decisive() explain.Difference {
	var best *claim
	var figures explain.Figures
	tested := 0
	x.bound = math.MaxInt
	for c := range x.claims() {
		if f, holds := x.test(c); holds && (best == nil || c.rank < best.rank || f.Missed() < figures.Missed()) {
			best, figures, x.bound = &c, f, c.rank
			if f.Missed() > 0 { // another one of that rank may hold without exception
				x.bound++
			}
		}
		if tested++; tested == mostClaims || x.bound == 0 {
			break
		}
	}
	if best != nil {
		return best.says(figures)
	}
	return x.undecided()
}

// claims returns the claims that experiments find: about faults, and then about operations, the latest one first after
// which the failure could still be averted.
func (x *experimenter) claims() func(yield func(claim) bool) {
	return func(yield func(claim) bool) {
		_ = x.faults(yield) && x.swaps(explain.Swaps(x.Events, x.Tasks, mostSwaps), yield) &&
			x.swaps(explain.FurtherSwaps(x.Events, x.Tasks, mostSwaps), yield)
	}
}

// swaps yields claims about operations that come in another order, or have another outcome.
func (x *experimenter) swaps(all []explain.Swap, yield func(claim) bool) bool {
	for _, s := range all {
		if s.FirstRank(x.Events) >= x.bound {
			continue
		}
		r, how := x.run(x.schedule, s.Swap)
		if how != passes {
			continue
		}
		events := x.traced(r)
		if s.Until == "" && s.Other == 0 {
			if s, events = x.nearer(s, events); s.Until == "" {
				continue
			}
		}
		s, ok := s.Seen(x.Events, events)
		if !ok {
			continue
		}
		with := s.Swap
		with.Stays, with.Other = true, 0
		c := claim{x.schedule, with, s.Swap, func(f explain.Figures) explain.Difference { return s.Claim(x.Events, f) }, s.Rank(x.Events)}
		if c.rank < x.bound && !yield(c) {
			return false
		}
	}
	return true
}

// nearer returns the experiment that keeps the task no longer than it has to be, with its events: until the first operation
// that conflicts, or else the first one of all, after which the execution passes. passing are the events of s.
func (x *experimenter) nearer(s explain.Swap, passing []control.Event) (found explain.Swap, events []control.Event) {
	conflicting, all := s.Nearer(x.Events, passing)
	for _, n := range conflicting {
		if r, how := x.run(x.schedule, n.Swap); how == passes {
			return n, x.traced(r)
		}
	}
	found = s
	var last control.Result
	for from, to := 0, len(all); from < to; {
		middle := (from + to) / 2
		switch r, how := x.run(x.schedule, all[middle].Swap); how {
		case passes:
			found, to, last = all[middle], middle, r
		case fails:
			from = middle + 1
		default: // the task cannot be kept for so long
			to = middle
		}
	}
	if found.Until != "" {
		events = x.traced(last)
	}
	return found, events
}

// faults yields claims about faults of the plan.
func (x *experimenter) faults(yield func(claim) bool) bool {
	for i := range x.schedule.Fires {
		without := x.schedule.Clone()
		without.Fires = append(without.Fires[:i:i], without.Fires[i+1:]...)
		r, how := x.run(without, anywhere)
		if how != passes {
			continue
		}
		events := x.traced(r)
		at := explain.FaultLeftOut(x.Events, events)
		if at < 0 {
			continue
		}
		stays := explain.UpTo(x.Events, at)
		says := func(f explain.Figures) explain.Difference { return explain.ClaimOfFault(x.Events, at, f) }
		if !yield(claim{without, stays, stays, says, explain.RankOfFault(x.schedule.Fires[i])}) {
			return false
		}
	}
	return true
}

// anywhere changes nothing, so that what varies may do so from the beginning.
var anywhere = control.Swap{Task: "main", Op: -1, Stays: true}

// undecided describes how executions end that differ from the failing one at random, if no order decides.
func (x *experimenter) undecided() explain.Difference {
	var near []control.Event
	n, passed, other := 0, 0, x.other
	x.left, x.cut = mostUndecided, false
	for seed := range 2 * mostTested {
		varied := anywhere
		varied.Vary = uint64(seed + 1)
		r, how := x.run(x.schedule, varied)
		if x.cut {
			break
		}
		if how != neither {
			n++
		}
		if how == passes {
			if passed++; near == nil {
				near = x.traced(r)
			}
		}
		if n == sameWay && x.other == other {
			break
		}
	}
	if n < sameWay {
		return explain.Difference{}
	}
	return explain.Undecided(x.Events, near, explain.Figures{With: n, Fails: n - passed}, x.other == other)
}

// flipped returns what decides with a given passing execution: among the pairs of operations that have the other order
// there, it looks for one whose flip alone makes the execution pass, then for what decides otherwise. If it finds nothing,
// it shows the first pair that differs.
func (x *experimenter) flipped() explain.Difference {
	tried := 0
	for _, s := range explain.Flips(x.Events, x.passing, mostSwaps) {
		_, how := x.run(x.schedule, s.Swap)
		if x.cut {
			break
		}
		tried++
		if how != passes {
			continue
		}
		with := s.Swap
		with.Stays = true
		if f, holds := x.test(claim{by: x.schedule, with: with, without: s.Swap}); holds {
			return s.Claim(x.Events, f)
		}
	}
	if d := x.decisive(); d.Decides {
		return d
	}
	return explain.Apart(x.Events, x.passing, tried)
}
