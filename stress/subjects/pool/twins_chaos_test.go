//go:build chaos

package pool

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/sleep"
	"github.com/rouse-go/rouse/stress/scenario"
)

// defaultCampaign is scenarios.yaml.
func defaultCampaign(t *testing.T) []scenario.Scenario {
	t.Helper()
	all, err := scenario.LoadFile("../../../scenarios.yaml", Subject())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

const widthKey = "jec-bits"

var wideJEC = strconv.Itoa(sleep.ProductionWidths.JEC)

// widthsOf are the widths of the jobs event counter in the scenario.
func widthsOf(sc *scenario.Scenario) []string {
	if sc.Setup[widthKey] == "" {
		return []string{wideJEC}
	}
	return strings.Split(strings.Trim(sc.Setup[widthKey], "[]"), scenario.ListSeparator)
}

// sameButForWidth reports whether the scenarios differ at most in the counter's width, in the room of the
// deques, and in how schedules are searched for and what is expected.
func sameButForWidth(a, b *scenario.Scenario) bool {
	setup := func(sc *scenario.Scenario) map[string]string {
		set := maps.Clone(sc.Setup)
		delete(set, widthKey)
		delete(set, "deque-capacity")
		delete(set, "workers")
		return set
	}
	workers := func(sc *scenario.Scenario) string { return strings.Trim(sc.Setup["workers"], "[]") }
	return a.Mode == b.Mode && a.Clock == b.Clock && a.Variant == b.Variant && a.Workload == b.Workload && maps.Equal(a.Sizes, b.Sizes) &&
		reflect.DeepEqual(a.Plan, b.Plan) && maps.Equal(setup(a), setup(b)) && strings.Contains(workers(b), workers(a))
}

// withoutTwin returns the names of the scenarios whose counter is narrow, if none does the same with the
// production width: neither the scenario itself nor another.
func withoutTwin(all []scenario.Scenario) (names []string) {
	for i := range all {
		if slices.Contains(widthsOf(&all[i]), wideJEC) {
			continue
		}
		if !slices.ContainsFunc(all, func(b scenario.Scenario) bool {
			return slices.Contains(widthsOf(&b), wideJEC) && sameButForWidth(&all[i], &b)
		}) {
			names = append(names, all[i].Name)
		}
	}
	return names
}

// TestNarrowCountersHaveTwins: a narrow jobs event counter hides some races and causes others, so
// whatever runs with one runs with the production width as well.
func TestNarrowCountersHaveTwins(t *testing.T) {
	all := defaultCampaign(t)
	if names := withoutTwin(all); len(names) > 0 {
		t.Errorf("%v have a narrow jobs event counter, want a twin: jec-bits: [1, %s], or another scenario with that width", names, wideJEC)
	}
	// The check can fail: each twin counts.
	for _, c := range []struct{ name, lacking string }{
		{"wide-jec-leaver", "one-bit-jec-leaver"},
		{"controlled-meetings-inside", "controlled-one-bit-meetings"},
	} {
		without := slices.DeleteFunc(slices.Clone(all), func(sc scenario.Scenario) bool { return sc.Name == c.name })
		if names := withoutTwin(without); !slices.Equal(names, []string{c.lacking}) {
			t.Errorf("without %s: %v, want %s", c.name, names, c.lacking)
		}
	}
	narrow := slices.Clone(all)
	i := slices.IndexFunc(narrow, func(sc scenario.Scenario) bool { return sc.Name == "controlled-inject" })
	narrow[i].Setup = maps.Clone(narrow[i].Setup)
	narrow[i].Setup[widthKey] = "1"
	if names := withoutTwin(narrow); !slices.Equal(names, []string{"controlled-inject"}) {
		t.Errorf("with one bit only: %v, want controlled-inject", names)
	}
}

// TestControlsAreDetectedAtEachWidth: a positive control ends with its first failure, which need not be one
// of each width.
func TestControlsAreDetectedAtEachWidth(t *testing.T) {
	tried := 0
	for _, sc := range defaultCampaign(t) {
		widths := widthsOf(&sc)
		if sc.Expect == verdict.Pass || sc.Mode != scenario.Control || len(widths) == 1 {
			continue
		}
		tried++
		setup := sc.Setup
		for _, width := range widths {
			sc.Setup = maps.Clone(setup)
			sc.Setup[widthKey] = width
			w := workloads()[slices.IndexFunc(workloads(), func(w workload) bool { return w.name == sc.Workload })]
			if r := explored(t, &sc, w, 20_000); r.Verdict != sc.Expect && !slices.Contains(sc.May, r.Verdict) {
				t.Errorf("%s with jec-bits %s: %s, want %s", sc.Name, width, r.Verdict, sc.Expect)
			}
		}
	}
	if tried == 0 {
		t.Error("no positive control has several widths")
	}
}
