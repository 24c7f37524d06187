//go:build chaos

package campaign

import (
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/scenario"
)

// TestShardsExploreTheCampaign: under control, all that is counted is the same.
func TestShardsExploreTheCampaign(t *testing.T) {
	sc := tiny("inject", "portfolio", 1, 2)
	sc.Plan = []chaos.Fault{{At: "pool/inject-pushed", Kind: hooks.Yields, Probability: 0.5}}
	run := func(s scenario.Shard, procs int) report.ScenarioReport {
		report, err := Run(t.Context(), []scenario.Scenario{sc}, Options{Seed: 5, Executions: 5*scenario.BatchSize + 9, Out: t.TempDir(), Shard: s, Procs: procs})
		if err != nil {
			t.Fatal(err)
		}
		return report.Scenarios[0]
	}
	whole := run(scenario.Shard{}, 1)
	var got report.ScenarioReport
	var hits, fires uint64
	for i := range 2 {
		s := run(scenario.Shard{Index: i, Of: 2}, 1+i)
		got.Executions += s.Executions
		got.Steps += s.Steps
		hits, fires = hits+s.Faults[0].Hits, fires+s.Faults[0].Fires
	}
	if got.Executions != whole.Executions || got.Steps != whole.Steps || hits != whole.Faults[0].Hits || fires != whole.Faults[0].Fires || fires == 0 {
		t.Errorf("got %d executions, %d steps, %d fires; want %+v", got.Executions, got.Steps, fires, whole)
	}
}
