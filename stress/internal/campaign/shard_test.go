package campaign

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/scenario"
)

// TestShardsRunTheCampaign: together they run what one campaign would, no more and no less.
func TestShardsRunTheCampaign(t *testing.T) {
	scenarios := []scenario.Scenario{scripted("a", verdict.Pass, "pass"), scripted("b", verdict.Pass, "pass")}
	run := func(s scenario.Shard) (begun []string) {
		o := Options{Seed: 5, Executions: 11, Out: t.TempDir(), Journal: true, Shard: s}
		report, err := Run(t.Context(), scenarios, o)
		if err != nil || !report.AsExpected() {
			t.Fatal(err, report)
		}
		text, err := os.ReadFile(filepath.Join(o.Out, JournalName))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if _, rest, ok := strings.Cut(line, `"begin":`); ok && strings.Contains(line, `"kind":"begin"`) {
				rest, _, _ = strings.Cut(rest, "}")
				begun = append(begun, rest) // with the number, the seed and the pool size
			}
		}
		return begun
	}
	want := run(scenario.Shard{})
	var got []string
	for i := range 3 {
		part := run(scenario.Shard{Index: i, Of: 3})
		if len(part) < 4 {
			t.Errorf("shard %d has %d executions of 22", i, len(part))
		}
		got = append(got, part...)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestOpen: what the other shards may know better is no failure of this one.
func TestOpen(t *testing.T) {
	silent, control, fails := scripted("silent", verdict.Pass, "pass/silent"), scripted("control", verdict.Leak, "pass"), scripted("fails", verdict.Pass, "leak")
	silent.Plan = drop
	report, err := Run(t.Context(), []scenario.Scenario{silent, control, fails, scripted("none", verdict.Pass, "pass")},
		Options{Seed: 5, Executions: 2, Out: t.TempDir(), Shard: scenario.Shard{Index: 0, Of: 2}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range report.Scenarios {
		sc := scenario.Scenario{Name: s.Name, Subject: "pool", Setup: map[string]string{"workers": "[1, 2]"}}
		runs := scenario.Shard{Index: 0, Of: 2}.Has(&sc, 0)
		if open := s.Name != "fails" && (s.Name != "none" || !runs) || !runs; s.Open != open || (s.Executions > 0) != runs {
			t.Errorf("%s: %+v", s.Name, s)
		}
	}
}
