package stress

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestSamples: however long a campaign is, its samples are few, cover all of it evenly, and hide
// no peak.
func TestSamples(t *testing.T) {
	for _, ticks := range []int{1, mostSamples - 1, mostSamples, 10 * mostSamples, 20 * 60 * 60 * 5} {
		var s, folded samples
		for i := range ticks {
			at, memory := time.Duration(i)*tickTime, uint64(100)
			if s.due(at) {
				if len(s.kept) == 77 {
					memory = 5000
				}
				x := Sample{Elapsed: at, Executions: i, Memory: memory, Live: memory}
				s.add(x)
				folded.add(x)
			}
		}
		kept, last := s.kept, time.Duration(ticks-1)*tickTime
		if len(kept) == 0 || len(kept) >= mostSamples || ticks >= mostSamples && len(kept) < mostSamples/4 {
			t.Errorf("%d samples of %d ticks", len(kept), ticks)
		}
		if left := last - kept[len(kept)-1].Elapsed; left > 2*max(s.every, tickTime) {
			t.Errorf("the last is %v before the end", left)
		}
		peak := uint64(0)
		for i := range kept {
			peak = max(peak, kept[i].Memory)
			if i > 0 && kept[i].Elapsed <= kept[i-1].Elapsed {
				t.Errorf("%v after %v", kept[i].Elapsed, kept[i-1].Elapsed)
			}
		}
		if ticks > 77 && peak != 5000 {
			t.Errorf("of %d ticks, the peak is %d", ticks, peak)
		}
		if len(folded.kept) != len(kept) || folded.every != s.every {
			t.Errorf("folded anew: %d samples every %v, want %d every %v", len(folded.kept), folded.every, len(kept), s.every)
		}
	}
}

// TestSamplesOfACampaign: they are in the report, in the journal, and in the report of who goes on
// with it.
func TestSamplesOfACampaign(t *testing.T) {
	dir := t.TempDir()
	at := time.Unix(0, 0)
	o := Options{Executions: 9, Out: dir, Journal: true, growth: 1, now: func() time.Time { at = at.Add(time.Second); return at }}
	report, err := Run(t.Context(), []Scenario{scripted("a", Pass, "pass"), scripted("b", Pass, "pass")}, o)
	if err != nil {
		t.Fatal(err)
	}
	first, last := report.Samples[0], report.Samples[len(report.Samples)-1]
	if first.Executions != 0 || last.Executions != 18 || last.Elapsed <= first.Elapsed || last.Memory < last.Live || last.Live == 0 {
		t.Errorf("from %+v to %+v", first, last)
	}
	j, err := ReadJournal(dir)
	if err != nil || len(j.samples.kept) != len(report.Samples) {
		t.Fatalf("%v: %d samples in the journal, want %d", err, len(j.samples.kept), len(report.Samples))
	}
	again, err := Run(t.Context(), []Scenario{scripted("a", Pass, "pass"), scripted("b", Pass, "pass")}, Options{Out: dir, Resume: j})
	if err != nil || len(again.Samples) != len(report.Samples) {
		t.Errorf("%v: %d samples, want %d", err, len(again.Samples), len(report.Samples))
	}
}

// TestSamplesAfterResume: what was run before a kill is in the first sample after it, or the rate of the next
// seems to be that of all these executions.
func TestSamplesAfterResume(t *testing.T) {
	at := time.Unix(0, 0)
	clock := func() time.Time { at = at.Add(time.Second); return at }
	scenarios := []Scenario{scripted("a", Pass, "pass"), scripted("b", Pass, "pass")}
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
	write(t, filepath.Join(o.Out, JournalName), string(cut))
	j, err := ReadJournal(o.Out)
	if err != nil {
		t.Fatal(err)
	}
	before := len(j.samples.kept)
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
