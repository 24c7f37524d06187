//go:build chaos

package campaign

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/stress/internal/golden"
	"github.com/rouse-go/rouse/stress/scenario"
)

const coverageHead = `# Who fires what

Every fault that every hook point of ` + "`sleep` and `pool`" + ` offers, and the scenarios of [scenarios.yaml](../scenarios.yaml) that fire it. Those of the
third column have fired it under control, in %d executions with the seed 1, which repeat exactly. Those of the fourth are native: that they fire
it is up to each campaign, which ends with the verdict never-reached if they do not. ` + "`stress points`" + ` says what the points are.

The points of the drop-ins (` + "`" + `sync/*` + "`" + `, ` + "`" + `atomic/*` + "`" + `, ` + "`" + `time/*` + "`" + `, ` + "`" + `context/*` + "`" + `, ` + "`" + `channel/*` + "`" + `) are not here: they are operations of package hooks, not windows of a protocol of ours, and a
line of a plan there strikes every lock or atomic of the program alike. What their faults do is tested beside the drop-ins.

Generated: ` + "`go generate ./stress`" + `; a test fails when this is not so any more, and when a fault has nobody in its third column.

`

// TestEveryFaultIsFired: of every hook point of the subjects, every fault, by a controlled scenario.
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
		if len(r.Controlled) == 0 {
			t.Errorf("no controlled scenario fires %s at %s", r.Fault, r.Point)
		}
	}
	got := fmt.Sprintf(coverageHead, coverageExecutions) + string(coverageTable(rows))
	file := filepath.Join("..", "..", "..", "docs", "faults.md")
	if *golden.Update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is of other scenarios; go generate ./stress writes it. Found\n%s", file, differing(string(want), got))
	}
}

// differing are the lines of got that want does not have.
func differing(want, got string) string {
	had := strings.Split(want, "\n")
	return strings.Join(slices.DeleteFunc(strings.Split(got, "\n"), func(l string) bool { return slices.Contains(had, l) }), "\n")
}

// TestCoverSeesWhatIsNotFired: a plan that names a fault does not fire it by that.
func TestCoverSeesWhatIsNotFired(t *testing.T) {
	sc := tiny("inject", "random", 1)
	sc.Plan = []chaos.Fault{
		{At: "pool/inject-pre", Kind: hooks.Yields},
		{At: "pool/bcast-push", Kind: hooks.Yields}, // nobody broadcasts
	}
	native := sc
	native.Name, native.Mode, native.Strategy = "native", scenario.Native, ""
	rows, err := cover(t.Context(), []scenario.Scenario{sc, native}, inRooms(scenario.Points(), "pool"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		fired, named := r.Point == "pool/inject-pre" && r.Fault == "yield", r.Fault == "yield" && (r.Point == "pool/inject-pre" || r.Point == "pool/bcast-push")
		if (len(r.Controlled) > 0) != fired || (r.Fires > 0) != fired || (len(r.Native) > 0) != named {
			t.Errorf("%+v", r)
		}
	}
}

// A faultCoverage says which scenarios fire one fault at one hook point.
type faultCoverage struct {
	Point, Fault string
	// Controlled are the scenarios that have fired it, under control, and Fires how often.
	Controlled []string
	Fires      uint64
	// Native are the native scenarios that are to fire it. In a campaign, one that does not
	// ends with NeverReached.
	Native []string
}

// coverageExecutions are enough for each fault of the default campaign.
const coverageExecutions = 48

// cover runs the controlled scenarios that have a plan, a fixed number of executions each with a
// fixed seed, and counts what has fired: the same each time. It returns a row for
// each fault that each of these hook points offers. What the scenarios are convicted of, expected or not,
// does not matter. The program must call ChildMain first thing in main.
func cover(ctx context.Context, scenarios []scenario.Scenario, points []scenario.PointInfo) ([]faultCoverage, error) {
	var rows []faultCoverage
	for _, p := range points {
		for _, k := range p.Offers.Kinds() {
			rows = append(rows, faultCoverage{Point: p.Name, Fault: k.String()})
		}
	}
	row := func(at, kind string) *faultCoverage {
		i := slices.IndexFunc(rows, func(r faultCoverage) bool { return r.Point == at && r.Fault == kind })
		if i < 0 {
			return &faultCoverage{} // of another room
		}
		return &rows[i]
	}
	note := func(names *[]string, name string) {
		if !slices.Contains(*names, name) {
			*names = append(*names, name)
		}
	}
	var controlled []scenario.Scenario
	for _, sc := range scenarios {
		if sc.Mode == scenario.Control && len(sc.Plan) > 0 {
			controlled = append(controlled, sc)
			continue
		}
		for _, f := range sc.Plan {
			note(&row(f.At, f.Kind.String()).Native, sc.Name)
		}
	}
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
			if f.Fires > 0 {
				r := row(f.At, f.Kind)
				r.Fires += f.Fires
				note(&r.Controlled, s.Name)
			}
		}
	}
	for i := range rows { // controls come first in a report
		slices.Sort(rows[i].Controlled)
		slices.Sort(rows[i].Native)
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

// coverageTable is the rows in Markdown. It has names and no numbers, so that it changes when
// who fires what does.
func coverageTable(rows []faultCoverage) []byte {
	var b strings.Builder
	point := ""
	fmt.Fprintln(&b, "| point | fault | has fired under control in | is to fire natively in |\n|---|---|---|---|")
	for _, r := range rows {
		name := "`" + r.Point + "`"
		if r.Point == point {
			name = ""
		}
		point = r.Point
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", name, r.Fault, strings.Join(r.Controlled, ", "), strings.Join(r.Native, ", "))
	}
	return []byte(b.String())
}
