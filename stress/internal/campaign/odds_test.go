package campaign

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/scenario"
)

// silentTally is that of a scenario whose only fault has not fired.
func silentTally(probability float64, executions int, hits, skipped uint64) *tally {
	sc := &scenario.Scenario{Name: "a", Expect: verdict.Pass, Plan: []chaos.Fault{{At: "test/notify", Kind: hooks.Drops, Probability: probability}}}
	t := newTally(sc)
	t.Executions = executions
	t.Faults[0].Hits, t.Faults[0].Skipped = hits, skipped
	return t
}

// A fault that has not fired is a failure only if that can hardly be chance.
func TestNeverFiredByChance(t *testing.T) {
	for _, c := range []struct {
		name          string
		probability   float64
		executions    int
		hits, skipped uint64
		control       string // its strategy, if it is controlled
		open          bool
		detail        string
	}{
		{"a short campaign", 0.1, 3, 32, 0, "", true, "drop at test/notify never fired in 32 visits (by chance: 0.034): too few to tell"},
		{"a long one", 0.1, 30, 200, 0, "", false, "drop at test/notify never fired in 200 visits (by chance: 7.1e-10)"},
		{"just too few", 0.5, 1, 19, 0, "", true, "(by chance: 1.9e-06): too few to tell"},
		{"just enough", 0.5, 1, 20, 0, "", false, "(by chance: 9.5e-07)"},
		{"always", 0, 1, 1, 0, "", false, "never fired in 1 visits"},
		{"never reached", 0.1, 3, 0, 0, "", false, "was never reached"},
		{"of which few are chosen", 0.1, 3, 200, 190, "", true, "(by chance: 0.35): too few to tell"},
		{"of which none are chosen", 0.1, 3, 200, 200, "", false, "from and every left out all of 200 visits"},
		{"at random", 0.1, 100, 1000, 0, "random", false, "(by chance: 1.7e-46)"},
		{"the same draws each time", 0.1, 100, 1000, 0, "dfs", true, "(by chance: 0.35): too few to tell"},
	} {
		y := silentTally(c.probability, c.executions, c.hits, c.skipped)
		if c.control != "" {
			y.scenario.Mode, y.scenario.Strategy = scenario.Control, c.control
		}
		s := y.report(true)
		if s.Verdict != verdict.NeverReached || s.Open != c.open || s.Failed() == c.open || !strings.HasSuffix(s.Detail, c.detail) {
			t.Errorf("%s: %s, open: %t, failed: %t, %q; want open: %t, %q", c.name, s.Verdict, s.Open, s.Failed(), s.Detail, c.open, c.detail)
		}
	}
}

// Shards that have too few visits each may have enough together.
func TestNeverFiredMerged(t *testing.T) {
	part := silentTally(0.1, 3, 32, 0).report(true)
	for n, open := range map[int]bool{2: true, 4: true, 5: false} {
		var parts []*report.ScenarioReport
		for range n {
			parts = append(parts, &part)
		}
		if s := mergeScenario(parts); s.Verdict != verdict.NeverReached || s.Open != open || s.Failed() == open {
			t.Errorf("%d shards: %s, open: %t, %q", n, s.Verdict, s.Open, s.Detail)
		}
	}
	fired := part
	fired.Faults, fired.Odds = []outcome.FaultCount{{At: "test/notify", Kind: "drop", Hits: 9, Fires: 1}}, nil
	if s := mergeScenario([]*report.ScenarioReport{&part, &fired}); s.Verdict != verdict.Pass || s.Odds != nil {
		t.Errorf("%+v", s)
	}
}

// A control that may take more executions than it got is not blind yet.
func TestControlCutShort(t *testing.T) {
	for _, c := range []struct {
		executions, budget int
		complete, open     bool
		detail             string
	}{
		{500, 20_000, false, true, "lost-wakeup is not detected within 500 executions; the scenario may take 20000"},
		{500, 20_000, true, false, "either they are too few or the oracle is blind"},
		{20_000, 20_000, false, false, "either they are too few or the oracle is blind"},
		{500, 0, false, false, "either they are too few or the oracle is blind"},
	} {
		y := newTally(&scenario.Scenario{Name: "a", Mode: scenario.Control, Expect: verdict.LostWakeup, Executions: c.budget})
		y.Executions, y.Complete = c.executions, c.complete
		s := y.report(true)
		if s.Verdict != verdict.Pass || s.Open != c.open || s.Failed() == c.open || !strings.HasSuffix(s.Detail, c.detail) {
			t.Errorf("%+v: %s, open: %t, %q", c, s.Verdict, s.Open, s.Detail)
		}
		if m := mergeScenario([]*report.ScenarioReport{&s}); m.Open != c.open && !c.complete {
			t.Errorf("%+v, merged: open: %t, %q", c, m.Open, m.Detail)
		}
	}
}
