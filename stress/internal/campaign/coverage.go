package campaign

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/stress/scenario"
)

// A FaultCoverage says which scenarios fire one fault at one hook point.
type FaultCoverage struct {
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

// Cover runs the controlled scenarios that have a plan, a fixed number of executions each with a
// fixed seed, and counts what has fired: the same each time. It returns a row for
// each fault that each of these hook points offers. What the scenarios are convicted of, expected or not,
// does not matter. The program must call ChildMain first thing in main.
func Cover(ctx context.Context, scenarios []scenario.Scenario, points []scenario.PointInfo) ([]FaultCoverage, error) {
	var rows []FaultCoverage
	for _, p := range points {
		for _, k := range p.Offers.Kinds() {
			rows = append(rows, FaultCoverage{Point: p.Name, Fault: k.String()})
		}
	}
	row := func(at, kind string) *FaultCoverage {
		i := slices.IndexFunc(rows, func(r FaultCoverage) bool { return r.Point == at && r.Fault == kind })
		if i < 0 {
			return &FaultCoverage{} // of another room
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

// InRooms are the points of these packages: of "pool", "pool/burst/enqueue" as well as "pool/push-pre".
func InRooms(points []scenario.PointInfo, rooms ...string) (in []scenario.PointInfo) {
	for _, p := range points {
		if room, _, _ := strings.Cut(p.Name, "/"); slices.Contains(rooms, room) {
			in = append(in, p)
		}
	}
	return in
}

// CoverageTable is the rows in Markdown. It has names and no numbers, so that it changes when
// who fires what does.
func CoverageTable(rows []FaultCoverage) []byte {
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
