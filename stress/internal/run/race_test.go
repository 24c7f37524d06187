//go:build race

package run

import (
	"strings"
	"testing"
)

const raceBuild = true

// TestRealRace: the race detector of the child speaks, and is understood.
func TestRealRace(t *testing.T) {
	out := t.TempDir()
	report, err := Run(t.Context(), []Scenario{scripted("races", Pass, "pass really-races pass")}, Options{Executions: 3, Out: out})
	if err != nil {
		t.Fatal(err)
	}
	s := report.Scenarios[0]
	if s.Verdict != DataRace || s.Conviction.Execution != 1 || s.Recording == "" {
		t.Fatalf("%+v", s)
	}
	if !strings.HasPrefix(s.Conviction.Summary, "data race: ") || strings.Count(s.Conviction.Summary, "stress.raceForReal") != 2 {
		t.Errorf("got %s", s.Conviction.Summary)
	}
}
