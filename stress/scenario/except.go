package scenario

import (
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/yamltree"
	"github.com/rouse-go/rouse/stress/subject"
)

// An absence lists hook points that some variants do not pass.
type absence struct {
	variants, points []string
	why              string
}

func absences(t *yamltree.Tree) (all []absence) {
	for _, e := range t.Items {
		all = append(all, absence{e.Get(variantKey).Texts(), e.Get("points").Texts(), strings.TrimSpace(e.Get("why").Text())})
	}
	return all
}

// leaveOut turns absences into exceptions, if they concern the plan and the variants of the subject. The
// scenario's own exceptions come after them.
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

// exceptions reads the expectations for the scenario with other variants.
func exceptions(t *yamltree.Tree, sc *Scenario, s *subject.Subject) {
	said := map[string]*yamltree.Tree{} // the verdicts of variants so far
	for _, entry := range t.Items {
		e, expect := exception(entry, sc), entry.Fields["expect"]
		sc.Except = append(sc.Except, e)
		if expect == nil {
			continue
		}
		for _, name := range e.Variant {
			if prior := said[name]; prior != nil {
				line, column := prior.Place()
				expect.Fail("except: found a second verdict for %s; the first is at line %d, column %d", name, line, column)
			}
			said[name] = expect
			as := sc.With(name)
			if want := as.unmet(s); want != "" {
				expect.Fail("expect: found %s, but with %s there is no plan; want %s", e.Expect, name, want)
			}
		}
	}
}

func exception(t *yamltree.Tree, sc *Scenario) Exception {
	points := t.Get("without")
	for i, point := range points.Texts() {
		if len(without(sc.Plan, []string{point})) == len(sc.Plan) {
			points.Element(i).Fail("without: found %q, where the plan has no fault", nearest.Clip(point))
		}
	}
	return Exception{
		Variant: t.Get(variantKey).Texts(), Without: points.Texts(),
		Expect: verdict.Verdict(t.Get("expect").Text()), May: verdicts(t.Get("may")), Why: strings.TrimSpace(t.Get("why").Text()),
	}
}
