//go:build chaos

package pool

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/outcome"
)

// TestEveryWorkloadPassesUnderControl: at every size that a workload takes, with a
// counter of one bit. What it may cost is parallelism for forked jobs that must meet.
func TestEveryWorkloadPassesUnderControl(t *testing.T) {
	executions := 150
	if testing.Short() || outcome.ThisBuild().Race {
		executions = 15
	}
	for _, w := range workloads() {
		if w.nativeOnly != "" {
			continue
		}
		for workers := max(w.least, 1); workers <= 3 && (w.most == 0 || workers <= w.most); workers++ {
			for _, by := range []string{"portfolio", "pct"} {
				sc := tiny(w, by, workers)
				if w.name == meetInsideWorkload.name || w.name == storyWorkload.name {
					delete(sc.Setup, "jec-bits")
				}
				if r := explored(t, &sc, w, executions); r.Verdict != verdict.Pass {
					t.Errorf("%s with %d workers by %s, execution %d: %s: %s\n%s\n%s", w.name, workers, by, r.Execution, r.Verdict, r.Summary,
						strings.Join(r.Explanation, "\n"), r.Events)
				}
			}
		}
	}
}

// A stuck pool is looked at as it stands: unwinding would change it.
func TestTheSceneIsFromBeforeTheUnwinding(t *testing.T) {
	sc := tiny(meetInsideWorkload, "surw", 3)
	r := explored(t, &sc, meetInsideWorkload, 20_000)
	if r.Verdict != verdict.LostParallelism {
		t.Fatalf("%s: %s", r.Verdict, r.Summary)
	}
	for _, want := range []string{"runs a job; 1 jobs in its deque", "asleep, waits for jobs"} {
		if !strings.Contains(r.State, want) {
			t.Errorf("%q is missing in\n%s", want, r.State)
		}
	}
}
