//go:build chaos

package pool_test

import (
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/sleep"
	"github.com/rouse-go/rouse/stress/mutants/kill"
)

// What the strategies that are experiments lose in a pool, and the verdict on it; ""
// where they lose nothing that these programs see. The counter does not roll over.
var lossyVerdicts = map[string]map[string]verdict.Verdict{
	"jec-readme":     {"posts": "", "posts meet": verdict.LostWakeup, "broadcasts": verdict.LostWakeup},
	"rfc5":           {"posts": verdict.LostWakeup, "posts meet": verdict.LostWakeup, "broadcasts": verdict.LostWakeup},
	"rfc5-no-sleepy": {"posts": verdict.LostWakeup, "posts meet": verdict.LostWakeup, "broadcasts": verdict.LostWakeup},
}

func TestLossyStrategiesLose(t *testing.T) {
	executions := 3000
	if raceDetector() || testing.Short() {
		executions = 500
	}
	k := killer{workers: 2, jobs: 2, jec: 32}
	for _, v := range sleep.Variants() {
		if !v.Lossy {
			continue
		}
		for name, use := range map[string]struct {
			use   func(words string) (kill.Program, error)
			words string
		}{
			"posts":      {k.program(posts), ""},
			"posts meet": {k.program(posts), "meet "},
			"broadcasts": {k.program(allWorkers), ""},
		} {
			p, err := use.use(use.words + v.Name)
			if err != nil {
				t.Fatal(err)
			}
			got := verdict.Verdict("")
			n, failure := failing(t, func(e *control.Engine) func() { return func() { p.Body(e) } }, executions, strategy.PCTCycle(), plan.Plan{})
			if failure != nil {
				got = failure.Verdict
				t.Logf("%s, %s: %s in execution %d: %s", v.Name, name, got, n, failure.Summary)
			}
			if want, said := lossyVerdicts[v.Name][name]; !said || got != want {
				t.Errorf("%s, %s: %q in %d executions, want %q", v.Name, name, got, n, want)
			}
		}
	}
}
