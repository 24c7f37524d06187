//go:build chaos

package stress

import (
	"testing"

	"github.com/rouse-go/rouse"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/internal/reproduce"
)

// What the controlled controls of the default campaign leave is repeated exactly,
// whichever way goroutines are switched, and in other binaries.
func TestControlledRecordingsReproduce(t *testing.T) {
	scenarios, err := Load("scenarios.yaml", rouse.Scenarios)
	if err != nil {
		t.Fatal(err)
	}
	for i := range scenarios {
		sc := &scenarios[i]
		if sc.Mode != Control || sc.Expect == Pass {
			continue
		}
		t.Run(sc.Name, func(t *testing.T) {
			r := firstFailure(t, sc)
			reproduce.Recording(t, control.Options{}, r, func(engine *control.Engine) func() {
				e := &explorer{scenario: sc, workload: workloadOf(sc), engine: engine, lookTime: defaultLookTime}
				return e.body(r.Execution, r.Seed)
			})
		})
	}
}

// firstFailure is the recording of a scenario's first conviction.
func firstFailure(t *testing.T, sc *Scenario) *Schedule {
	t.Helper()
	e, err := newExplorer(sc, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	for n := range 20_000 {
		if r, found, _ := e.run(n); found.verdict == sc.Expect {
			return mustParse(e.failed(n, r, found).Schedule)
		} else if found.verdict != Pass {
			t.Fatalf("execution %d: %v", n, found)
		}
	}
	t.Fatalf("no %s", sc.Expect)
	return nil
}
