package stress

import (
	"errors"
	"math"
	"time"

	"github.com/goccy/go-yaml/ast"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/nearest"
)

func (l *loader) plan(n ast.Node) (faults []chaos.Fault) {
	elements := l.elements(n, "plan")
	if len(elements) > plan.MaxFaults {
		l.fail(elements[plan.MaxFaults], "plan: the list has %d faults, want at most %d", len(elements), plan.MaxFaults)
	}
	for _, e := range elements {
		if l.err != nil {
			return nil
		}
		if faults = append(faults, l.fault(e)...); len(faults) > plan.MaxFaults {
			l.fail(e, "plan: with this one there are %d faults, want at most %d", len(faults), plan.MaxFaults)
		}
	}
	return faults
}

// fault reads one line of a plan: a fault at each of its points.
func (l *loader) fault(n ast.Node) (faults []chaos.Fault) {
	var f chaos.Fault
	var points []string
	reads := []fieldReader{
		{"at", func(n ast.Node) {
			points = l.texts(n, "at", func(n ast.Node) string { return l.text(n, "at") })
		}},
		{"fault", func(n ast.Node) { f.Kind = l.faultKind(n) }},
		{"probability", func(n ast.Node) { f.Probability = l.fraction(n, "probability") }},
		{"count", func(n ast.Node) { f.Count = int(l.number(n, "count", 1, math.MaxInt32)) }},
		{"task", func(n ast.Node) {
			if f.Task = l.text(n, "task"); f.Task == "" {
				l.fail(n, "task: found an empty name, want the name of a task; without the key it is any")
			}
		}},
		{"from", func(n ast.Node) { f.From = int(l.number(n, "from", 1, math.MaxInt32)) }},
		{"every", func(n ast.Node) { f.Every = int(l.number(n, "every", 1, math.MaxInt32)) }},
		{"for", func(n ast.Node) { f.Min, f.Max = l.delay(n) }},
		{"shape", func(n ast.Node) { f.Shape = l.shape(n) }},
		{"mean", func(n ast.Node) { f.Mean = l.duration(n, "mean") }},
		{"until", func(n ast.Node) { f.Until = l.text(n, "until") }},
		{"by", func(n ast.Node) {
			if f.By = l.number(n, "by", math.MinInt64, math.MaxInt64); f.By == 0 {
				l.fail(n, "by: found 0, which leaves the counter as it is; want a number such as -2")
			}
		}},
		{"to", func(n ast.Node) {
			to := l.unsigned(n, "to")
			f.To = &to
		}},
	}
	m := l.fields(n, "a fault", keysOf(reads))
	m.need("at", "fault")
	m.each(reads)
	for i, point := range points {
		f.At = point
		l.checkFault(f, m, i)
		faults = append(faults, f)
	}
	return faults
}

func (l *loader) faultKind(n ast.Node) hooks.Fault {
	s := l.text(n, "fault")
	kind, ok := faultOf(s)
	if !ok {
		l.fail(n, "unknown fault %q; %s", nearest.Clip(s), nearest.Hint(s, faultNames()))
	}
	return kind
}

func (l *loader) shape(n ast.Node) chaos.Shape {
	s := l.text(n, "shape")
	shape, ok := plan.ParseShape(s)
	if !ok {
		l.fail(n, "unknown shape %q; %s", nearest.Clip(s), nearest.Hint(s, plan.ShapeNames()))
	}
	return shape
}

func (l *loader) delay(n ast.Node) (low, high time.Duration) {
	low, high = l.durations(n, "for")
	switch {
	case l.err != nil:
	case high == 0:
		l.fail(n, "for: found 0, want a duration above 0")
	case high > plan.MaxDelay:
		l.fail(n, "for: found %s, want at most %s: a longer delay looks like a hang", high, plan.MaxDelay)
	}
	return low, high
}

// checkFault asks the engine whether it could carry the fault out at the i-th of its points,
// and puts its answer where the file says so.
func (l *loader) checkFault(f chaos.Fault, m *fields, i int) {
	if l.err != nil {
		return
	}
	var problem *chaos.PlanError
	if !errors.As(l.cat.check(chaos.Plan{Faults: []chaos.Fault{f}}), &problem) {
		return
	}
	at := m.value("fault")
	if m.has(problem.Field) {
		at = m.value(problem.Field)
	}
	if seq, ok := l.resolve(m.value("at")).(*ast.SequenceNode); ok && (problem.Field == "at" || problem.Field == "fault") {
		at = seq.Values[i] // the point that does not offer it
	}
	if written := problem.Field == "for" || problem.Field == "mean"; written && m.has(problem.Field) { // as the file has it
		problem.Found = nearest.Clip(l.resolve(at).GetToken().Value)
	}
	l.fail(at, "%s: found %s, want %s", problem.Field, problem.Found, problem.Want)
}
