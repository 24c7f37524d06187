package stress

import (
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/sleep"
)

// An Exception says what becomes of a scenario with some strategies of sleep, if that is not
// what becomes of it otherwise, and why.
type Exception struct {
	Sleep []string // names of sleep.Variants
	// Without are hook points that these strategies do not pass: the faults that the plan
	// has there are left out.
	Without []string
	// Expect is the verdict with these strategies. "" is the scenario's own; but if that is a
	// failure, and a fault is left out, it is Pass: what was to bring it about is not there.
	Expect Verdict
	May    []Verdict // as good as the expected one
	Why    string
}

// Strategies lists the names of the strategies of sleep (sleep.Variants), the default first.
func Strategies() (names []string) {
	for _, v := range sleep.Variants() {
		names = append(names, v.Name)
	}
	return names
}

// With returns the scenario as it is run with the strategy of sleep of that name, which must
// be one of Strategies. A scenario that names one itself is about that one, and is
// returned as it is; so is one of another subject.
func (sc *Scenario) With(name string) Scenario {
	as := *sc
	if sc.Pool.Sleep != "" || sc.Subject != "" {
		return as
	}
	as.Pool.Sleep, as.Except = name, nil
	var said Verdict
	var why []string
	if sc.Why != "" {
		why = append(why, sc.Why)
	}
	for _, e := range sc.Except {
		if !slices.Contains(e.Sleep, name) {
			continue
		}
		if len(e.Without) > 0 {
			as.Plan = without(as.Plan, e.Without)
			as.Expect = Pass
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

// without is the plan without the faults at these points, and without the holds that
// wait for them; nil if none is left.
func without(plan []chaos.Fault, points []string) (left []chaos.Fault) {
	for _, f := range plan {
		if !slices.Contains(points, f.At) && !slices.Contains(points, f.Until) {
			left = append(left, f)
		}
	}
	return left
}

// WithEach returns the scenarios as they are run with each of these strategies of sleep. Those
// that name one themselves come once.
func WithEach(scenarios []Scenario, names []string) (all []Scenario) {
	for i := range scenarios {
		sc := &scenarios[i]
		if sc.Pool.Sleep != "" || sc.Subject != "" {
			all = append(all, *sc)
			continue
		}
		for _, name := range names {
			all = append(all, sc.With(name))
		}
	}
	return all
}

// Title is the scenario's name and, unless it is the default, the strategy of sleep.
func (sc *Scenario) Title() string { return title(sc.Name, sc.Pool.Sleep) }

func title(name, strategy string) string {
	if strategy == "" {
		return name
	}
	return name + " with " + strategy
}

// expects reports whether that verdict on the whole scenario is as it should be.
func (sc *Scenario) expects(v Verdict) bool { return v == sc.Expect || slices.Contains(sc.May, v) }

// Expected names the verdicts that are as they should be.
func (sc *Scenario) Expected() string { return alternatives(sc.Expect, sc.May) }

func alternatives(expect Verdict, may []Verdict) string {
	text := string(expect)
	for _, v := range may {
		text += " or " + string(v)
	}
	return text
}
