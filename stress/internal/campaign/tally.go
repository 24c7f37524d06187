package campaign

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
)

// A tally adds up the executions of one scenario.
type tally struct {
	scenario   *scenario.Scenario
	shard      scenario.Shard
	executions int
	took       outcome.Latencies
	faults     []outcome.FaultCount
	points     map[string]uint64
	failure    *outcome.Result
	recording  string // of the failure
	trace      []byte // flight recording of the execution whose result is next
	next       int    // execution that is next; under control, batch

	// Under control.
	steps    uint64
	timers   uint64 // armed, with the lazy clock
	complete bool   // the strategy has nothing left to explore
	bounded  string // what it has left out then
	schedule string // of the failure, if it has one

	merged, decided bool      // of shards, one of which has settled it
	mergedOdds      []float64 // of theirs
	shrunk          string    // where a shorter one was written
}

func newTally(sc *scenario.Scenario) *tally {
	return &tally{scenario: sc, points: map[string]uint64{}, faults: run.PlannedFaults(sc)}
}

// add takes in an execution that has come to its end.
func (t *tally) Add(r *outcome.Result) {
	t.executions++
	t.next = r.Execution + 1
	if r.Duration > 0 {
		t.took.Add(r.Duration)
	}
	for _, p := range r.Points {
		t.points[p.Point] += p.Hits
	}
	if len(r.Faults) == len(t.faults) { // none if the process did not live to count
		addCounts(t.faults, r.Faults)
	}
	if r.Verdict != verdict.Pass {
		t.failure, t.recording = r, ""
	}
}

// addBatch takes in a batch of a controlled scenario.
func (t *tally) addBatch(b *run.BatchReport) {
	t.executions += b.Executions
	t.next = b.Batch + 1
	t.took.Merge(&b.Took)
	t.steps += b.Steps
	t.timers += b.Timers
	if b.Complete {
		t.complete, t.bounded = true, b.Bounded
	}
	addCounts(t.faults, b.Faults)
	if b.Failure != nil {
		t.failure, t.schedule, t.recording, t.shrunk = &b.Failure.Result, b.Failure.Schedule, "", ""
	}
}

// addCounts adds what the faults of one plan did to what they did before.
func addCounts(sum, counts []outcome.FaultCount) {
	for i := range min(len(sum), len(counts)) {
		sum[i].Hits += counts[i].Hits
		sum[i].Skipped += counts[i].Skipped
		sum[i].Fires += counts[i].Fires
		sum[i].Expired += counts[i].Expired
	}
}

// settled reports whether the last failure ends the scenario: it does unless
// it is the expected one and came about before all faults had fired. A crash
// takes the counts of its execution with it; it always does.
func (t *tally) settled() bool {
	c := t.failure
	crashed := len(c.Faults) == 0 && !t.merged
	if t.scenario.Mode == scenario.Control && !t.merged {
		crashed = t.schedule == ""
	}
	return t.decided || c.Verdict != t.scenario.Expect || crashed || len(t.silent()) == 0 // if it may be, it is enough
}

// wasSettled reports whether the last execution, or batch, has brought a failure that
// ends the scenario.
func (t *tally) wasSettled(last int) bool {
	if t.failure == nil {
		return false
	}
	at := t.failure.Execution
	if t.scenario.Mode == scenario.Control {
		at /= scenario.BatchSize
	}
	return at == last && t.settled()
}

// report sums up. A scenario that was not done has a verdict only if a
// failure had settled it.
func (t *tally) report(done bool) report.ScenarioReport {
	s := report.ScenarioReport{
		Name: t.scenario.Name, Variant: t.scenario.Variant, Expect: t.scenario.Expect, May: t.scenario.May, Why: t.scenario.Why,
		Executions: t.executions, Took: t.took, Budget: t.scenario.Executions,
		Faults: t.faults, Odds: t.allOdds(), Points: t.pointCounts(), Failure: t.failure, Recording: t.recording,
		Mode: t.scenario.Mode, Steps: t.steps, Timers: t.timers, Shrunk: t.shrunk,
	}
	if t.complete && t.failure == nil {
		s.Complete, s.Bounded = t.bounded == "", t.bounded
	}
	s.Beside = run.Beside(t.recording)
	silent := t.silent()
	switch {
	case t.failure != nil && t.settled():
		s.Verdict = t.failure.Verdict
	case !done:
		s.Interrupted = true
		return s
	case t.executions == 0 && t.shard.Of > 1:
		s.Open, s.Detail = true, "none of its executions is in this shard"
		return s
	case len(silent) > 0:
		s.Verdict = verdict.NeverReached
		s.Detail = t.neverFired(silent)
	default:
		s.Verdict = verdict.Pass
	}
	if s.AsExpected = t.scenario.Expects(s.Verdict); !s.AsExpected {
		t.leftOpen(&s, silent)
	}
	if s.Expect == verdict.NeverReached && s.Verdict == verdict.Pass && !s.Open {
		s.Detail = "every fault fired, and none was to"
	}
	return s
}

// leftOpen says why the verdict, which is not as expected, is what it is, and whether more
// executions, or the other shards, may bring another.
func (t *tally) leftOpen(s *report.ScenarioReport, silent []int) {
	shards := t.shard.Of > 1 && (s.Verdict == verdict.NeverReached || s.Verdict == verdict.Pass && s.Expect != verdict.NeverReached)
	switch {
	case s.Verdict == verdict.NeverReached:
		s.Open = shards || t.byChance(silent)
	case s.Verdict != verdict.Pass || s.Expect == verdict.NeverReached:
	case shards:
		s.Open = true
	case t.executions < t.scenario.Executions && !t.complete:
		s.Open = true
		s.Detail = fmt.Sprintf("%s is not detected within %s; the scenario may take %d", s.Expect, prose.Plural(t.executions, "execution"), t.scenario.Executions)
	case len(t.faults) == 0:
		s.Detail = fmt.Sprintf("%s was not detected in %s: either they are too few or the oracle is blind", s.Expect, prose.Plural(t.executions, "execution"))
	default:
		s.Detail = fmt.Sprintf("the faults fired, and %s was not detected: either the subject withstands them or the oracle is blind", s.Expect)
	}
	if shards {
		s.Detail = strings.TrimPrefix(s.Detail+"; ", "; ") + "the other shards may know more"
	}
}

func (t *tally) pointCounts() (counts []outcome.PointCount) {
	for name, hits := range t.points {
		counts = append(counts, outcome.PointCount{Point: name, Hits: hits})
	}
	slices.SortFunc(counts, func(a, b outcome.PointCount) int { return strings.Compare(a.Point, b.Point) })
	return counts
}
