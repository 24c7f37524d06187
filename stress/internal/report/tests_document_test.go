package report

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/internal/evidence"
)

// TestSummarySaysWhatPassesShow: of tests with something to say, under the sentence that it is no proof.
func TestSummarySaysWhatPassesShow(t *testing.T) {
	with, without := evidence.Of(7, 0, false, nil, &evidence.Counts{Timers: 2}), evidence.Of(7, 0, false, nil, &evidence.Counts{})
	text := string(Markdown(&SuiteReport{Tests: []TestReport{
		{Package: "p", Test: "TestA", Status: TestPassed, Evidence: with}, {Package: "p", Test: "TestB", Status: TestPassed, Evidence: without},
	}}, Page{}))
	if strings.Count(text, evidence.Meaning) != 1 || !strings.Contains(text, "- p TestA: 7 executions; 2 timers were armed") || strings.Contains(text, "TestB") {
		t.Errorf("%s", text)
	}
}
