package run

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/explore"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
)

// trialExecutions is the maximum number of executions of a Rehearse, and trialSteps the maximum
// number of steps of each.
const (
	trialExecutions = 64
	trialSteps      = 20_000
)

// Rehearse runs the scenario several times, in this process and under control, whatever its mode is, and
// warns of faults of its plan that can hardly fire, because no task gets there, unless the scenario declares
// that a fault may not be reached. A native scenario is rehearsed with the subject's Rehearsal, and small unless
// it sets its sizes. Verdicts are ignored. A process can have one rehearsal at a time.
func (r *Runner) Rehearse(sc *scenario.Scenario) (warnings []string, err error) {
	if len(sc.Plan) == 0 || sc.Expect == verdict.NeverReached || slices.Contains(sc.May, verdict.NeverReached) {
		return nil, nil
	}
	of, _ := r.subject(sc)
	trial := trialOf(sc, of)
	e, err := r.newExplorer(&trial, 1)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	hits, fires := make([]uint64, len(trial.Plan)), make([]uint64, len(sc.Plan))
	n, _ := e.Explore(explore.Range{To: trialExecutions, Judge: trialExecutions,
		Before: func(n int) bool {
			return n < 2*trial.Settings() || slices.Contains(hits, 0) || slices.Contains(fires, 0)
		},
		After: func(r *control.Result) {
			for i, c := range r.Faults {
				hits[i] += uint64(c.Hits)
				if i < len(fires) {
					fires[i] += uint64(c.Fires)
				}
			}
		},
	})
	for i := range sc.Plan {
		probes := hits[len(sc.Plan)+3*i:]
		if why := idle(sc, &sc.Plan[i], trialHits{hits[i], fires[i], probes[0], probes[1], probes[2]}); why != "" {
			warnings = append(warnings, fmt.Sprintf("%s at %s: in %d executions under control %s", sc.Plan[i].Kind, sc.Plan[i].At, n, why))
		}
	}
	return warnings, nil
}

// trialOf returns the scenario to rehearse: its plan is followed by three probes of each of its faults.
func trialOf(sc *scenario.Scenario, of *subject.Subject) scenario.Scenario {
	trial := *sc
	if sc.Mode == scenario.Native {
		trial.Mode, trial.Setup = scenario.Control, map[string]string{}
		maps.Copy(trial.Setup, sc.Setup)
		maps.Copy(trial.Setup, of.Rehearsal)
	}
	trial.Strategy, trial.MaxSteps = "", trialSteps
	probe := func(at, task string) { // is hit by each task that passes, and never fires
		trial.Plan = append(trial.Plan, chaos.Fault{At: at, Kind: hooks.Yields, Probability: 1e-12, Task: task})
	}
	trial.Plan = slices.Clone(sc.Plan)
	for _, f := range sc.Plan {
		probe(f.At, "")
		probe(f.At, f.Task)
		probe(cmp.Or(f.Until, f.At), "")
	}
	return trial
}

// trialHits counts the visits of a fault and of its probes.
type trialHits struct {
	hits, fires        uint64
	point, task, until uint64 // visits of its point by any task and by its task, and of the point that ends it
}

// idle returns why a fault can hardly fire, or "" if it can.
func idle(sc *scenario.Scenario, f *chaos.Fault, n trialHits) (why string) {
	switch {
	case n.point == 0:
		why = fmt.Sprintf("no task has passed the point with the workload %s", sc.Workload)
		if sc.Variant != "" {
			why += " and the variant " + sc.Variant
		}
	case n.task == 0:
		why = fmt.Sprintf("others have passed the point, and no task named %q", f.Task)
	case n.hits == 0:
		why = fmt.Sprintf("the point has been passed, and never where a %s could fire", f.Kind)
	case n.fires == 0 && (f.From > 1 || f.Every > 1) && sc.Mode == scenario.Control:
		why = "no task has reached the hit where it would begin"
	case n.until == 0:
		why = fmt.Sprintf("no task has passed %s, so that each hold lasts as long as it may", f.Until)
	}
	return why
}
