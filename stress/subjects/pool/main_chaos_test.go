//go:build chaos

package pool

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
)

// tiny is a controlled scenario about that workload, with a small pool.
func tiny(w workload, strategy string, workers int) scenario.Scenario {
	return scenario.Scenario{
		Name: "tiny-" + w.name, Mode: scenario.Control, Strategy: strategy, Subject: "pool", Workload: w.name, Expect: verdict.Pass,
		Setup: map[string]string{"workers": fmt.Sprint(workers), "jec-bits": "1", "deque-capacity": "2", "rounds": "0"},
	}
}

// runs is a runner of executions of that workload, planted defects included.
func runs(w workload) *run.Runner {
	return &run.Runner{Subjects: []subject.Subject{target([]workload{w}).Subject()}}
}

// executed runs execution n.
func executed(sc *scenario.Scenario, w workload, n int) outcome.Result {
	return runs(w).Execute(sc, 1, n, func() {})
}

// explored runs the first executions under control and returns the first that fails.
func explored(t *testing.T, sc *scenario.Scenario, w workload, executions int) outcome.Result {
	t.Helper()
	r, err := runs(w).FirstFailure(sc, executions)
	if err != nil {
		t.Error(err)
	}
	return r
}

// wantVerdict checks the verdict, and that the summary contains each of the words.
func wantVerdict(t *testing.T, r outcome.Result, want verdict.Verdict, words ...string) {
	t.Helper()
	if r.Verdict != want {
		t.Fatalf("verdict %s (%s), want %s", r.Verdict, r.Summary, want)
	}
	for _, w := range words {
		if !strings.Contains(r.Summary, w) {
			t.Errorf("summary %q does not contain %q", r.Summary, w)
		}
	}
}

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
