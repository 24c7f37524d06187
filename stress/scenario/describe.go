package scenario

import (
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/stress/subject"
)

// Explain describes the scenario in prose, a line for each thing: what it does to which subject, its faults,
// when each of them fires, and what is expected.
func (sc *Scenario) Explain() []string {
	how := "truly parallel, in real time"
	if sc.Mode == Control {
		how = fmt.Sprintf("under control, one task at a time, schedules by %s", sc.StrategyName())
		if sc.Clock == control.Racy {
			how += ", timers at any step"
		}
	}
	of := "the subject " + sc.Subject
	if setup := setupPairs(sc); len(setup) > 0 {
		of += " (" + strings.Join(setup, ", ") + ")"
	}
	lines := []string{sc.About, fmt.Sprintf("Runs the workload %s on %s, %s.", sc.Workload, of, how)}
	if sizes := pairs(sc.Sizes); len(sizes) > 0 {
		lines[1] += " Sizes: " + strings.Join(sizes, ", ") + "."
	}
	if len(sc.Plan) == 0 {
		lines = append(lines, "Nothing is made to go wrong.")
	}
	for _, f := range sc.Plan {
		lines = append(lines, fmt.Sprintf("%s: %s %s; %s.", f.At, strikes(f.Task), effect(f), whenFires(f)))
	}
	if sc.Expect == verdict.Pass {
		lines = append(lines, "Expected: "+sc.Expected()+".")
	} else {
		lines = append(lines, "Expected: "+sc.Expected()+". It is a positive control: a campaign that does not find this fails.")
	}
	if sc.Why != "" {
		lines[len(lines)-1] += " " + sc.Why
	}
	for _, e := range sc.Except {
		lines = append(lines, "With "+nearest.Enumerate(e.Variant)+": "+e.text())
	}
	return lines
}

func (e *Exception) text() string {
	var parts []string
	if len(e.Without) > 0 {
		parts = append(parts, "without the faults at "+nearest.Enumerate(e.Without))
	}
	if e.Expect != "" {
		parts = append(parts, "expected: "+Alternatives(e.Expect, e.May))
	} else if len(e.May) > 0 {
		parts = append(parts, "may also be "+strings.TrimPrefix(Alternatives("", e.May), " or "))
	}
	return strings.Join(parts, "; ") + ". " + e.Why
}

func strikes(task string) string {
	if task == "" {
		return "any task"
	}
	return fmt.Sprintf("a task named %q", task)
}

// effect describes what the fault does to the task.
func effect(f chaos.Fault) string {
	switch f.Kind {
	case hooks.Delays:
		span := subject.FormatSpan(f.Max)
		if f.Min != f.Max {
			span = subject.FormatSpan(f.Min) + " to " + span
		}
		if f.Shape != chaos.Uniform {
			span += fmt.Sprintf(" (%s, mean %s)", f.Shape, subject.FormatSpan(f.Mean))
		}
		return "is delayed by " + span
	case hooks.Yields:
		return "lets others go first"
	case hooks.Holds:
		most := f.Max
		if most == 0 {
			most = plan.HoldLimit
		}
		return fmt.Sprintf("is held until another task has passed %s, for %s at most", f.Until, subject.FormatSpan(most))
	case hooks.Drops:
		return "sends a notification that never arrives"
	case hooks.Duplicates:
		return "sends its notification twice"
	case hooks.Fails:
		return "gets a failure"
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

// whenFires describes when the fault fires, in the order of the checks of plan.Fault.
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
