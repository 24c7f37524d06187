package campaign

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/scenario"
)

func TestLatencies(t *testing.T) {
	var l, other outcome.Latencies
	if l.Count() != 0 || l.Quantile(0.5) != 0 || !l.IsZero() {
		t.Errorf("the zero value: %d, %v", l.Count(), l.Quantile(0.5))
	}
	for i := range 100 {
		l.Add(time.Duration(i+1) * time.Millisecond)
	}
	other.Add(0)              // counts as a microsecond
	other.Add(24 * time.Hour) // as an hour
	l.Merge(&other)
	l.Merge(&outcome.Latencies{})
	if l.Count() != 102 || other.Count() != 2 {
		t.Errorf("%d and %d executions", l.Count(), other.Count())
	}
	for q, want := range map[float64]time.Duration{0: time.Microsecond, 0.5: 50 * time.Millisecond, 0.99: 100 * time.Millisecond, 1: time.Hour} {
		if got := l.Quantile(q); got < want*99/100 || got > want {
			t.Errorf("quantile %v: %v, want about %v", q, got, want)
		}
	}
	text, err := json.Marshal(struct{ Took, None outcome.Latencies }{Took: l})
	if err != nil {
		t.Fatal(err)
	}
	var back struct{ Took, None outcome.Latencies }
	if err := json.Unmarshal(text, &back); err != nil || back.Took.Count() != 102 || !back.None.IsZero() {
		t.Errorf("%v: %s", err, text)
	}
	if again, _ := json.Marshal(back); string(again) != string(text) {
		t.Errorf("%s became %s", text, again)
	}
	for _, bad := range []string{`[[0,1]]`, `[[1,0]]`, `[[3600000001,1]]`, `[[1,9223372036854775807],[2,1]]`, `{}`, `[[1]]`} {
		if err := json.Unmarshal([]byte(bad), &l); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

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
	for _, took := range []outcome.Latencies{report.Scenarios[0].Took, j.done[0].Took} {
		if took.Count() != 4 || took.Quantile(1) < 990*time.Microsecond || took.Quantile(1) > time.Millisecond {
			t.Errorf("%d executions, %v", took.Count(), took.Quantile(1))
		}
	}
}
