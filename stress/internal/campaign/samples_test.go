package campaign

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/fixture"
	"github.com/rouse-go/rouse/stress/scenario"
)

// TestSamplesOfACampaign: they are in the report, in the journal, and in the report of a campaign
// that is resumed.
func TestSamplesOfACampaign(t *testing.T) {
	dir := t.TempDir()
	at := time.Unix(0, 0)
	o := Options{Executions: 9, Out: dir, Journal: true, growth: 1, now: func() time.Time { at = at.Add(time.Second); return at }}
	report, err := Run(t.Context(), []scenario.Scenario{scripted("a", verdict.Pass, "pass"), scripted("b", verdict.Pass, "pass")}, o)
	if err != nil {
		t.Fatal(err)
	}
	first, last := report.Samples[0], report.Samples[len(report.Samples)-1]
	if first.Executions != 0 || last.Executions != 18 || last.Elapsed <= first.Elapsed || last.Memory < last.Live || last.Live == 0 {
		t.Errorf("from %+v to %+v", first, last)
	}
	j, err := ReadJournal(dir)
	if err != nil || len(j.samples.Kept) != len(report.Samples) {
		t.Fatalf("%v: %d samples in the journal, want %d", err, len(j.samples.Kept), len(report.Samples))
	}
	again, err := Run(t.Context(), []scenario.Scenario{scripted("a", verdict.Pass, "pass"), scripted("b", verdict.Pass, "pass")}, Options{Out: dir, Resume: j})
	if err != nil || len(again.Samples) != len(report.Samples) {
		t.Errorf("%v: %d samples, want %d", err, len(again.Samples), len(report.Samples))
	}
}

// TestSamplesAfterResume: what was run before a kill is in the first sample after it, or the rate of the next
// seems to be that of all these executions.
func TestSamplesAfterResume(t *testing.T) {
	at := time.Unix(0, 0)
	clock := func() time.Time { at = at.Add(time.Second); return at }
	scenarios := []scenario.Scenario{scripted("a", verdict.Pass, "pass"), scripted("b", verdict.Pass, "pass")}
	o := Options{Executions: 9, Out: t.TempDir(), Journal: true, now: clock}
	if _, err := Run(t.Context(), scenarios, o); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(o.Out, JournalName))
	if err != nil {
		t.Fatal(err)
	}
	const done = 15 // all of a, and 6 of b
	var cut []byte
	results := 0
	for line := range bytes.Lines(text) {
		cut = append(cut, line...)
		if bytes.Contains(line, []byte(`"`+lineResult+`"`)) {
			if results++; results == done {
				break
			}
		}
	}
	fixture.Write(t, filepath.Join(o.Out, JournalName), string(cut))
	j, err := ReadJournal(o.Out)
	if err != nil {
		t.Fatal(err)
	}
	before := len(j.samples.Kept)
	report, err := Run(t.Context(), scenarios, Options{Out: o.Out, Resume: j, now: clock})
	if err != nil || len(report.Samples) <= before || report.Samples[len(report.Samples)-1].Executions != 18 {
		t.Fatalf("%v: samples %+v, of which %d are of the journal", err, report.Samples, before)
	}
	if first := report.Samples[before]; first.Executions != done {
		t.Errorf("the first sample after the kill is of %d executions, want %d", first.Executions, done)
	}
	for i := 1; i < len(report.Samples); i++ {
		if a, b := report.Samples[i-1], report.Samples[i]; b.Executions < a.Executions {
			t.Errorf("%d executions, and then %d", a.Executions, b.Executions)
		}
	}
}
