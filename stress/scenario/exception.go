package scenario

import (
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/yamltree"
	"github.com/rouse-go/rouse/stress/subject"
)

// An Exception holds the expectation for a scenario with some variants of the subject, if that differs
// from the usual one, and the reason.
type Exception struct {
	Variant []string // names
	// Without lists hook points that these variants do not pass: the faults that the plan
	// has there are left out.
	Without []string
	// Expect is the verdict with these variants. "" is the scenario's own, or Pass if a
	// fault is left out, because the cause of the expected failure is missing then.
	Expect verdict.Verdict
	May    []verdict.Verdict // as good as the expected one
	Why    string
}

// With returns the scenario as it runs with the variant of that name, which must be a variant of its
// subject. A scenario that names a variant itself is returned unchanged.
func (sc *Scenario) With(name string) Scenario {
	as := *sc
	if sc.Variant != "" {
		return as
	}
	as.Variant, as.Except = name, nil
	var said verdict.Verdict
	var why []string
	if sc.Why != "" {
		why = append(why, sc.Why)
	}
	for _, e := range sc.Except {
		if !slices.Contains(e.Variant, name) {
			continue
		}
		if len(e.Without) > 0 {
			as.Plan = without(as.Plan, e.Without)
			as.Expect = verdict.Pass
		}
		if e.Expect != "" {
			said = e.Expect
		}
		as.May = slices.Concat(as.May, e.May)
		why = append(why, e.Why)
	}
	if said != "" {
		as.Expect = said
	}
	as.Why = strings.Join(why, " ")
	return as
}

// without returns the plan without the faults at these points, and without the holds that
// wait for these points, or nil if no fault is left.
func without(plan []chaos.Fault, points []string) (left []chaos.Fault) {
	for _, f := range plan {
		if !slices.Contains(points, f.At) && !slices.Contains(points, f.Until) {
			left = append(left, f)
		}
	}
	return left
}

// WithEach returns the scenarios as they run with each of these variants that their subject has. A scenario that
// names a variant itself, or whose subject has none of these, is returned once.
func WithEach(scenarios []Scenario, names []string, subjects []subject.Subject) (all []Scenario) {
	for i := range scenarios {
		sc := &scenarios[i]
		var have []string
		for j := range subjects {
			if subjects[j].Name == sc.Subject {
				have = subjects[j].VariantNames()
			}
		}
		n := len(all)
		for _, name := range names {
			if sc.Variant == "" && slices.Contains(have, name) {
				all = append(all, sc.With(name))
			}
		}
		if len(all) == n {
			all = append(all, *sc)
		}
	}
	return all
}

// Title returns the scenario's name and, unless it is the default, the variant.
func (sc *Scenario) Title() string { return Title(sc.Name, sc.Variant) }

func Title(name, variant string) string {
	if variant == "" {
		return name
	}
	return name + " with " + variant
}

// Expects reports whether v is an expected verdict for the whole scenario.
func (sc *Scenario) Expects(v verdict.Verdict) bool {
	return v == sc.Expect || slices.Contains(sc.May, v)
}

// Expected returns the names of the expected verdicts.
func (sc *Scenario) Expected() string { return Alternatives(sc.Expect, sc.May) }

func Alternatives(expect verdict.Verdict, may []verdict.Verdict) string {
	text := string(expect)
	for _, v := range may {
		text += " or " + string(v)
	}
	return text
}

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
