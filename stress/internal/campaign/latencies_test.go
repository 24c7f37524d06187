package campaign

import (
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/scenario"
)

// TestLatenciesOfACampaign: every execution that lived to say is counted, also of those that ran
// before the campaign was resumed.
func TestLatenciesOfACampaign(t *testing.T) {
	sc := scripted("a", verdict.Pass, "takes-1ms takes-1ms takes-1ms takes-1ms panics")
	dir := t.TempDir()
	report, err := Run(t.Context(), []scenario.Scenario{sc}, Options{Executions: 5, Out: dir, Journal: true})
	if err != nil {
		t.Fatal(err)
	}
	j, err := ReadJournal(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, took := range []outcome.Latencies{report.Scenarios[0].Took, j.reports()[0].Took} {
		if took.Count() != 4 || took.Quantile(1) < 990*time.Microsecond || took.Quantile(1) > time.Millisecond {
			t.Errorf("%d executions, %v", took.Count(), took.Quantile(1))
		}
	}
}
