package plan

import (
	"errors"
	"math"
	"time"

	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/seam"
)

// What a text may ask for, here and in a scenario file.
const (
	MaxFaults = 256              // of one plan
	maxDelay  = 10 * time.Second // a longer one looks like a hang
)

// A Value is the value of a key of a fault. Its methods read it as the type in their names. If it
// has another, they note the error and its place, and return zero. Only the first error counts.
type Value interface {
	Text() string
	Texts() []string // one, or a list of different ones
	Number(low, high int64) int64
	Unsigned() uint64
	Fraction() float64                    // above 0, at most 1
	Duration() time.Duration              // not negative
	Durations() (low, high time.Duration) // one or a range, low <= high
	Written() string                      // as the text has it
	Fail(format string, args ...any)
	FailElement(i int, format string, args ...any) // at one of Texts
}

// A Mapping is one element of the list of faults in a text: keys, each once and among
// Keys, with values.
type Mapping[V Value] interface {
	Get(key string) (V, bool)
	Need(keys ...string) // notes which of them are not there
}

// A key of a fault.
type key struct {
	name string
	read func(f *Fault, v Value)
}

// keys are those of a fault, in the order of the documentation. At is read by ReadFaults,
// as it may be a list.
var keys = []key{
	{"at", func(*Fault, Value) {}},
	{"fault", readKind},
	{"probability", func(f *Fault, v Value) { f.Probability = v.Fraction() }},
	{"count", func(f *Fault, v Value) { f.Count = int(v.Number(1, math.MaxInt32)) }},
	{"task", func(f *Fault, v Value) {
		if f.Task = v.Text(); f.Task == "" {
			v.Fail("task: found an empty name, want the name of a task; without the key it is any")
		}
	}},
	{"from", func(f *Fault, v Value) { f.From = int(v.Number(1, math.MaxInt32)) }},
	{"every", func(f *Fault, v Value) { f.Every = int(v.Number(1, math.MaxInt32)) }},
	{"for", readFor},
	{"shape", readShape},
	{"mean", func(f *Fault, v Value) { f.Mean = v.Duration() }},
	{"until", func(f *Fault, v Value) { f.Until = v.Text() }},
	{"by", func(f *Fault, v Value) {
		if f.By = v.Number(math.MinInt64, math.MaxInt64); f.By == 0 {
			v.Fail("by: found 0, which leaves the counter as it is; want a number such as -2")
		}
	}},
	{"to", func(f *Fault, v Value) {
		to := v.Unsigned()
		f.To = &to
	}},
}

// Keys are those of a fault in the text form, in the order of its documentation.
func Keys() []string {
	var names []string
	for _, k := range keys {
		names = append(names, k.name)
	}
	return names
}

// ReadFaults reads one element of a plan's text: a fault at each of its points. The problems that
// check finds, usually Plan.Check, are noted at the values that they are about. After an error
// the result is meaningless.
//
// Parse and the scenarios of stress share it: no other code knows the keys.
func ReadFaults[V Value](m Mapping[V], check func(Plan) error) (faults []Fault) {
	m.Need("at", "fault")
	at, ok := m.Get("at")
	if !ok {
		return nil
	}
	var f Fault
	points := at.Texts()
	for _, k := range keys {
		if v, ok := m.Get(k.name); ok {
			k.read(&f, v)
		}
	}
	for i, point := range points {
		f.At = point
		noteProblem(m, i, check(Plan{Faults: []Fault{f}}))
		faults = append(faults, f)
	}
	return faults
}

// noteProblem notes the problem of the fault at the i-th point at the value that it is about.
func noteProblem[V Value](m Mapping[V], i int, err error) {
	var problem *PlanError
	if !errors.As(err, &problem) {
		return
	}
	field, found := problem.Field, problem.Found
	v, ok := m.Get(field)
	switch {
	case !ok:
		v, _ = m.Get("fault")
	case field == "for" || field == "mean":
		found = nearest.Clip(v.Written())
	}
	if at, ok := m.Get("at"); ok && (field == "at" || field == "fault") && len(at.Texts()) > 1 {
		at.FailElement(i, "%s: found %s, want %s", field, found, problem.Want) // the point that does not offer it
	}
	v.Fail("%s: found %s, want %s", field, found, problem.Want)
}

func readKind(f *Fault, v Value) {
	s := v.Text()
	kind, ok := seam.ParseFault(s)
	if !ok {
		v.Fail("unknown fault %q; %s", nearest.Clip(s), nearest.Hint(s, seam.FaultNames()))
	}
	f.Kind = kind
}

func readShape(f *Fault, v Value) {
	s := v.Text()
	shape, ok := parseShape(s)
	if !ok {
		v.Fail("unknown shape %q; %s", nearest.Clip(s), nearest.Hint(s, ShapeNames()))
	}
	f.Shape = shape
}

func readFor(f *Fault, v Value) {
	f.Min, f.Max = v.Durations()
	switch {
	case f.Max == 0:
		v.Fail("for: found 0, want a duration above 0")
	case f.Max > maxDelay:
		v.Fail("for: found %s, want at most %s: a longer delay looks like a hang", f.Max, maxDelay)
	}
}
