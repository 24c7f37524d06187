package scenario

import (
	"slices"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/yamltree"
)

// An absence says which hook points some variants do not pass.
type absence struct {
	variants, points []string
	why              string
}

func (l *loader) absences(n yamltree.Node) (all []absence) {
	for _, e := range l.Elements(n, "absent") {
		var a absence
		reads := []fieldReader{
			{variantKey, func(n yamltree.Node) { a.variants = l.anyVariants(n) }},
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

// leaveOut makes exceptions of absences, where they are about the plan and the variants of the subject. The
// scenario's own come after them.
func (sc *Scenario) leaveOut(absent []absence, variants []string) {
	if sc.Variant != "" {
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
		mine := slices.DeleteFunc(slices.Clone(a.variants), func(name string) bool { return !slices.Contains(variants, name) })
		if len(points) > 0 && len(mine) > 0 {
			all = append(all, Exception{Variant: mine, Without: points, Why: a.why})
		}
	}
	if len(all) > 0 {
		sc.Except = append(all, sc.Except...)
	}
}

// exceptions reads what is expected of the scenario with other variants.
func (l *loader) exceptions(n yamltree.Node, sc *Scenario) {
	if sc.Variant != "" {
		l.Fail(n, "except: found it in a scenario that is about the variant %s, want none there", sc.Variant)
	}
	said := map[string]yamltree.Node{} // the verdicts of variants so far
	for _, entry := range l.Elements(n, "except") {
		if l.Err != nil {
			return
		}
		e, f := l.exception(entry, sc)
		if l.Err != nil {
			return
		}
		sc.Except = append(sc.Except, e)
		for _, name := range e.Variant {
			if prior := said[name]; e.Expect != "" && prior != nil {
				line, column := l.Place(prior)
				l.Fail(f.Value("expect"), "except: found a second verdict for %s; the first is at line %d, column %d", name, line, column)
			} else if e.Expect != "" {
				said[name] = f.Value("expect")
			}
			as := sc.With(name)
			if want := as.unmet(l.cat.subject); want != "" && f.Has("expect") {
				l.Fail(f.Value("expect"), "expect: found %s, but with %s there is no plan; want %s", e.Expect, name, want)
			}
		}
	}
}

func (l *loader) exception(n yamltree.Node, sc *Scenario) (e Exception, f *yamltree.Fields) {
	reads := []fieldReader{
		{variantKey, func(n yamltree.Node) { e.Variant = l.variants(n) }},
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
	f.Need(variantKey, "why")
	l.each(f, reads)
	if !f.Has("without") && !f.Has("expect") && !f.Has("may") {
		f.Need("expect")
	}
	return e, f
}

// anyVariants reads one name or several, each of a variant of any of the subjects.
func (l *loader) anyVariants(n yamltree.Node) []string {
	var have []string
	for i := range l.cat.subjects {
		have = append(have, l.cat.subjects[i].VariantNames()...)
	}
	return l.Texts(n, variantKey, func(n yamltree.Node) string {
		s := l.Text(n, variantKey)
		if !slices.Contains(have, s) && l.Err == nil {
			l.Fail(n, "unknown variant %q; %s", nearest.Clip(s), nearest.Hint(s, have))
		}
		return s
	})
}

// others reads one verdict or several, other than pass.
func (l *loader) others(n yamltree.Node) (all []verdict.Verdict) {
	for _, text := range l.Texts(n, "may", func(n yamltree.Node) string {
		v := l.verdict(n, "may")
		if v == verdict.Pass {
			l.Fail(n, "may: found pass, want another verdict; with expect: pass and this one it comes to the same")
		}
		return string(v)
	}) {
		all = append(all, verdict.Verdict(text))
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
