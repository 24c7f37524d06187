//go:build chaos

package stress

import (
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
)

// TestShardsExploreTheCampaign: under control, all that is counted is the same.
func TestShardsExploreTheCampaign(t *testing.T) {
	sc := tiny("inject", "portfolio", 1, 2)
	sc.Plan = []chaos.Fault{{At: "pool/inject-pushed", Kind: hooks.Yields, Probability: 0.5}}
	run := func(s Shard, procs int) ScenarioReport {
		report, err := Run(t.Context(), []Scenario{sc}, Options{Seed: 5, Executions: 5*batchSize + 9, Out: t.TempDir(), Shard: s, Procs: procs})
		if err != nil {
			t.Fatal(err)
		}
		return report.Scenarios[0]
	}
	whole := run(Shard{}, 1)
	var got ScenarioReport
	var hits, fires uint64
	for i := range 2 {
		s := run(Shard{i, 2}, 1+i)
		got.Executions += s.Executions
		got.Steps += s.Steps
		hits, fires = hits+s.Faults[0].Hits, fires+s.Faults[0].Fires
	}
	if got.Executions != whole.Executions || got.Steps != whole.Steps || hits != whole.Faults[0].Hits || fires != whole.Faults[0].Fires || fires == 0 {
		t.Errorf("got %d executions, %d steps, %d fires; want %+v", got.Executions, got.Steps, fires, whole)
	}
}
