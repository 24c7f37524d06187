//go:build chaos

package stress

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/time"
)

// impatient gives itself a second, which is plenty unless time passes at any step.
func impatient() Subject {
	target := Target[bool]{Name: "impatient", New: func(*Execution) bool { return true }, Workloads: []Work[bool]{{
		Name: "deadline", About: "Something that gives itself a second.",
		Run: func(x *Execution, _ bool) {
			var late atomic.Bool
			timeout := time.AfterFunc(time.Second, func() { late.Store(true) })
			defer timeout.Stop()
			if late.Load() {
				x.Convict(WrongResult, "the timeout hit")
			}
		},
	}}}
	return target.Subject()
}

const clockFile = `version: 1
scenarios:
  - {name: lazy, about: Timers wait., mode: control, subject: impatient, workload: deadline, expect: pass}
  - {name: racy, about: Timers do not wait., mode: control, clock: racy, subject: impatient, workload: deadline, expect: wrong-result}
`

// The racy clock finds what the lazy one leaves out, and a scenario that passes by the
// lazy one says that it did. What is found is repeated with its clock.
func TestClockOfAScenario(t *testing.T) {
	scenarios, err := Load("clock.yaml", []byte(clockFile), impatient())
	if err != nil {
		t.Fatal(err)
	}
	if scenarios[0].Clock != control.Lazy || scenarios[1].Clock != control.Racy {
		t.Fatalf("clocks %v and %v", scenarios[0].Clock, scenarios[1].Clock)
	}
	again, err := Load("again.yaml", Encode(scenarios), impatient())
	if err != nil || again[1].Clock != control.Racy || !strings.Contains(encodeScenario(&scenarios[1], ""), "clock: racy") {
		t.Errorf("encoded: %v\n%s", err, Encode(scenarios))
	}
	if said := strings.Join(scenarios[1].Explain(), "\n"); !strings.Contains(said, ", timers at any step") {
		t.Errorf("%s", said)
	}
	for i, want := range []struct {
		verdict Verdict
		timers  bool
	}{{Pass, true}, {WrongResult, false}} {
		sc := &scenarios[i]
		y := newTally(sc)
		r := request{Scenario: *sc, CampaignSeed: 1, Explore: &exploreRequest{Stride: 1, To: 100}}
		err := r.explore(func(m message) {
			if m.Batch != nil {
				y.addBatch(m.Batch)
			}
		}, func(*Scenario, int) {})
		if err != nil {
			t.Fatal(err)
		}
		s := y.report(true)
		var out bytes.Buffer
		(&Console{Out: &out}).ScenarioDone(s)
		if s.Verdict != want.verdict || (s.Timers > 0) != want.timers || strings.Contains(out.String(), "clock: racy explores that") != want.timers {
			t.Errorf("%s: %s, %d timers: %s", sc.Name, s.Verdict, s.Timers, out.String())
		}
		if merged := mergeScenario([]*ScenarioReport{&s, &s}); merged.Timers != 2*s.Timers {
			t.Errorf("%s: %d timers of two shards, want %d", sc.Name, merged.Timers, 2*s.Timers)
		}
	}
}

func TestClockRefused(t *testing.T) {
	for text, want := range map[string]string{
		strings.Replace(clockFile, "clock: racy", "clock: rcay", 1):                              `unknown clock "rcay"; did you mean "racy"?`,
		strings.Replace(clockFile, "mode: control, clock: racy", "mode: native, clock: racy", 1): "clock: found it in a native scenario",
	} {
		if _, err := Load("clock.yaml", []byte(text), impatient()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
