package campaign

import (
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/scenario"
)

// TestMay: a verdict that may be is as good as the expected one, and ends the scenario.
func TestMay(t *testing.T) {
	for _, c := range []struct {
		script     string
		expect     verdict.Verdict
		verdict    verdict.Verdict
		asExpected bool
		executions int
	}{
		{"pass", verdict.Pass, verdict.Pass, true, 5},
		{"pass deadlock", verdict.Pass, verdict.Deadlock, true, 2},
		{"pass leak", verdict.Pass, verdict.Leak, false, 2},
		{"pass deadlock/silent", verdict.LostWakeup, verdict.Deadlock, true, 2}, // whatever has fired
		{"pass/silent", verdict.Pass, verdict.NeverReached, false, 5},
	} {
		sc := scripted("may", c.expect, c.script)
		sc.Plan, sc.May = drop, []verdict.Verdict{verdict.Deadlock, verdict.Panicked}
		report, err := Run(t.Context(), []scenario.Scenario{sc}, Options{Seed: 7, Executions: 5, Out: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		s := report.Scenarios[0]
		if s.Verdict != c.verdict || s.AsExpected != c.asExpected || s.Executions != c.executions || (s.Recording != "") != (s.Failure != nil && !c.asExpected) {
			t.Errorf("%s: %+v", c.script, s)
		}
	}
}
