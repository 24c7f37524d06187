package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/yamltree"
	"github.com/rouse-go/rouse/stress/subject"
)

// variantKey is the key of the variant, beside the parameters of the subject.
const variantKey = "variant"

// of returns the catalogue for the scenarios of one of its subjects.
func (c *catalogue) of(s *subject.Subject) *catalogue {
	as := *c
	as.subject = s
	if check := c.check; len(s.Packages) > 0 {
		as.check = func(p chaos.Plan) error {
			for i, f := range p.Faults {
				for _, at := range []struct{ field, point string }{{"at", f.At}, {"until", f.Until}} {
					if at.point == "" || s.Owns(at.point) {
						continue
					}
					have := c.pointsOf(s)
					want := fmt.Sprintf("one of the %d points of %s", len(have), s.Name)
					if near := nearest.Name(at.point, have); near != "" {
						want = fmt.Sprintf("a point of %s, perhaps %q", s.Name, near)
					}
					return &chaos.PlanError{Index: i, Field: at.field, Found: fmt.Sprintf("%q", nearest.Clip(at.point)), Want: want}
				}
			}
			return check(p)
		}
	}
	return &as
}

// pointsOf lists the hook points of a subject.
func (c *catalogue) pointsOf(s *subject.Subject) (mine []string) {
	for _, p := range c.points {
		if s.Owns(p) {
			mine = append(mine, p)
		}
	}
	return mine
}

// of returns the catalogue for a scenario: the one of the subject that it names, or whose parameters it has.
func (l *loader) of(t *yamltree.Tree) *catalogue {
	name := t.Fields["subject"]
	for i := range l.cat.subjects {
		s := &l.cat.subjects[i]
		if name != nil && name.Text() == s.Name || name == nil && t.Fields[s.Name] != nil {
			return l.cat.whole.of(s)
		}
	}
	return l.cat
}

// checkParams reports parameters that do not fit together.
func checkParams(sc *Scenario, t *yamltree.Tree, s *subject.Subject, w *subject.Workload) {
	if w.Check == nil {
		return
	}
	for n := range sc.Settings() {
		err := w.Check(sc.Values(s, n))
		if err == nil {
			continue
		}
		at := t.Fields["workload"]
		if sizes := t.Fields["sizes"]; sizes != nil {
			at = sizes
		}
		if e, ok := err.(*subject.ParamError); ok {
			for _, of := range []string{s.Name, "sizes"} {
				if value := t.Get(of).Fields[e.Name]; value != nil {
					at = value
				}
			}
			_, index := sc.chosen(n)
			at = at.Element(index[e.Name])
		}
		at.Fail("%v", err)
		return
	}
}

// pairs writes parameters as keys and values of YAML, in the order of their names. None of the values
// can be misread.
func pairs(params map[string]string) (all []string) {
	for name, text := range params {
		all = append(all, name+": "+text)
	}
	slices.Sort(all)
	return all
}

// setupPairs writes the parameters of the subject.
func setupPairs(sc *Scenario) []string {
	all := maps.Clone(sc.Setup)
	if sc.Variant != "" {
		if all == nil {
			all = map[string]string{}
		}
		all[variantKey] = sc.Variant
	}
	return pairs(all)
}

// maxElements is the maximum number of values of a List parameter.
const maxElements = 64

// params reads parameters, in the form that Encode writes.
func params(t *yamltree.Tree, of []subject.Param) map[string]string {
	if len(t.Fields) == 0 {
		return nil
	}
	values := map[string]string{}
	for _, p := range of {
		if value := t.Fields[subject.Label(p)]; value == nil {
			continue
		} else if subject.IsList(p) && len(value.Items) > 0 {
			var all []string
			for _, e := range value.Items {
				all = append(all, param(e, p))
			}
			values[subject.Label(p)] = "[" + strings.Join(all, ListSeparator) + "]"
		} else {
			values[subject.Label(p)] = param(value, p)
		}
	}
	return values
}

func param(t *yamltree.Tree, p subject.Param) string {
	switch p := p.(type) {
	case subject.Count:
		return strconv.FormatInt(t.Int(), 10)
	case subject.Span:
		d, err := time.ParseDuration(t.Text())
		if err != nil || d < p.Least() || d > p.Most {
			t.Fail("%s: found %s, want a duration from %s to %s", p.Name, nearest.Clip(t.Written()), subject.FormatSpan(p.Least()), subject.FormatSpan(p.Most))
		}
		return subject.FormatSpan(d)
	case subject.Text:
		if !p.Matches(t.Written()) {
			t.Fail("%s: found %s, want %s", p.Name, t.Found(), p.Want)
		}
		return t.Written()
	}
	return fmt.Sprint(t.Scalar) // a name, true or false
}

// Bounds describes the values of a parameter for people.
func Bounds(p subject.Param) string {
	switch p := p.(type) {
	case subject.Count:
		if len(p.Of) > 0 {
			return strconv.Itoa(p.Of[0]) + " to " + strconv.Itoa(p.Of[len(p.Of)-1])
		}
		return strconv.Itoa(p.Least()) + " to " + strconv.Itoa(p.Most)
	case subject.Span:
		return subject.FormatSpan(p.Least()) + " to " + subject.FormatSpan(p.Most)
	case subject.Choice:
		return nearest.Enumerate(p.Of)
	case subject.Switch:
		return "true and false"
	case subject.Text:
		return p.Want
	}
	panic("stress: a parameter of no known kind")
}
