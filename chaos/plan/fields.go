package plan

import (
	"errors"
	"math"
	"slices"
	"time"

	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/seam"
)

// Bounds of what a text may ask for, here and in a scenario file.
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
	Need(keys ...string) // notes which of them are missing
}

// A Key is a key of a fault in the text form.
type Key struct {
	Name, About string
	// Form is what the values are: points (one or several), point, kind, shape, name (not empty), count
	// (at least 1, at most math.MaxInt32), integer (of 64 bits, not 0), unsigned (of 64 bits), fraction
	// (above 0, at most 1), duration (not negative), or durations (one, or a range of two).
	Form   string
	Of     seam.Fault // the kinds of fault that have it
	Needed seam.Fault // those that need it
	read   func(f *Fault, v Value)
}

// keys are the keys of a fault, in the order of the documentation. At is read by ReadFaults, as
// it may be a list.
var keys = []Key{
	{"at", "The hook point, or a list of them: a fault at each.", "points", seam.Faults, seam.Faults, func(*Fault, Value) {}},
	{"fault", "What is done there; one that the point offers.", "kind", seam.Faults, seam.Faults, readKind},
	{"probability", "Of those, drawn for each; above 0. Absent: 1.", "fraction", seam.Faults, 0,
		func(f *Fault, v Value) { f.Probability = v.Fraction() }},
	{"count", "Of those that are drawn, by all tasks of an execution. Absent: no bound.", "count", seam.Faults, 0,
		func(f *Fault, v Value) { f.Count = int(v.Number(1, math.MaxInt32)) }},
	{"task", "The task that it affects; a star is any text: worker *. Absent: all.", "name", seam.Faults, 0, readTask},
	{"from", "The first of a task's hits that may fire. Absent: as every says.", "count", seam.Faults, 0,
		func(f *Fault, v Value) { f.From = int(v.Number(1, math.MaxInt32)) }},
	{"every", "And every so-manieth from there. Alone, 3 is 3, 6, 9. Absent: all.", "count", seam.Faults, 0,
		func(f *Fault, v Value) { f.Every = int(v.Number(1, math.MaxInt32)) }},
	{"for", "How long a delay lasts, or a hold at most: a duration or a range, at most 10s.", "durations", seam.Delay | seam.Hold, seam.Delay, readFor},
	{"shape", "How delays are distributed. Absent: uniform.", "shape", seam.Delay, 0, readShape},
	{"mean", "Of an exponential or a pareto.", "duration", seam.Delay, 0, func(f *Fault, v Value) { f.Mean = v.Duration() }},
	{"until", "The point at which another task's visit ends a hold.", "point", seam.Hold, seam.Hold, func(f *Fault, v Value) { f.Until = v.Text() }},
	{"by", "What a roll adds to the counter. Absent: -2.", "integer", seam.Roll, 0, readBy},
	{"to", "What a roll sets the counter to.", "unsigned", seam.Roll, 0, func(f *Fault, v Value) {
		to := v.Unsigned()
		f.To = &to
	}},
}

func readTask(f *Fault, v Value) {
	if f.Task = v.Text(); f.Task == "" {
		v.Fail("task: found an empty name, want the name of a task; without the key it is any")
	}
}

func readBy(f *Fault, v Value) {
	if f.By = v.Number(math.MinInt64, math.MaxInt64); f.By == 0 {
		v.Fail("by: found 0, which leaves the counter as it is; want a number such as -2")
	}
}

// Keys returns the keys of a fault in the text form, in the order of its documentation. The
// schema of scenario files is made from them.
func Keys() []Key { return slices.Clone(keys) }

// KeyNames returns the names of the keys.
func KeyNames() (names []string) {
	for _, k := range keys {
		names = append(names, k.Name)
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
		if v, ok := m.Get(k.Name); ok {
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
