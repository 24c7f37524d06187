//go:build chaos

package run

import (
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/explore"
	"github.com/rouse-go/rouse/internal/reproduce"
	"github.com/rouse-go/rouse/stress/scenario"
)

// What the controlled controls of the default campaign leave is repeated exactly,
// whichever way goroutines are switched, and in other binaries.
func TestControlledRecordingsReproduce(t *testing.T) {
	scenarios, err := scenario.Default(testSubjects...)
	if err != nil {
		t.Fatal(err)
	}
	for i := range scenarios {
		sc := &scenarios[i]
		if sc.Mode != scenario.Control || sc.Expect == verdict.Pass {
			continue
		}
		t.Run(sc.Name, func(t *testing.T) {
			r := firstFailure(t, sc)
			reproduce.Recording(t, control.Options{}, r, func(engine *control.Engine) func() {
				return testRunner.explorer(sc).body(engine, recorded(r))
			})
		})
	}
}

// firstFailure is the recording of a scenario's first failure.
func firstFailure(t *testing.T, sc *scenario.Scenario) *recording.Recording {
	t.Helper()
	e := exploring(t, sc, testSubjects...)
	defer e.Close()
	n, r := e.Explore(explore.Range{To: 20_000})
	if r.Verdict != sc.Expect {
		t.Fatalf("execution %d: %s: %s", n, r.Verdict, r.Summary)
	}
	return MustParse(e.failed(n, r).Schedule)
}
