package outcome

import (
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
)

// TestSearchBudgetIsOver: by executions at once, by time only after the executions that run in any case.
func TestSearchBudgetIsOver(t *testing.T) {
	long := time.Now().Add(-time.Hour)
	for _, c := range []struct {
		b    SearchBudget
		n    int
		want bool
	}{
		{SearchBudget{Executions: 10}, 9, false}, {SearchBudget{Executions: 10}, 10, true},
		{SearchBudget{For: time.Minute, Least: 64}, 63, false}, {SearchBudget{For: time.Minute, Least: 64}, 64, true},
		{SearchBudget{For: 2 * time.Hour}, 1000, false}, {SearchBudget{For: 2 * time.Hour, Executions: 1000}, 1000, true},
	} {
		if got := c.b.Over(c.n, long); got != c.want {
			t.Errorf("%+v before execution %d: %t", c.b, c.n, got)
		}
	}
	if !(SearchBudget{Least: 64}).Off() || (SearchBudget{Executions: 1}).Off() || (SearchBudget{For: 1}).Off() {
		t.Error("a search without a bound is none, and others are")
	}
}

// TestAlike: what does not end is of one kind, and what ends wrong of another.
func TestAlike(t *testing.T) {
	for _, c := range []struct {
		a, b verdict.Verdict
		want bool
	}{
		{verdict.LostWakeup, verdict.Deadlock, true}, {verdict.Timeout, verdict.Livelock, true}, {verdict.StaleUse, verdict.Leak, true},
		{verdict.Deadlock, verdict.WrongResult, false}, {verdict.DataRace, verdict.WrongResult, false}, {verdict.DataRace, verdict.DataRace, true},
		{verdict.NeverSleeps, verdict.Deadlock, false},
	} {
		if got := Alike(c.a, c.b); got != c.want || Alike(c.b, c.a) != got {
			t.Errorf("%s and %s: %t", c.a, c.b, got)
		}
	}
}
