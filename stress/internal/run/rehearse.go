package run

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/explore"
	"github.com/rouse-go/rouse/stress/scenario"
)

// trialExecutions is how often Rehearse runs a scenario at most, and trialSteps how long each of
// those is at most.
const (
	trialExecutions = 64
	trialSteps      = 20_000
)

// Rehearse runs the scenario some times, in this process and under control, whatever its mode is, and
// warns of faults of its plan that can hardly fire, since no task gets there. A native scenario is
// rehearsed with the subject's Rehearsal, and small unless it sets its sizes. Verdicts are ignored.
// A process can have one rehearsal at a time.
func (r *Runner) Rehearse(sc *scenario.Scenario) (warnings []string, err error) {
	if len(sc.Plan) == 0 {
		return nil, nil
	}
	of, w := r.subject(sc)
	trial := *sc
	if sc.Mode == scenario.Native {
		trial.Mode, trial.Setup = scenario.Control, maps.Clone(sc.Setup)
		for name, value := range of.Rehearsal {
			if trial.Setup == nil {
				trial.Setup = map[string]string{}
			}
			trial.Setup[name] = value
		}
	}
	trial.Strategy, trial.MaxSteps = "", trialSteps
	probe := func(at, task string) { // is hit by each task that passes, and never fires
		trial.Plan = append(trial.Plan, chaos.Fault{At: at, Kind: hooks.Yields, Probability: 1e-12, Task: task})
	}
	trial.Plan = slices.Clone(sc.Plan)
	for _, f := range sc.Plan {
		probe(f.At, "")
		probe(f.At, f.Task)
		if f.Until == "" {
			f.Until = f.At
		}
		probe(f.Until, "")
	}
	e, err := newExplorer(&trial, of, w, 1)
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
	for i, f := range sc.Plan {
		point, task, until := hits[len(sc.Plan)+3*i], hits[len(sc.Plan)+3*i+1], hits[len(sc.Plan)+3*i+2]
		why := ""
		switch {
		case point == 0:
			why = fmt.Sprintf("no task has passed the point with the workload %s", sc.Workload)
			if sc.Variant != "" {
				why += " and the variant " + sc.Variant
			}
		case task == 0:
			why = fmt.Sprintf("others have passed the point, and no task named %q", f.Task)
		case hits[i] == 0:
			why = fmt.Sprintf("the point has been passed, and never where a %s could fire", f.Kind)
		case fires[i] == 0 && (f.From > 1 || f.Every > 1) && sc.Mode == scenario.Control:
			why = "no task has reached the hit where it would begin"
		case until == 0:
			why = fmt.Sprintf("no task has passed %s, so that each hold lasts as long as it may", f.Until)
		}
		if why != "" {
			warnings = append(warnings, fmt.Sprintf("%s at %s: in %d executions under control %s", f.Kind, f.At, n, why))
		}
	}
	return warnings, nil
}
