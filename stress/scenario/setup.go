package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/yamltree"
	"github.com/rouse-go/rouse/stress/subject"
)

// maxElements is how many values a List parameter has at most.
const maxElements = 64

// variantKey is the key of the variant, beside the parameters of the subject.
const variantKey = "variant"

// of is the catalogue for the scenarios of one of its subjects.
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

// subject reads the name of the subject: what follows is read as of that one.
func (l *loader) subject(n yamltree.Node) {
	s := l.Text(n, "subject")
	var have []string
	for i := range l.cat.subjects {
		if l.cat.subjects[i].Name == s {
			l.cat = l.cat.whole.of(&l.cat.subjects[i])
			return
		}
		have = append(have, l.cat.subjects[i].Name)
	}
	if l.Err == nil {
		l.Fail(n, "unknown subject %q; %s", nearest.Clip(s), nearest.Hint(s, have))
	}
}

// byKey reads what follows as of the subject whose name is a key of the scenario.
func (l *loader) byKey(f *yamltree.Fields) {
	for i := range l.cat.subjects {
		if s := &l.cat.subjects[i]; f.Has(s.Name) && !f.Has("subject") {
			l.cat = l.cat.whole.of(s)
			return
		}
	}
}

// setup reads the parameters of the subject, and its variant.
func (l *loader) setup(n yamltree.Node, sc *Scenario) (f *yamltree.Fields) {
	s := l.cat.subject
	sc.Setup = map[string]string{}
	var reads []fieldReader
	for _, p := range s.Params {
		name := subject.Label(p)
		reads = append(reads, fieldReader{name, func(n yamltree.Node) { sc.Setup[name] = l.value(n, p) }})
	}
	if len(s.Variants) > 0 {
		reads = append(reads, fieldReader{variantKey, func(n yamltree.Node) { sc.Variant = l.variant(n) }})
	}
	f = l.fields(n, s.Name, reads)
	l.each(f, reads)
	return f
}

// value reads a parameter, or a List.
func (l *loader) value(n yamltree.Node, p subject.Param) string {
	if !subject.IsList(p) {
		return l.param(n, p)
	}
	elements := l.Elements(n, subject.Label(p))
	if l.Err == nil && (len(elements) == 0 || len(elements) > maxElements) {
		l.Fail(n, "%s: the list has %d elements, want 1 to %d", subject.Label(p), len(elements), maxElements)
	}
	var values []string
	for _, e := range elements {
		values = append(values, l.param(e, p))
	}
	return "[" + strings.Join(values, ListSeparator) + "]"
}

// sizes reads the parameters of the workload.
func (l *loader) sizes(n yamltree.Node, sc *Scenario) *yamltree.Fields {
	w, ok := l.cat.subject.Workload(sc.Workload)
	if !ok || l.Err != nil {
		return nil
	}
	if len(w.Params) == 0 {
		l.Fail(n, "sizes: the workload %s has none", w.Name)
	}
	sc.Sizes = map[string]string{}
	var reads []fieldReader
	for _, p := range w.Params {
		name := subject.Label(p)
		reads = append(reads, fieldReader{name, func(n yamltree.Node) { sc.Sizes[name] = l.param(n, p) }})
	}
	f := l.fields(n, "sizes", reads)
	l.each(f, reads)
	return f
}

// checkParams wants what the subject requires, and refuses parameters that do not fit together.
func (l *loader) checkParams(sc *Scenario, f, setup, sizes *yamltree.Fields) {
	s := l.cat.subject
	for _, p := range s.Params {
		if name := subject.Label(p); subject.Required(p) && l.Err == nil && setup == nil {
			f.Need(s.Name)
		} else if subject.Required(p) && l.Err == nil {
			setup.Need(name)
		}
	}
	w, ok := s.Workload(sc.Workload)
	if !ok || w.Check == nil || l.Err != nil {
		return
	}
	for n := range sc.Settings() {
		err := w.Check(sc.Values(s, n))
		if err == nil {
			continue
		}
		at := f.Value("workload")
		if sizes != nil {
			at = sizes.Node()
		}
		if e, ok := err.(*subject.ParamError); ok {
			for _, of := range []*yamltree.Fields{setup, sizes} {
				if of != nil && of.Has(e.Name) {
					at = l.element(of.Value(e.Name), n)
				}
			}
		}
		l.Fail(at, "%v", err)
		return
	}
}

// element is the element of a list that execution n has, or the node if it is no list.
func (l *loader) element(n yamltree.Node, number int) yamltree.Node {
	if !l.IsList(n) {
		return n
	}
	all := l.Elements(n, "")
	return all[number%len(all)]
}

// variant reads the name of a variant of the subject.
func (l *loader) variant(n yamltree.Node) string {
	s := l.Text(n, variantKey)
	if have := l.cat.subject.VariantNames(); !slices.Contains(have, s) && l.Err == nil {
		l.Fail(n, "unknown variant %q of %s; %s", nearest.Clip(s), l.cat.subject.Name, nearest.Hint(s, have))
	}
	return s
}

// variants reads one name or several.
func (l *loader) variants(n yamltree.Node) []string { return l.Texts(n, variantKey, l.variant) }

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
