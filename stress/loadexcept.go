package stress

import (
	"slices"

	"github.com/goccy/go-yaml/ast"

	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/sleep"
)

// An absence says of strategies of sleep which hook points they do not pass.
type absence struct {
	sleep, points []string
	why           string
}

func (l *loader) absences(n ast.Node) (all []absence) {
	for _, e := range l.elements(n, "absent") {
		var a absence
		reads := []fieldReader{
			{"sleep", func(n ast.Node) { a.sleep = l.variants(n) }},
			{"points", func(n ast.Node) { a.points = l.texts(n, "points", l.point) }},
			{"why", func(n ast.Node) { a.why = l.why(n) }},
		}
		f := l.fields(e, "an absence", keysOf(reads))
		f.need(keysOf(reads)...)
		f.each(reads)
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
func (l *loader) exceptions(n ast.Node, sc *Scenario) {
	if sc.Pool.Sleep != "" {
		l.fail(n, "except: found it in a scenario that is about the strategy %s, want none there", sc.Pool.Sleep)
	}
	said := map[string]ast.Node{} // who has a verdict already
	for _, entry := range l.elements(n, "except") {
		if l.err != nil {
			return
		}
		e, f := l.exception(entry, sc)
		if l.err != nil {
			return
		}
		sc.Except = append(sc.Except, e)
		for _, name := range e.Sleep {
			if prior := said[name]; e.Expect != "" && prior != nil {
				p := position(startOf(prior))
				l.fail(f.value("expect"), "except: found a second verdict for %s; the first is at line %d, column %d", name, p.Line, p.Column)
			} else if e.Expect != "" {
				said[name] = f.value("expect")
			}
			as := sc.With(name)
			if want := as.unmet(); want != "" && f.has("expect") {
				l.fail(f.value("expect"), "expect: found %s, but with %s there is no plan; want %s", e.Expect, name, want)
			}
		}
	}
}

func (l *loader) exception(n ast.Node, sc *Scenario) (e Exception, f *fields) {
	reads := []fieldReader{
		{"sleep", func(n ast.Node) { e.Sleep = l.variants(n) }},
		{"without", func(n ast.Node) {
			e.Without = l.texts(n, "without", func(n ast.Node) string {
				point := l.text(n, "without")
				if len(without(sc.Plan, []string{point})) == len(sc.Plan) && l.err == nil {
					l.fail(n, "without: found %q, where the plan has no fault", nearest.Clip(point))
				}
				return point
			})
		}},
		{"expect", func(n ast.Node) { e.Expect = l.verdict(n, "expect") }},
		{"may", func(n ast.Node) { e.May = l.others(n) }},
		{"why", func(n ast.Node) { e.Why = l.why(n) }},
	}
	f = l.fields(n, "an exception", keysOf(reads))
	f.need("sleep", "why")
	f.each(reads)
	if !f.has("without") && !f.has("expect") && !f.has("may") {
		f.need("expect")
	}
	return e, f
}

// variant reads the name of one of sleep.Variants.
func (l *loader) variant(n ast.Node, what string) string {
	s := l.text(n, what)
	if _, ok := sleep.VariantNamed(s); !ok && l.err == nil {
		l.fail(n, "%s: unknown strategy %q; %s", what, nearest.Clip(s), nearest.Hint(s, Strategies()))
	}
	return s
}

// variants reads one name or several.
func (l *loader) variants(n ast.Node) []string {
	return l.texts(n, "sleep", func(n ast.Node) string { return l.variant(n, "sleep") })
}

// others reads one verdict or several, other than pass.
func (l *loader) others(n ast.Node) (all []Verdict) {
	for _, text := range l.texts(n, "may", func(n ast.Node) string {
		v := l.verdict(n, "may")
		if v == Pass {
			l.fail(n, "may: found pass, want another verdict; with expect: pass and this one it comes to the same")
		}
		return string(v)
	}) {
		all = append(all, Verdict(text))
	}
	return all
}

func (l *loader) why(n ast.Node) string { return l.words(n, "why", "the reason") }

// point reads the name of a hook point.
func (l *loader) point(n ast.Node) string {
	s := l.text(n, "points")
	if !slices.Contains(l.cat.points, s) && l.err == nil {
		l.fail(n, "points: unknown hook point %q; %s", nearest.Clip(s), nearest.Hint(s, l.cat.points))
	}
	return s
}

// texts reads one text or a list of different ones, each by read.
func (l *loader) texts(n ast.Node, what string, read func(ast.Node) string) (all []string) {
	elements := []ast.Node{n}
	if seq, ok := l.resolve(n).(*ast.SequenceNode); ok {
		if elements = seq.Values; len(elements) == 0 {
			l.fail(n, "%s: the list is empty", what)
		}
	}
	for _, e := range elements {
		s := read(e)
		if slices.Contains(all, s) && l.err == nil {
			l.fail(e, "%s: found %s twice", what, nearest.Clip(s))
		}
		all = append(all, s)
	}
	return all
}
