//go:build chaos

package campaign

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/stress/scenario"
)

// TestEveryFaultIsFired: a controlled scenario fires each fault of each hook point of the subjects.
func TestEveryFaultIsFired(t *testing.T) {
	scenarios, err := scenario.Default(testSubjects...)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := cover(t.Context(), scenarios, inRooms(scenario.Points(), "sleep", "pool", "burst"))
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) < 250 {
		t.Errorf("%d faults at all points", len(rows))
	}
	for _, r := range rows {
		if !r.Fired {
			t.Errorf("no controlled scenario fires %s at %s", r.Fault, r.Point)
		}
	}
}

// TestCoverSeesWhatIsNotFired: a plan that names a fault does not fire it by that.
func TestCoverSeesWhatIsNotFired(t *testing.T) {
	sc := tiny("inject", "random", 1)
	sc.Plan = []chaos.Fault{
		{At: "pool/inject-pre", Kind: hooks.Yields},
		{At: "pool/bcast-push", Kind: hooks.Yields}, // nobody broadcasts
	}
	rows, err := cover(t.Context(), []scenario.Scenario{sc}, inRooms(scenario.Points(), "pool"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if fired := r.Point == "pool/inject-pre" && r.Fault == "yield"; r.Fired != fired {
			t.Errorf("%+v", r)
		}
	}
}

// A faultCoverage is one fault at one hook point, and whether a scenario fired it.
type faultCoverage struct {
	Point, Fault string
	Fired        bool
}

// coverageExecutions are enough for each fault of the default campaign.
const coverageExecutions = 48

// cover runs the controlled scenarios that have a plan, with a fixed seed and number of executions. It returns a row for
// each fault that each of these hook points offers. The verdicts do not matter.
func cover(ctx context.Context, scenarios []scenario.Scenario, points []scenario.PointInfo) ([]faultCoverage, error) {
	var rows []faultCoverage
	for _, p := range points {
		for _, k := range p.Offers.Kinds() {
			rows = append(rows, faultCoverage{Point: p.Name, Fault: k.String()})
		}
	}
	controlled := slices.DeleteFunc(slices.Clone(scenarios), func(sc scenario.Scenario) bool { return sc.Mode != scenario.Control || len(sc.Plan) == 0 })
	out, err := os.MkdirTemp("", "stress-coverage-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(out)
	report, err := Run(ctx, controlled, Options{Seed: 1, Executions: coverageExecutions, Out: out})
	if err != nil {
		return nil, err
	}
	for _, s := range report.Scenarios {
		for _, f := range s.Faults {
			if i := slices.IndexFunc(rows, func(r faultCoverage) bool { return r.Point == f.At && r.Fault == f.Kind }); i >= 0 && f.Fires > 0 {
				rows[i].Fired = true
			}
		}
	}
	return rows, nil
}

// inRooms are the points of these packages: of "pool", "pool/burst/enqueue" as well as "pool/push-pre".
func inRooms(points []scenario.PointInfo, rooms ...string) (in []scenario.PointInfo) {
	for _, p := range points {
		if room, _, _ := strings.Cut(p.Name, "/"); slices.Contains(rooms, room) {
			in = append(in, p)
		}
	}
	return in
}
