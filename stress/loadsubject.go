package stress

import (
	"fmt"
	"slices"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/yamltree"
)

// of is the catalogue for the scenarios of one of its subjects.
func (c *catalogue) of(s *Subject) *catalogue {
	as := *c
	as.subject, as.workloads = s, s.workloads
	if check := c.check; len(s.Packages) > 0 {
		as.check = func(p chaos.Plan) error {
			for i, f := range p.Faults {
				for _, at := range []struct{ field, point string }{{"at", f.At}, {"until", f.Until}} {
					if at.point != "" && !s.has(at.point) {
						var have []string
						for _, p := range points([]Subject{*s}) {
							have = append(have, p.Name)
						}
						want := fmt.Sprintf("one of the %d points of %s", len(have), s.Name)
						if near := nearest.Name(at.point, have); near != "" {
							want = fmt.Sprintf("a point of %s, perhaps %q", s.Name, near)
						}
						return &chaos.PlanError{Index: i, Field: at.field, Found: fmt.Sprintf("%q", nearest.Clip(at.point)), Want: want}
					}
				}
			}
			return check(p)
		}
	}
	return &as
}

// guest reports whether the scenario that is being read is of a subject other than the
// pool.
func (l *loader) guest() bool { return l.cat.guest() }

func (c *catalogue) guest() bool { return c.subject != nil && c.subject.guest }

// subjectName is the name of the subject whose scenarios are read.
func (c *catalogue) subjectName() string {
	if c.subject == nil {
		return poolName
	}
	return c.subject.Name
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

// ofPool reads what follows as of the pool, if it is among the subjects.
func (l *loader) ofPool() {
	for i := range l.cat.subjects {
		if !l.cat.subjects[i].guest {
			l.cat = l.cat.whole.of(&l.cat.subjects[i])
			return
		}
	}
}

// params reads the sizes of a workload of such a subject.
func (l *loader) params(n yamltree.Node, workload string) map[string]string {
	w, ok := l.cat.workload(workload)
	if !ok {
		return nil
	}
	if len(w.params) == 0 && l.Err == nil {
		l.Fail(n, "sizes: the workload %s has none", w.Name)
	}
	values := map[string]string{}
	var reads []fieldReader
	for _, p := range w.params {
		name, _ := p.label()
		reads = append(reads, fieldReader{name, func(n yamltree.Node) { values[name] = p.read(l.Reader, n) }})
	}
	l.each(l.fields(n, "sizes", reads), reads)
	return values
}

// finishGuest refuses what belongs to the pool, and gives the scenario its workload.
func (l *loader) finishGuest(sc *Scenario, f *yamltree.Fields) {
	for _, key := range []string{"pool", "except"} {
		if f.Has(key) && l.Err == nil {
			l.Fail(f.At(key), "%s: it belongs to scenarios of the pool, and this one is of %s", key, l.cat.subject.Name)
		}
	}
	if w, ok := l.cat.workload(sc.Workload); ok {
		sc.guest = &guest{l.cat.subject.Name, w}
	}
	sc.Subject = l.cat.subject.Name
	sc.Pool.Workers = []int{0} // each execution is of one kind
}

// encodeParams writes them by name. None of them can be misread.
func encodeParams(params map[string]string) (pairs []string) {
	for name, text := range params {
		pairs = append(pairs, name+": "+text)
	}
	slices.Sort(pairs)
	return pairs
}
