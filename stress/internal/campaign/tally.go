package campaign

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/internal/orders"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
)

// A tally adds up the executions of one scenario and decides its verdict.
type tally struct {
	totals
	scenario *scenario.Scenario
	shard    scenario.Shard
	trace    []byte // flight recording of the execution whose result comes next

	// For a scenario whose shards are merged.
	merged     bool
	decided    bool      // a shard's failure has decided its verdict
	mergedOdds []float64 // odds over all shards
}

// totals is the part of a tally that a journal keeps.
type totals struct {
	Executions int
	Next       int                  // number of the next execution; under control, of the next batch
	Took       outcome.Latencies    `json:",omitzero"`
	Faults     []outcome.FaultCount `json:",omitempty"` // in the order of the plan
	Points     map[string]uint64    `json:",omitempty"` // visits by name
	Failure    *outcome.Result      `json:",omitempty"` // the last one
	Recording  string               `json:",omitempty"` // of the failure
	Search     *outcome.Search      `json:",omitempty"` // for it, under control; nil if there was none

	// Under control.
	Steps    uint64          `json:",omitempty"`
	Timers   uint64          `json:",omitempty"` // armed, with the lazy clock
	Complete bool            `json:",omitempty"` // the strategy has nothing left to explore
	Bounded  string          `json:",omitempty"` // what the strategy has left out then
	Schedule string          `json:",omitempty"` // of the failure, if it has one
	Shrunk   string          `json:",omitempty"` // file of a shorter recording of the failure
	Orders   orders.Counter  `json:",omitzero"`
	Evidence evidence.Counts `json:",omitzero"`
}

func newTally(sc *scenario.Scenario) *tally {
	return &tally{scenario: sc, totals: totals{Faults: run.PlannedFaults(sc)}}
}

// add adds an execution that has ended.
func (t *totals) add(r *outcome.Result) {
	t.Executions++
	t.Next = r.Execution + 1
	if r.Duration > 0 {
		t.Took.Add(r.Duration)
	}
	t.addPoints(r.Points)
	if len(r.Faults) == len(t.Faults) { // none if the process crashed
		addCounts(t.Faults, r.Faults)
	}
	if r.Verdict != verdict.Pass {
		t.Failure, t.Recording, t.Search = r, "", nil
	}
}

// addBatch adds a batch of a controlled scenario.
func (t *totals) addBatch(b *run.BatchReport) {
	t.Executions += b.Executions
	t.Next = b.Batch + 1
	t.Took.Merge(&b.Took)
	t.Steps += b.Steps
	t.Timers += b.Timers
	if b.Complete {
		t.Complete, t.Bounded = true, b.Bounded
	}
	addCounts(t.Faults, b.Faults)
	t.Evidence.Add(&b.Evidence)
	if b.Orders != nil {
		t.Orders.Add(b.Orders, b.Executions)
	}
	if b.Failure != nil {
		t.Failure, t.Schedule, t.Recording, t.Shrunk = &b.Failure.Result, b.Failure.Schedule, "", ""
	}
}

func (t *totals) addPoints(points []outcome.PointCount) {
	if t.Points == nil {
		t.Points = map[string]uint64{}
	}
	for _, p := range points {
		t.Points[p.Point] += p.Hits
	}
}

// addCounts adds the counts of the faults of one plan to their sums.
func addCounts(sum, counts []outcome.FaultCount) {
	for i := range min(len(sum), len(counts)) {
		sum[i].Hits += counts[i].Hits
		sum[i].Skipped += counts[i].Skipped
		sum[i].Fires += counts[i].Fires
		sum[i].Expired += counts[i].Expired
	}
}

// settled reports whether the last failure ends the scenario. It does, unless it is the expected failure
// and came before all faults had fired. A crash, whose faults are not counted, always ends it.
func (t *tally) settled() bool {
	f := t.Failure
	crashed := len(f.Faults) == 0
	if t.scenario.Mode == scenario.Control {
		crashed = t.Schedule == ""
	}
	return t.decided || f.Verdict != t.scenario.Expect || crashed && !t.merged || len(t.silent()) == 0
}

// settledBy reports whether the given execution, or batch, had a failure that ends the scenario.
func (t *tally) settledBy(last int) bool {
	if t.Failure == nil {
		return false
	}
	at := t.Failure.Execution
	if t.scenario.Mode == scenario.Control {
		at /= scenario.BatchSize
	}
	return at == last && t.settled()
}

// report returns the report so far. A scenario that is not done has a verdict only if a failure has settled it.
func (t *tally) report(done bool) report.ScenarioReport {
	s := report.ScenarioReport{
		Name: t.scenario.Name, Variant: t.scenario.Variant, Expect: t.scenario.Expect, May: t.scenario.May, Why: t.scenario.Why,
		Executions: t.Executions, Took: t.Took, Budget: t.scenario.Executions,
		Faults: t.Faults, Odds: t.allOdds(), Points: t.pointCounts(), Failure: t.Failure, Recording: t.Recording,
		Mode: t.scenario.Mode, Steps: t.Steps, Timers: t.Timers, Shrunk: t.Shrunk, Search: t.Search, Sidecars: run.Sidecars(t.Recording),
		Orders: t.Orders.Summary(t.Executions),
	}
	if t.Complete && t.Failure == nil {
		s.Complete, s.Bounded = t.Bounded == "", t.Bounded
	}
	silent := t.silent()
	switch {
	case t.Failure != nil && t.settled():
		s.Verdict = t.Failure.Verdict
	case !done:
		s.Interrupted = true
		return s
	case t.Executions == 0 && t.shard.Of > 1:
		s.Open, s.Detail = true, "none of its executions is in this shard"
		return s
	case len(silent) > 0:
		s.Verdict = verdict.NeverReached
		s.Detail = t.neverFired(silent)
	default:
		s.Verdict = verdict.Pass
	}
	if s.AsExpected = t.scenario.Expects(s.Verdict); !s.AsExpected {
		t.leaveOpen(&s, silent)
	}
	t.addEvidence(&s)
	if s.Expect == verdict.NeverReached && s.Verdict == verdict.Pass && !s.Open {
		s.Detail = "every fault fired, and none was to"
	}
	return s
}

// addEvidence adds the evidence of executions that all passed.
func (t *tally) addEvidence(s *report.ScenarioReport) {
	if s.Mode != scenario.Control || t.Failure != nil || t.Executions == 0 || t.merged {
		return
	}
	s.Evidence = evidence.Of(t.Executions, t.scenario.Settings(), t.scenario.Exhaustive(), s.Orders, &t.Evidence)
	s.Orders = s.Evidence.Orders
	switch {
	case s.Complete:
		s.Evidence.Exhausted = "these are all there are"
	case s.Bounded != "":
		s.Evidence.Exhausted = "these are all within bounds"
	}
	if t.scenario.Clock == control.Lazy {
		s.Evidence.Racy = racyClock
	}
}

// racyClock is the option with which a scenario selects the racy clock.
const racyClock = "clock: racy"

// leaveOpen marks an unexpected verdict as open if more executions, or the other shards, may change
// it, and explains it.
func (t *tally) leaveOpen(s *report.ScenarioReport, silent []int) {
	shards := t.shard.Of > 1 && (s.Verdict == verdict.NeverReached || s.Verdict == verdict.Pass && s.Expect != verdict.NeverReached)
	switch {
	case s.Verdict == verdict.NeverReached:
		s.Open = shards || t.byChance(silent)
	case s.Verdict != verdict.Pass || s.Expect == verdict.NeverReached:
	case shards:
		s.Open = true
	case t.Executions < t.scenario.Executions && !t.Complete:
		s.Open = true
		s.Detail = fmt.Sprintf("%s is not detected within %s; the scenario may take %d", s.Expect, prose.Plural(t.Executions, "execution"), t.scenario.Executions)
	case len(t.Faults) == 0:
		s.Detail = fmt.Sprintf("%s was not detected in %s: either they are too few or the oracle is blind", s.Expect, prose.Plural(t.Executions, "execution"))
	default:
		s.Detail = fmt.Sprintf("the faults fired, and %s was not detected: either the subject withstands them or the oracle is blind", s.Expect)
	}
	if shards {
		s.Detail = strings.TrimPrefix(s.Detail+"; ", "; ") + "the other shards may know more"
	}
}

func (t *totals) pointCounts() (counts []outcome.PointCount) {
	for name, hits := range t.Points {
		counts = append(counts, outcome.PointCount{Point: name, Hits: hits})
	}
	slices.SortFunc(counts, func(a, b outcome.PointCount) int { return strings.Compare(a.Point, b.Point) })
	return counts
}
