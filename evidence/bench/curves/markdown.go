package curves

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/evidence/bench/measure"
)

// All returns all curves. A new one is a file, and a line here.
func All() []Curve { return []Curve{Jobs(), Workers(), Depth()} }

// Picture returns the name of the picture of the curve.
func (c Curve) Picture() string { return "curve-" + c.Name + ".svg" }

// Markdown returns the curve as a table, with its picture and its cliffs.
func (r *Result) Markdown() string {
	table := measure.Table{Head: []string{r.Curve.X}}
	for _, line := range r.Curve.Lines {
		table.Head = append(table.Head, line.Name)
	}
	for i, x := range r.Curve.At {
		cells := []string{strconv.Itoa(x)}
		for line := range r.Curve.Lines {
			cell := "-"
			if i < len(r.Points[line]) {
				cell = nanoseconds(r.Points[line][i].Median())
			}
			cells = append(cells, cell)
		}
		table.Row(cells...)
	}
	var cliffs strings.Builder
	for _, cliff := range r.Cliffs() {
		fmt.Fprintf(&cliffs, "- %v\n", cliff)
	}
	found := "No cliff: no point costs half as much again as the one before it, or more.\n"
	if cliffs.Len() > 0 {
		found = "Cliffs, where a point costs half as much again as the one before it, or more:\n\n" + cliffs.String()
	}
	return fmt.Sprintf("## %s\n\n%s Medians of %d rounds, %s; - would have taken too long.\n\n![%s](%s)\n\n%s\n%s",
		r.Curve.Name, r.Curve.About, r.Rounds, r.Curve.Y, r.Curve.Name, r.Curve.Picture(), &table, found)
}

// nanoseconds formats a figure.
func nanoseconds(ns float64) string {
	if ns < 100 {
		return fmt.Sprintf("%.1f ns", ns)
	}
	return measure.Nanoseconds(ns)
}

// A Record holds the figures of one point: a line of JSON.
type Record struct {
	Schema  int            `json:"schema"`
	Kind    string         `json:"kind"` // "point"
	Machine string         `json:"machine"`
	Curve   string         `json:"curve"`
	Line    string         `json:"line"`
	X       int            `json:"x"`
	NS      measure.Series `json:"ns"` // for each round
}

// Records returns the lines of JSON of a curve.
func (r *Result) Records(machine string) (records []any) {
	for line, points := range r.Points {
		for i, ns := range points {
			records = append(records, Record{1, "point", machine, r.Curve.Name, r.Curve.Lines[line].Name, r.Curve.At[i], ns})
		}
	}
	return records
}
