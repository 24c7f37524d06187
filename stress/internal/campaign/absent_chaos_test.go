//go:build chaos

package campaign

import (
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/scenario"
)

// TestAbsentPointsAreNotPassed: what the default campaign says that a strategy does not pass,
// it does not, and the default one does.
func TestAbsentPointsAreNotPassed(t *testing.T) {
	scenarios, err := scenario.Default(testSubjects...)
	if err != nil {
		t.Fatal(err)
	}
	absent := map[string]map[string]bool{}
	for _, sc := range scenarios {
		for _, e := range sc.Except {
			for _, name := range e.Variant {
				for _, point := range e.Without {
					if absent[name] == nil {
						absent[name] = map[string]bool{}
					}
					absent[name][point] = true
				}
			}
		}
	}
	var plain []scenario.Scenario
	for _, w := range []string{"broadcast", "churn", "inject", "leavers", "scopes"} {
		plain = append(plain, scenario.Scenario{Name: w, About: w, Workload: w, Subject: "pool", Setup: map[string]string{"workers": "[3]", "rounds": "1"}, Expect: verdict.Pass})
	}
	variants := testSubjects[0].VariantNames() // of the pool, the default first
	report, err := Run(t.Context(), scenario.WithEach(plain, variants, testSubjects), Options{Seed: 1, Executions: 3, Out: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	passed := map[string]bool{} // by the default
	for _, s := range report.Scenarios {
		for _, p := range s.Points {
			if absent[s.Variant][p.Point] {
				t.Errorf("%s with %s passes %s", s.Name, s.Variant, p.Point)
			}
			passed[p.Point] = passed[p.Point] || s.Variant == variants[0]
		}
	}
	for name, points := range absent {
		for point := range points {
			if !passed[point] {
				t.Errorf("%s is absent with %s, and no variant has passed it", point, name)
			}
		}
	}
	if len(absent) < 5 {
		t.Errorf("%d strategies do not pass something", len(absent))
	}
}
