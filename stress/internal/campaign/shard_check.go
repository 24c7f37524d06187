package campaign

import (
	"fmt"
	"math"
	"slices"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
)

// A report to merge comes from another machine and decides a verdict. A line that no campaign writes is
// refused.

// mostCount bounds a count of a report, so that no sum over the shards overflows.
const mostCount = math.MaxInt64 / scenario.MostShards

// scenarioProblem returns what is wrong with the report of a scenario, or "".
func scenarioProblem(s *report.ScenarioReport, seed uint64) string {
	switch {
	case len(s.Name) > 64 || !subject.Hyphened.MatchString(s.Name):
		return fmt.Sprintf("found the scenario name %q, want lower-case words joined by hyphens", nearest.Clip(s.Name))
	case s.Variant != "" && !subject.Hyphened.MatchString(s.Variant):
		return fmt.Sprintf("found the variant %q, want lower-case words joined by hyphens", nearest.Clip(s.Variant))
	case s.Executions < 0 || int64(s.Executions) > mostCount:
		return fmt.Sprintf("found %d executions, want 0 to %d", s.Executions, int64(mostCount))
	case s.Duration < 0:
		return fmt.Sprintf("found a duration of %v, want one that is not negative", s.Duration)
	case s.Steps > mostCount:
		return fmt.Sprintf("found %d steps, want at most %d", s.Steps, int64(mostCount))
	case s.Took.Count() > int64(s.Executions):
		return fmt.Sprintf("found the times of %d executions, want those of at most %d: so many came to an end", s.Took.Count(), s.Executions)
	}
	for _, p := range s.Points {
		if p.Hits > mostCount {
			return fmt.Sprintf("%s: found %d hits, want at most %d", nearest.Clip(p.Point), p.Hits, int64(mostCount))
		}
	}
	for _, f := range s.Faults {
		at := nearest.Clip(f.Kind) + " at " + nearest.Clip(f.At)
		switch {
		case f.Hits > mostCount:
			return fmt.Sprintf("%s: found %d hits, want at most %d", at, f.Hits, int64(mostCount))
		case f.Fires > f.Hits:
			return fmt.Sprintf("%s: found %d fires in %d hits, want no more fires than hits", at, f.Fires, f.Hits)
		case f.Expired > f.Fires:
			return fmt.Sprintf("%s: found %d fires of which %d expired, want no more", at, f.Fires, f.Expired)
		}
	}
	if problem := verdictProblem(s); problem != "" {
		return problem
	}
	return failureProblem(s, seed)
}

// verdictProblem returns what is wrong with the verdict, or "".
func verdictProblem(s *report.ScenarioReport) string {
	known := func(what string, v verdict.Verdict) string {
		if slices.Contains(verdict.All(), v) {
			return ""
		}
		var names []string
		for _, v := range verdict.All() {
			names = append(names, string(v))
		}
		return fmt.Sprintf("%s: unknown verdict %q; %s", what, nearest.Clip(string(v)), nearest.Hint(string(v), names))
	}
	if problem := known("expect", s.Expect); problem != "" {
		return problem
	}
	for _, v := range s.May {
		if problem := known("may", v); problem != "" {
			return problem
		}
	}
	undecided := s.Open || s.Interrupted
	if problem := known("verdict", s.Verdict); problem != "" && (!undecided || s.Verdict != "") {
		return problem
	}
	expected := s.Verdict == s.Expect || slices.Contains(s.May, s.Verdict)
	switch {
	case s.AsExpected && (undecided || !expected):
		return fmt.Sprintf("found the verdict %q as expected, and %s is", s.Verdict, scenario.Alternatives(s.Expect, s.May))
	case !s.AsExpected && !undecided && expected:
		return fmt.Sprintf("found the verdict %s not as expected, and %s is", s.Verdict, scenario.Alternatives(s.Expect, s.May))
	case s.Open && s.Verdict != "" && s.Verdict != verdict.Pass && s.Verdict != verdict.NeverReached:
		return fmt.Sprintf("found the verdict %s left open, want one that other shards can change", s.Verdict)
	}
	return ""
}

// failureProblem returns what is wrong with the execution that failed, or "".
func failureProblem(s *report.ScenarioReport, seed uint64) string {
	c := s.Failure
	if c == nil {
		if v := s.Verdict; v != "" && v != verdict.Pass && v != verdict.NeverReached {
			return fmt.Sprintf("found the verdict %s, and no execution with it", v)
		}
		return ""
	}
	want := subject.Seed(seed, s.Name, c.Execution)
	switch {
	case c.Execution < 0:
		return fmt.Sprintf("found a failure in execution %d, want one from 0", c.Execution)
	case !slices.Contains(verdict.All(), c.Verdict) || c.Verdict == verdict.Pass:
		return fmt.Sprintf("found a failure with the verdict %q", nearest.Clip(string(c.Verdict)))
	case c.Seed != want:
		return fmt.Sprintf("found the seed %#x of execution %d, want %#x: the one that follows from campaign, scenario and number", c.Seed, c.Execution, want)
	}
	return ""
}

// campaignProblem returns what is wrong with a campaign, or "".
func campaignProblem(c *report.Campaign) string {
	switch {
	case c.Scenarios < 0:
		return fmt.Sprintf("found %d scenarios, want 0 or more", c.Scenarios)
	case c.For < 0 || c.Executions < 0:
		return fmt.Sprintf("found a campaign of %v and %d executions, want neither to be negative", c.For, c.Executions)
	}
	return ""
}

// sampleProblem returns what is wrong with a sample that follows the samples before, or "".
func sampleProblem(s *report.Sample, before []report.Sample) string {
	switch n := len(before); {
	case n == report.MostSamples:
		return fmt.Sprintf("found one more sample, want at most %d", report.MostSamples)
	case s.Executions < 0 || s.Elapsed < 0:
		return fmt.Sprintf("found a sample of %d executions after %v, want neither to be negative", s.Executions, s.Elapsed)
	case n > 0 && (s.Elapsed < before[n-1].Elapsed || s.Executions < before[n-1].Executions):
		return fmt.Sprintf("found a sample of %d executions after %v, and before it one of %d after %v", s.Executions, s.Elapsed, before[n-1].Executions, before[n-1].Elapsed)
	}
	return ""
}

// difference returns why two reports are not of the same scenario, or "".
func difference(s, from *report.ScenarioReport) string {
	switch {
	case s.Name != from.Name || s.Variant != from.Variant:
		return fmt.Sprintf("found the scenario %s, want %s", scenario.Title(s.Name, s.Variant), scenario.Title(from.Name, from.Variant))
	case s.Mode != from.Mode:
		return fmt.Sprintf("found the scenario %s with the mode %s, want %s", scenario.Title(s.Name, s.Variant), s.Mode, from.Mode)
	case s.Expect != from.Expect || !slices.Equal(s.May, from.May):
		return fmt.Sprintf("found that %s expects %s, want %s", scenario.Title(s.Name, s.Variant), scenario.Alternatives(s.Expect, s.May), scenario.Alternatives(from.Expect, from.May))
	case !slices.EqualFunc(s.Faults, from.Faults, func(a, b outcome.FaultCount) bool { return a.At == b.At && a.Kind == b.Kind }):
		return fmt.Sprintf("found that %s has other faults", scenario.Title(s.Name, s.Variant))
	}
	return ""
}
