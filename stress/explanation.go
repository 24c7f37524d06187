package stress

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/explore"
	"github.com/rouse-go/rouse/internal/nearest"
)

// Explain says in prose what the scenario does, a line for each thing: to whom, with which faults, when
// each of them fires, and what is expected.
func (sc *Scenario) Explain() []string {
	how := "truly parallel, in real time"
	if sc.Mode == Control {
		how = fmt.Sprintf("under control, one task at a time, schedules by %s", sc.strategy())
		if sc.Clock == control.Racy {
			how += ", timers at any step"
		}
	}
	var sizes []string
	for _, w := range sc.Pool.Workers {
		sizes = append(sizes, fmt.Sprint(w))
	}
	subject := "a pool of " + nearest.Enumerate(sizes) + " workers"
	if len(sizes) == 1 {
		subject = "a pool of " + plural(sc.Pool.Workers[0], "worker")
	} else if len(sizes) > 1 {
		subject += " in turn"
	}
	if sc.Subject != "" {
		subject = "a " + sc.Subject
	} else if details := encodePool(sc.Pool)[1:]; len(details) > 0 {
		subject += " (" + strings.Join(details, ", ") + ")"
	}
	lines := []string{sc.About, fmt.Sprintf("Runs the workload %s on %s, %s.", sc.Workload, subject, how)}
	if sizes := encodeSizes(sc); len(sizes) > 0 {
		lines[1] += " Sizes: " + strings.Join(sizes, ", ") + "."
	}
	if len(sc.Plan) == 0 {
		lines = append(lines, "Nothing is made to go wrong.")
	}
	for _, f := range sc.Plan {
		lines = append(lines, fmt.Sprintf("%s: %s %s; %s.", f.At, strikes(f.Task), harm(f), whenFires(f)))
	}
	if sc.Expect == Pass {
		lines = append(lines, "Expected: "+sc.Expected()+".")
	} else {
		lines = append(lines, "Expected: "+sc.Expected()+". It is a positive control: a campaign in which it is not convicted of that fails.")
	}
	if sc.Why != "" {
		lines[len(lines)-1] += " " + sc.Why
	}
	for _, e := range sc.Except {
		lines = append(lines, "With "+nearest.Enumerate(e.Sleep)+": "+e.text())
	}
	return lines
}

func (e *Exception) text() string {
	var parts []string
	if len(e.Without) > 0 {
		parts = append(parts, "without the faults at "+nearest.Enumerate(e.Without))
	}
	if e.Expect != "" {
		parts = append(parts, "expected: "+alternatives(e.Expect, e.May))
	} else if len(e.May) > 0 {
		parts = append(parts, "may also be "+strings.TrimPrefix(alternatives("", e.May), " or "))
	}
	return strings.Join(parts, "; ") + ". " + e.Why
}

func strikes(task string) string {
	if task == "" {
		return "any task"
	}
	return fmt.Sprintf("a task named %q", task)
}

// harm says what the fault does to whom it strikes.
func harm(f chaos.Fault) string {
	switch f.Kind {
	case hooks.Delays:
		span := shortDuration(f.Max)
		if f.Min != f.Max {
			span = shortDuration(f.Min) + " to " + span
		}
		if f.Shape != chaos.Uniform {
			span += fmt.Sprintf(" (%s, mean %s)", f.Shape, shortDuration(f.Mean))
		}
		return "is delayed by " + span
	case hooks.Yields:
		return "lets others go first"
	case hooks.Holds:
		most := f.Max
		if most == 0 {
			most = plan.HoldLimit
		}
		return fmt.Sprintf("is held until another task has passed %s, for %s at most", f.Until, shortDuration(most))
	case hooks.Drops:
		return "sends a notification that never arrives"
	case hooks.Duplicates:
		return "sends its notification twice"
	case hooks.Fails:
		return "is told that it has failed"
	case hooks.SpuriousWakes:
		return "wakes without a notification"
	case hooks.Rolls:
		if f.To != nil {
			return fmt.Sprintf("finds the counter at %d", *f.To)
		}
		by := f.By
		if by == 0 {
			by = plan.RollBy
		}
		return fmt.Sprintf("finds the counter moved by %+d", by)
	}
	return f.Kind.String()
}

// whenFires says when the fault fires, in the order in which plan.Fault asks.
func whenFires(f chaos.Fault) string {
	var text string
	every, from := max(f.Every, 1), f.From
	if from == 0 {
		from = every
	}
	switch {
	case every > 1:
		text = fmt.Sprintf("at each task's hits %d, %d, %d and so on", from, from+every, from+2*every)
	case from > 1:
		text = fmt.Sprintf("from each task's hit %d on", from)
	default:
		text = "at each hit"
	}
	if p := f.Probability; p != 0 && p != 1 {
		text += fmt.Sprintf(", with a probability of %g", p)
	}
	if f.Count == 1 {
		text += ", only the first that comes so far, of all tasks"
	} else if f.Count > 1 {
		text += fmt.Sprintf(", only the first %d that come so far, of all tasks together", f.Count)
	}
	return text
}

// trialExecutions are how often Rehearse runs a scenario at most, and trialSteps how long each of
// those is at most.
const (
	trialExecutions = 64
	trialSteps      = 20_000
)

// Rehearse runs the scenario a few times, in this process and under control, whatever its mode is, and
// returns warnings: faults of its plan that can hardly fire, since nobody comes there. A native
// scenario is rehearsed with workers that are sleepy at once, and small unless it says how large. It
// learns nothing of verdicts. Only one at a time in a process.
func (sc *Scenario) Rehearse() (warnings []string, err error) {
	if len(sc.Plan) == 0 {
		return nil, nil
	}
	trial := *sc
	if sc.Mode == Native {
		rounds := 0
		trial.Mode, trial.Pool.Rounds = Control, &rounds
	}
	trial.Strategy, trial.MaxSteps = "", trialSteps
	probe := func(at, task string) { // is hit by whoever passes, and never fires
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
	e, err := newExplorer(&trial, 1)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	hits, fires := make([]uint64, len(trial.Plan)), make([]uint64, len(sc.Plan))
	n, _ := e.Explore(explore.Range{To: trialExecutions, Judge: trialExecutions,
		Before: func(n int) bool {
			return n < 2*len(trial.Pool.Workers) || slices.Contains(hits, 0) || slices.Contains(fires, 0)
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
			why = fmt.Sprintf("nobody has passed the point with the workload %s", sc.Workload)
			if sc.Pool.Sleep != "" {
				why += " and the strategy " + sc.Pool.Sleep
			}
		case task == 0:
			why = fmt.Sprintf("others have passed the point, and no task named %q", f.Task)
		case hits[i] == 0:
			why = fmt.Sprintf("the point has been passed, and never where a %s could strike", f.Kind)
		case fires[i] == 0 && (f.From > 1 || f.Every > 1) && sc.Mode == Control:
			why = "no task has come to the hit where it would begin"
		case until == 0:
			why = fmt.Sprintf("nobody has passed %s, so that each hold lasts as long as it may", f.Until)
		}
		if why != "" {
			warnings = append(warnings, fmt.Sprintf("%s at %s: in %d executions under control %s", f.Kind, f.At, n, why))
		}
	}
	return warnings, nil
}
