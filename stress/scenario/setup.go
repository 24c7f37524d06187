package scenario

import (
	"fmt"
	"maps"
	"slices"

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
