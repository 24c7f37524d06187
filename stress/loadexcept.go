package stress

import (
	"slices"

	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/yamltree"
	"github.com/rouse-go/rouse/sleep"
)

// An absence says of strategies of sleep which hook points they do not pass.
type absence struct {
	sleep, points []string
	why           string
}

func (l *loader) absences(n yamltree.Node) (all []absence) {
	for _, e := range l.Elements(n, "absent") {
		var a absence
		reads := []fieldReader{
			{"sleep", func(n yamltree.Node) { a.sleep = l.variants(n) }},
			{"points", func(n yamltree.Node) { a.points = l.Texts(n, "points", l.point) }},
			{"why", func(n yamltree.Node) { a.why = l.why(n) }},
		}
		f := l.fields(e, "an absence", reads)
		f.Need(keysOf(reads)...)
		l.each(f, reads)
		all = append(all, a)
	}
	return all
}

// leaveOut makes exceptions of absences, where they concern the plan. What the scenario itself
// says comes after them.
func (sc *Scenario) leaveOut(absent []absence) {
	if sc.Pool.Sleep != "" {
		return
	}
	var all []Exception
	for _, a := range absent {
		var points []string
		for _, f := range sc.Plan {
			for _, point := range []string{f.At, f.Until} {
				if slices.Contains(a.points, point) && !slices.Contains(points, point) {
					points = append(points, point)
				}
			}
		}
		if len(points) > 0 {
			all = append(all, Exception{Sleep: a.sleep, Without: points, Why: a.why})
		}
	}
	if len(all) > 0 {
		sc.Except = append(all, sc.Except...)
	}
}

// exceptions reads what becomes of the scenario with other strategies.
func (l *loader) exceptions(n yamltree.Node, sc *Scenario) {
	if sc.Pool.Sleep != "" {
		l.Fail(n, "except: found it in a scenario that is about the strategy %s, want none there", sc.Pool.Sleep)
	}
	said := map[string]yamltree.Node{} // who has a verdict already
	for _, entry := range l.Elements(n, "except") {
		if l.Err != nil {
			return
		}
		e, f := l.exception(entry, sc)
		if l.Err != nil {
			return
		}
		sc.Except = append(sc.Except, e)
		for _, name := range e.Sleep {
			if prior := said[name]; e.Expect != "" && prior != nil {
				line, column := l.Place(prior)
				l.Fail(f.Value("expect"), "except: found a second verdict for %s; the first is at line %d, column %d", name, line, column)
			} else if e.Expect != "" {
				said[name] = f.Value("expect")
			}
			as := sc.With(name)
			if want := as.unmet(); want != "" && f.Has("expect") {
				l.Fail(f.Value("expect"), "expect: found %s, but with %s there is no plan; want %s", e.Expect, name, want)
			}
		}
	}
}

func (l *loader) exception(n yamltree.Node, sc *Scenario) (e Exception, f *yamltree.Fields) {
	reads := []fieldReader{
		{"sleep", func(n yamltree.Node) { e.Sleep = l.variants(n) }},
		{"without", func(n yamltree.Node) {
			e.Without = l.Texts(n, "without", func(n yamltree.Node) string {
				point := l.Text(n, "without")
				if len(without(sc.Plan, []string{point})) == len(sc.Plan) && l.Err == nil {
					l.Fail(n, "without: found %q, where the plan has no fault", nearest.Clip(point))
				}
				return point
			})
		}},
		{"expect", func(n yamltree.Node) { e.Expect = l.verdict(n, "expect") }},
		{"may", func(n yamltree.Node) { e.May = l.others(n) }},
		{"why", func(n yamltree.Node) { e.Why = l.why(n) }},
	}
	f = l.fields(n, "an exception", reads)
	f.Need("sleep", "why")
	l.each(f, reads)
	if !f.Has("without") && !f.Has("expect") && !f.Has("may") {
		f.Need("expect")
	}
	return e, f
}

// variant reads the name of one of sleep.Variants.
func (l *loader) variant(n yamltree.Node, what string) string {
	s := l.Text(n, what)
	if _, ok := sleep.VariantNamed(s); !ok && l.Err == nil {
		l.Fail(n, "%s: unknown strategy %q; %s", what, nearest.Clip(s), nearest.Hint(s, Strategies()))
	}
	return s
}

// variants reads one name or several.
func (l *loader) variants(n yamltree.Node) []string {
	return l.Texts(n, "sleep", func(n yamltree.Node) string { return l.variant(n, "sleep") })
}

// others reads one verdict or several, other than pass.
func (l *loader) others(n yamltree.Node) (all []Verdict) {
	for _, text := range l.Texts(n, "may", func(n yamltree.Node) string {
		v := l.verdict(n, "may")
		if v == Pass {
			l.Fail(n, "may: found pass, want another verdict; with expect: pass and this one it comes to the same")
		}
		return string(v)
	}) {
		all = append(all, Verdict(text))
	}
	return all
}

func (l *loader) why(n yamltree.Node) string { return l.words(n, "why", "the reason") }

// point reads the name of a hook point.
func (l *loader) point(n yamltree.Node) string {
	s := l.Text(n, "points")
	if !slices.Contains(l.cat.points, s) && l.Err == nil {
		l.Fail(n, "points: unknown hook point %q; %s", nearest.Clip(s), nearest.Hint(s, l.cat.points))
	}
	return s
}
