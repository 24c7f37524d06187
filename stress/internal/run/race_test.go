//go:build race

package run

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
)

// TestRealRace: the race detector of the child reports, and its report is understood.
func TestRealRace(t *testing.T) {
	r := Request{Scenario: scripted("races", verdict.Pass, "pass really-races pass"), Most: 3}
	end, err := Launcher{}.Run(t.Context(), r, func(*Message) error { return nil }, func() {})
	if err != nil {
		t.Fatal(err)
	}
	got, err := end.Judge(childTimeout)
	if err != nil || got == nil || got.Verdict != verdict.DataRace || got.Execution != 1 {
		t.Fatalf("%v, %+v", err, got)
	}
	if !strings.HasPrefix(got.Summary, "data race: ") || strings.Count(got.Summary, "run.raceForReal") != 2 {
		t.Errorf("got %s", got.Summary)
	}
}
