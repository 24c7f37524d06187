//go:build chaos

package pool

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
	"github.com/rouse-go/rouse/stress/subjects/burst"
)

// notStressed are entries that need not be called by a workload in some mode, and why.
var notStressed = map[string]string{
	"DeadlockError.Error":  ofAValue,
	"MisuseError.Error":    ofAValue,
	"PanicError.Error":     ofAValue,
	"PanicError.Unwrap":    ofAValue,
	"StaleUseError.Error":  ofAValue,
	"State.LogValue":       ofAValue,
	"State.String":         ofAValue,
	"Stats.LogValue":       ofAValue,
	"WorkerState.LogValue": ofAValue,
	"WithContext":          "Pool.Group on Default's pool, with all else the same",
	"Default":              "its pool has as many workers as the machine has processors, so no seed would say what it does",
}

const ofAValue = "it formats a value that its caller holds"

// TestEntries: each exported function, method and option of the pool is stressed by a workload, natively and under control,
// or has a reason not to be. A workload calls an entry if the references of its functions lead to it (go/types), and a
// scenario runs the workload in that mode. A reference below `if x.Given("name")` counts for the scenarios that set that
// parameter. Which of its entries an execution calls is often drawn, so a single one may call fewer.
func TestEntries(t *testing.T) {
	graph := loadReferences(t)
	used, entries := map[string]bool{}, 0
	for _, s := range []struct {
		prefix, path, subject, scenarios string
		of                               subject.Subject
	}{
		{"", module + "/pool", module + "/stress/subjects/pool", "../../../scenarios.yaml", Subject()},
		{"burst.", module + "/pool/burst", module + "/stress/subjects/burst", "../burst/scenarios.yaml", burst.Subject()},
	} {
		scenarios, err := scenario.LoadFile(s.scenarios, s.of)
		if err != nil {
			t.Fatal(err)
		}
		cells := graph.cells(s.subject, scenarios)
		for _, e := range graph.exported(s.path) {
			name, modes := s.prefix+e.short, cells[e.object]
			entries++
			for _, mode := range []scenario.Mode{scenario.Native, scenario.Control} {
				switch {
				case len(modes[mode]) > 0:
				case notStressed[name] != "":
					used[name] = true
				default:
					t.Errorf("no workload calls %s, mode %s", name, mode)
				}
			}
		}
	}
	if entries < 100 {
		t.Errorf("%d entries", entries)
	}
	for name := range notStressed {
		if !used[name] {
			t.Errorf("%s has a reason not to be stressed, and is, or is no entry", name)
		}
	}
}

// TestReferencesAreFollowed: what a workload's code names, whatever it is called through, counts for that
// workload and for no other.
func TestReferencesAreFollowed(t *testing.T) {
	graph := loadReferences(t)
	scenarios := []scenario.Scenario{
		{Workload: "storm"}, {Workload: "story", Mode: scenario.Control, Setup: map[string]string{"max-injected": "1"}},
	}
	cells := graph.cells(module+"/stress/subjects/pool", scenarios)
	for name, want := range map[string]string{
		"Pool.GoN":           "native storm", // in a package variable's function
		"New":                "native storm, control story",
		"WithMaxInjected":    "control story", // below if x.Given
		"Worker.JoinContext": "",
	} {
		var got []string
		for _, mode := range []scenario.Mode{scenario.Native, scenario.Control} {
			for _, w := range cells[module+"/pool."+name][mode] {
				got = append(got, fmt.Sprint(mode, " ", w))
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// cells returns, for each name that the workloads of the subject lead to, those workloads, by mode.
func (g *references) cells(subjectPath string, scenarios []scenario.Scenario) map[string]map[scenario.Mode][]string {
	all := map[string]map[scenario.Mode][]string{}
	roots := g.workloads(subjectPath)
	for _, sc := range scenarios {
		root, ok := roots[sc.Workload]
		if !ok {
			g.t.Fatalf("%s: the code of the workload %s was not found", subjectPath, sc.Workload)
		}
		given := func(name string) bool { return sc.Setup[name] != "" || sc.Sizes[name] != "" }
		for name := range g.reach(root, given) {
			if all[name] == nil {
				all[name] = map[scenario.Mode][]string{}
			}
			if !slices.Contains(all[name][sc.Mode], sc.Workload) {
				all[name][sc.Mode] = append(all[name][sc.Mode], sc.Workload)
			}
		}
	}
	for _, modes := range all {
		for _, names := range modes {
			slices.Sort(names)
		}
	}
	return all
}
