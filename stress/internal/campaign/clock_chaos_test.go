//go:build chaos

package campaign

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/time"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
)

// impatient gives itself a second, which is plenty unless time passes at any step.
func impatient() subject.Subject {
	target := subject.Target[bool]{Name: "impatient", New: func(*subject.Execution) bool { return true }, Workloads: []subject.Work[bool]{{
		Name: "deadline", About: "Something that gives itself a second.",
		Run: func(x *subject.Execution, _ bool) {
			var late atomic.Bool
			timeout := time.AfterFunc(time.Second, func() { late.Store(true) })
			defer timeout.Stop()
			if late.Load() {
				x.Fail(verdict.WrongResult, "the timeout hit")
			}
		},
	}}}
	return target.Subject()
}

// The children of campaigns have it as well.
func init() { testRunner.Subjects = append(slices.Clip(testRunner.Subjects), impatient()) }

const clockFile = `version: 1
scenarios:
  - {name: lazy, about: Timers wait., mode: control, subject: impatient, workload: deadline, expect: pass}
  - {name: racy, about: Timers do not wait., mode: control, clock: racy, subject: impatient, workload: deadline, expect: wrong-result}
`

// The racy clock finds what the lazy one leaves out, and a scenario that passes by the
// lazy one says that it did. What is found is repeated with its clock.
func TestClockOfAScenario(t *testing.T) {
	scenarios, err := scenario.Load("clock.yaml", []byte(clockFile), impatient())
	if err != nil {
		t.Fatal(err)
	}
	if scenarios[0].Clock != control.Lazy || scenarios[1].Clock != control.Racy {
		t.Fatalf("clocks %v and %v", scenarios[0].Clock, scenarios[1].Clock)
	}
	again, err := scenario.Load("again.yaml", scenario.Encode(scenarios), impatient())
	if err != nil || again[1].Clock != control.Racy || !strings.Contains(scenario.EncodeOne(&scenarios[1]), "clock: racy") {
		t.Errorf("encoded: %v\n%s", err, scenario.Encode(scenarios))
	}
	if said := strings.Join(scenarios[1].Explain(), "\n"); !strings.Contains(said, ", timers at any step") {
		t.Errorf("%s", said)
	}
	whole, err := Run(t.Context(), scenarios, Options{Seed: 1, Executions: 100, Out: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		name    string
		verdict verdict.Verdict
		timers  bool
	}{{"racy", verdict.WrongResult, false}, {"lazy", verdict.Pass, true}} {
		s := whole.Scenarios[i]
		var out bytes.Buffer
		(&report.Console{Out: &out}).Observe(&s)
		if s.Name != want.name || s.Verdict != want.verdict || (s.Timers > 0) != want.timers || strings.Contains(out.String(), "clock: racy explores that") != want.timers {
			t.Errorf("%s: %s, %d timers: %s", s.Name, s.Verdict, s.Timers, out.String())
		}
		if merged := mergeScenario([]*report.ScenarioReport{&s, &s}); merged.Timers != 2*s.Timers {
			t.Errorf("%s: %d timers of two shards, want %d", s.Name, merged.Timers, 2*s.Timers)
		}
	}
}
