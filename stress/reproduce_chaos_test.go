//go:build chaos

package stress

import (
	"testing"

	"github.com/rouse-go/rouse"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/internal/explore"
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
				e := &explorer{scenario: sc, workload: workloadOf(sc), lookTime: defaultLookTime}
				return e.body(engine, recorded(r))
			})
		})
	}
}

// firstFailure is the recording of a scenario's first conviction.
func firstFailure(t *testing.T, sc *Scenario) *recording.Recording {
	t.Helper()
	e, err := newExplorer(sc, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	n, r := e.Explore(explore.Range{To: 20_000})
	if r.Verdict != sc.Expect {
		t.Fatalf("execution %d: %s: %s", n, r.Verdict, r.Summary)
	}
	return mustParse(e.failed(n, r).Schedule)
}
