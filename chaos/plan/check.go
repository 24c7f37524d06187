package plan

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/seam"
)

// A PlanError is one problem of one fault of a plan.
type PlanError struct {
	// Index of the fault in Plan.Faults.
	Index int
	// Field is the word of the plan's text form: "at", "fault", "probability",
	// "count", "from", "every", "for" (Min, Max), "shape", "mean", "until", "by", "to".
	Field string
	// Found is what was found, and Want what would be right, as text for a message.
	Found, Want string
}

func (e *PlanError) Error() string {
	return fmt.Sprintf("faults[%d].%s: found %s, want %s", e.Index, e.Field, e.Found, e.Want)
}

// Check reports whether this binary can carry the plan out: every point is declared and offers the
// fault, and the numbers make sense. It returns nil, or all problems in the order of the plan, as
// *PlanErrors joined by errors.Join.
//
// Points are declared when the package that owns them is initialised, and only
// with the build tag chaos: in a binary without it every point is unknown.
// Safe for concurrent use.
func (p Plan) Check() error {
	var problems []error
	for i, f := range p.Faults {
		for _, e := range f.check() {
			e.Index = i
			problems = append(problems, e)
		}
	}
	return errors.Join(problems...)
}

// check returns the problems of one fault, without their Index.
func (f Fault) check() []*PlanError {
	var problems []*PlanError
	wrong := func(field, found, want string) {
		problems = append(problems, &PlanError{Field: field, Found: found, Want: want})
	}

	point := seam.Lookup(f.At)
	if point == nil {
		wrong("at", fmt.Sprintf("%q", f.At), wantPoint(f.At))
	}

	known := false // Kind is one of the existing kinds
	switch kinds := f.Kind.Kinds(); {
	case f.Kind == 0:
		wrong("fault", "none", wantKind(point))
	case len(kinds) != 1 || kinds[0] != f.Kind:
		wrong("fault", fmt.Sprintf("%q", f.Kind), "a single fault: "+wantKind(point))
	default:
		known = true
		if point != nil && point.Offers&f.Kind == 0 {
			wrong("fault", fmt.Sprintf("%q", f.Kind), wantKind(point))
		}
	}

	if !(f.Probability >= 0 && f.Probability <= 1) { // so that NaN is caught
		wrong("probability", fmt.Sprint(f.Probability), "0 < p <= 1, or 0, which means 1")
	}
	if f.Count < 0 {
		wrong("count", fmt.Sprint(f.Count), "how often at most, or 0 for no bound")
	}
	if f.From < 0 {
		wrong("from", fmt.Sprint(f.From), "the number of the first hit, or 0 for the first that is chosen otherwise")
	}
	if f.Every < 0 {
		wrong("every", fmt.Sprint(f.Every), "how many hits further on, or 0 for all")
	}
	if known {
		f.checkDuration(wrong)
		f.checkShape(wrong)
		f.checkUntil(wrong)
		f.checkRoll(wrong)
	}
	return problems
}

// checkDuration checks Min and Max.
func (f Fault) checkDuration(wrong func(field, found, want string)) {
	found := fmt.Sprintf("%v to %v", f.Min, f.Max)
	switch {
	case f.Kind == hooks.Holds && (f.Min < 0 || f.Max < 0):
		wrong("for", found, "a duration that is not negative")
	case f.Kind == hooks.Holds && f.Min != 0 && f.Min != f.Max:
		wrong("for", found, "one duration: how long the hold lasts at most")
	case f.Kind == hooks.Holds:
	case f.Kind != hooks.Delays && (f.Min != 0 || f.Max != 0):
		wrong("for", found, fmt.Sprintf("no duration with %q: it belongs to a delay or a hold", f.Kind))
	case f.Kind != hooks.Delays:
	case f.Min < 0 || f.Max < 0:
		wrong("for", found, "durations that are not negative")
	case f.Max == 0 && f.Min == 0:
		wrong("for", "no duration", "how long the delay lasts at most")
	case f.Min > f.Max:
		wrong("for", found, "the shorter duration first, and a longest one")
	}
}

// checkShape checks Shape and Mean, of a delay whose Min and Max make sense.
func (f Fault) checkShape(wrong func(field, found, want string)) {
	tail := f.Shape == Exponential || f.Shape == Pareto
	switch {
	case f.Shape >= shapeEnd:
		wrong("shape", fmt.Sprint(uint8(f.Shape)), "one of "+strings.Join(ShapeNames(), ", "))
	case f.Kind != hooks.Delays && f.Shape != Uniform:
		wrong("shape", f.Shape.String(), fmt.Sprintf("none with %q: it belongs to a delay", f.Kind))
	case !tail && f.Mean != 0:
		wrong("mean", f.Mean.String(), "none, or the shape exponential or pareto")
	case !tail || f.Min < 0 || f.Min > f.Max || f.Max == 0:
	case f.Shape == Pareto && f.Min == 0:
		wrong("for", fmt.Sprintf("%v to %v", f.Min, f.Max), "a shortest length above 0 with pareto, which multiplies it")
	case f.Mean <= f.Min || f.Mean > f.Max:
		wrong("mean", f.Mean.String(), fmt.Sprintf("more than %v, at most %v", f.Min, f.Max))
	}
}

// checkUntil checks Until.
func (f Fault) checkUntil(wrong func(field, found, want string)) {
	switch {
	case f.Kind != hooks.Holds && f.Until != "":
		wrong("until", fmt.Sprintf("%q", f.Until), fmt.Sprintf("no point with %q: it belongs to a hold", f.Kind))
	case f.Kind != hooks.Holds:
	case f.Until == "":
		wrong("until", "no point", "the point that ends the hold")
	case seam.Lookup(f.Until) == nil:
		wrong("until", fmt.Sprintf("%q", f.Until), wantPoint(f.Until))
	case f.Until == f.At:
		wrong("until", fmt.Sprintf("%q", f.Until), "another point than that of the hold, or all would be held there")
	}
}

// checkRoll checks By and To.
func (f Fault) checkRoll(wrong func(field, found, want string)) {
	if f.Kind != hooks.Rolls {
		if f.By != 0 {
			wrong("by", fmt.Sprint(f.By), fmt.Sprintf("nothing with %q: it belongs to a roll", f.Kind))
		}
		if f.To != nil {
			wrong("to", fmt.Sprint(*f.To), fmt.Sprintf("nothing with %q: it belongs to a roll", f.Kind))
		}
		return
	}
	if f.By != 0 && f.To != nil {
		wrong("by", fmt.Sprintf("%d together with to: %d", f.By, *f.To), "one of the two")
	}
}

// wantPoint describes the point that is wanted, if possible with the name that was probably
// meant.
func wantPoint(got string) string {
	var names []string
	for _, p := range seam.Points() {
		names = append(names, p.Name)
	}
	switch name := nearest.Name(got, names); {
	case name != "":
		return fmt.Sprintf("a declared point, perhaps %q", name)
	case len(names) > 0:
		return fmt.Sprintf("one of the %d points that this binary declares", len(names))
	case !hooks.Enabled:
		return "a declared point, but none exists in a binary built without -tags chaos"
	}
	return "a declared point, but this binary imports no package that declares one"
}

// wantKind lists the faults that the point offers, or all of them if point is nil.
func wantKind(point *seam.Point) string {
	if point == nil {
		return "one of " + strings.Join(seam.FaultNames(), ", ")
	}
	var names []string
	for _, k := range point.Offers.Kinds() {
		names = append(names, k.String())
	}
	return fmt.Sprintf("what %s offers: %s", point.Name, strings.Join(names, ", "))
}
