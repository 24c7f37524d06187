package campaign

import (
	"crypto/sha256"
	"fmt"

	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/scenario"
)

// Check returns an *InputError if a campaign of these scenarios, by this program, cannot resume the
// journal's.
func (j *Journal) Check(scenarios []scenario.Scenario) error {
	refuse := func(format string, args ...any) error {
		return &scenario.InputError{File: j.path, Problem: fmt.Sprintf(format, args...)}
	}
	was, is := j.head.Build, outcome.ThisBuild()
	was.MaxProcs = is.MaxProcs // findings do not depend on it
	if was != is {
		return refuse("it is of %s, and this is %s: want the same program", j.head.Build, is)
	}
	if j.head.Program != outcome.ProgramHash() {
		return refuse("it is of another build of %s: want the same program", is)
	}
	want := journalScenarios(prepared(scenarios))
	if len(want) != len(j.head.Scenarios) {
		return refuse("its campaign has %s, and this one %d: want the same", prose.Plural(len(j.head.Scenarios), "scenario"), len(want))
	}
	for i, was := range j.head.Scenarios {
		switch is := want[i]; {
		case was.Name != is.Name || was.Variant != is.Variant:
			return refuse("its campaign has the scenario %s where this one has %s: want the same, in the same order",
				scenario.Title(was.Name, was.Variant), scenario.Title(is.Name, is.Variant))
		case was.Setup != is.Setup:
			return refuse("the scenario %s is not what it was: want the same file", scenario.Title(was.Name, was.Variant))
		}
	}
	return nil
}

// prepared returns the scenarios as a campaign runs them, in its order.
func prepared(scenarios []scenario.Scenario) []scenario.Scenario {
	scenarios = controlsFirst(scenarios)
	for i := range scenarios {
		scenarios[i].Except = nil // the variant is chosen, also for the recordings
	}
	return scenarios
}

// setupOf returns a hash of all scenarios.
func setupOf(scenarios []journalScenario) string {
	h := sha256.New()
	for _, sc := range scenarios {
		fmt.Fprintln(h, sc.Name, sc.Variant, sc.Setup)
	}
	return fmt.Sprintf("%x", h.Sum(nil))[:16]
}

// setupHash returns a hash of the whole scenario.
func setupHash(sc *scenario.Scenario) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(scenario.EncodeOne(sc)+"\n")))[:16]
}

// journalScenarios returns the scenarios in the form of the journal.
func journalScenarios(scenarios []scenario.Scenario) (known []journalScenario) {
	for i := range scenarios {
		known = append(known, journalScenario{scenarios[i].Name, scenarios[i].Variant, setupHash(&scenarios[i])})
	}
	return known
}
