package campaign

import (
	"fmt"
	"strings"
	"time"

	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/scenario"
)

// Merge merges the reports of all shards of a campaign. Among the failures of a scenario it prefers
// unexpected ones, and then the one with the lowest number. It adds the durations of a scenario; that of
// the campaign is the longest. If a shard is missing or given twice, or belongs to another campaign, the
// error is an *InputError.
func Merge(shards []*ShardReport) (report.Report, error) {
	if err := complete(shards); err != nil {
		return report.Report{}, err
	}
	first := shards[0]
	sum := report.Report{Campaign: first.Campaign}
	sum.Campaign.Shard, sum.Campaign.Merged = scenario.Shard{}, len(shards)
	for i := range first.Scenarios {
		var parts []*report.ScenarioReport
		for _, s := range shards {
			parts = append(parts, &s.Scenarios[i])
		}
		sum.Scenarios = append(sum.Scenarios, mergeScenario(parts))
	}
	for _, s := range shards {
		sum.Duration = max(sum.Duration, s.Duration)
	}
	return sum, nil
}

// complete returns an error if the shards are not one complete campaign.
func complete(shards []*ShardReport) error {
	seen := map[int]string{}
	for _, s := range shards {
		refuse := func(format string, args ...any) error {
			return &scenario.InputError{File: s.Path, Problem: fmt.Sprintf(format, args...)}
		}
		first, c := shards[0], s.Campaign
		switch {
		case c.Shard.Of == 0:
			return refuse("the report of a whole campaign, want those of shards")
		case c.Seed != first.Campaign.Seed:
			return refuse("the seed is %#x, and that of %s %#x: want shards of one campaign", c.Seed, first.Path, first.Campaign.Seed)
		case c.Shard.Of != first.Campaign.Shard.Of:
			return refuse("it is shard %s, and %s is %s: want shards of one campaign", c.Shard, first.Path, first.Campaign.Shard)
		case c.Setup != first.Campaign.Setup || len(s.Scenarios) != len(first.Scenarios):
			return refuse("its scenarios are not those of %s: want shards of one campaign", first.Path)
		case c.For != first.Campaign.For || c.Executions != first.Campaign.Executions:
			return refuse("its --for or --executions is not that of %s: want shards of one campaign", first.Path)
		case c.Build.Version != first.Campaign.Build.Version:
			return refuse("it is of rouse %s, and %s of %s: want shards of one campaign", c.Build.Version, first.Path, first.Campaign.Build.Version)
		}
		for i := range s.Scenarios {
			if what := difference(&s.Scenarios[i], &first.Scenarios[i]); what != "" {
				return s.refuse(s.lines[i], fmt.Sprintf("%s, as in %s:%d: want shards of one campaign", what, first.Path, first.lines[i]))
			}
		}
		if other, ok := seen[c.Shard.Index]; ok {
			return refuse("shard %s is doubled: %s is it, too", c.Shard, other)
		}
		seen[c.Shard.Index] = s.Path
	}
	var missing []string
	of := shards[0].Campaign.Shard.Of
	for i := range of {
		if _, ok := seen[i]; !ok && len(missing) < 10 {
			missing = append(missing, scenario.Shard{Index: i, Of: of}.String())
		}
	}
	if n := of - len(seen); n > 0 {
		if n > len(missing) {
			missing = append(missing, "...")
		}
		return &scenario.InputError{File: shards[0].Path, Problem: fmt.Sprintf("%s of its campaign missing: %s", prose.Plural(n, "shard"), strings.Join(missing, ", "))}
	}
	return nil
}

// mergeScenario merges the reports of one scenario.
func mergeScenario(parts []*report.ScenarioReport) report.ScenarioReport {
	a := parts[0]
	t := &tally{
		scenario: &scenario.Scenario{Name: a.Name, Variant: a.Variant, Mode: a.Mode, Expect: a.Expect, May: a.May, Why: a.Why, Executions: a.Budget},
		merged:   true,
	}
	for _, f := range a.Faults {
		t.Faults, t.mergedOdds = append(t.Faults, outcome.FaultCount{At: f.At, Kind: f.Kind}), append(t.mergedOdds, 1)
	}
	var found *report.ScenarioReport
	var took time.Duration
	for _, s := range parts {
		t.Executions, t.Steps, t.Timers = t.Executions+s.Executions, t.Steps+s.Steps, t.Timers+s.Timers
		if s.Complete || s.Bounded != "" {
			t.Complete, t.Bounded = true, s.Bounded
		}
		took += s.Duration
		t.Took.Merge(&s.Took)
		t.addPoints(s.Points)
		addCounts(t.Faults, s.Faults)
		for i := range min(len(s.Odds), len(t.mergedOdds)) {
			t.mergedOdds[i] *= s.Odds[i]
		}
		if s.Failure != nil && (found == nil || isGraver(s, found)) {
			found = s
		}
	}
	if found != nil {
		t.Failure, t.Recording, t.Shrunk, t.Search, t.decided = found.Failure, found.Recording, found.Shrunk, found.Search, isSettled(found)
	}
	s := t.report(true)
	if s.Sidecars = nil; found != nil {
		s.Sidecars = found.Sidecars // they may be on another machine
	}
	s.Index, s.Duration = a.Index, took
	if found == nil {
		s.Evidence = mergeEvidence(parts)
	}
	return s
}

// mergeEvidence merges the evidence of the shards. It returns nil if there is none.
func mergeEvidence(parts []*report.ScenarioReport) *evidence.Evidence {
	var all []*evidence.Evidence
	timers := uint64(0)
	for _, s := range parts {
		timers += s.Timers
		if s.Evidence != nil {
			all = append(all, s.Evidence)
		}
	}
	if len(all) == 0 {
		return nil
	}
	sum := evidence.Merge(all...)
	for _, s := range parts {
		sum.Executions += s.Executions
	}
	if timers > 0 { // only the lazy clock counts timers
		sum.Racy = racyClock
	}
	return sum
}

// isSettled reports whether the failure of the shard has decided its verdict.
func isSettled(s *report.ScenarioReport) bool { return !s.Open && s.Verdict == s.Failure.Verdict }

// isGraver reports whether the failure of s takes precedence over that of than.
func isGraver(s, than *report.ScenarioReport) bool {
	rank := func(s *report.ScenarioReport) int {
		switch {
		case !isSettled(s):
			return 2
		case s.AsExpected:
			return 1
		}
		return 0
	}
	if a, b := rank(s), rank(than); a != b {
		return a < b
	}
	if !isSettled(s) { // one campaign would have gone on to the last
		return s.Failure.Execution > than.Failure.Execution
	}
	return s.Failure.Execution < than.Failure.Execution
}
