package report

import (
	"fmt"
	"time"

	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/stress/internal/chart"
	"github.com/rouse-go/rouse/stress/internal/outcome"
)

// A picture is a chart in HTML, and rows of characters in Markdown.
type picture struct {
	title       string
	about, text string // the captions of the chart and of the rows
	svg         func() string
	rows        []row
}

type row struct {
	name, value string
	x           float64
}

// rowsOf returns at most twenty rows of a curve, evenly spread, with the last.
func rowsOf(at, y []float64, format func(float64) string) (rows []row) {
	most := min(len(at), 20)
	for i := range most {
		k := (i+1)*len(at)/most - 1
		rows = append(rows, row{fmt.Sprintf("%.1f", at[k]), format(y[k]), y[k]})
	}
	return rows
}

// pictures returns the pictures of a report.
func (f *figures) pictures() (all []picture) {
	_, unit := timeUnit(f.Duration)
	along, after := chart.Axis{Label: unit + " since the beginning"}, "After so many "+unit
	add := func(id, text string, c *chart.Chart, rows []row) {
		c.ID = id
		all = append(all, picture{c.Title, c.About, text, c.SVG, rows})
	}
	if at, rate := f.rates(); len(at) > 0 {
		add("rate", after+".", &chart.Chart{Title: "Executions a second",
			About: fmt.Sprintf("Over the campaign's %v. Scenarios differ: a controlled execution takes microseconds, a native one milliseconds or more.", f.Duration.Round(100*time.Millisecond)),
			X:     along, Y: chart.Axis{Label: "executions / s", Log: true, Format: short},
			Curves: []chart.Curve{{Name: "executions a second", X: at, Y: rate}}}, rowsOf(at, rate, short))
	}
	for i, l := range []*outcome.Latencies{&f.native, &f.controlled} {
		if what := []string{"native", "controlled"}[i]; l.Count() > 0 {
			c, rows := latencyChart(what, l)
			add("latency-"+what, c.About, c, rows)
		}
	}
	if at, held, live := f.memory(); len(at) > 0 {
		about := f.memorySpan() + ". The processes that run executions are not in it."
		add("memory", after+": "+about, &chart.Chart{Title: "Memory of the campaign's process", About: about,
			X: along, Y: chart.Axis{Label: "MiB"},
			Curves: []chart.Curve{{Name: "held of the system", X: at, Y: held}, {Name: "live heap", X: at, Y: live}}},
			rowsOf(at, held, func(x float64) string { return fmt.Sprintf("%.1f MiB", x) }))
	}
	if len(f.faults) > 0 {
		p := picture{title: "Faults that fired, by point", about: "How often each fault fired, of how often it could, over all scenarios. The bars are as long as the logarithm.",
			text: "How often each fired, of how often it could, over all scenarios."}
		var bars []chart.Bar
		for _, n := range f.faults {
			r := row{n.Kind + " at " + n.At, evidence.Thousands(n.Fires) + " of " + evidence.Thousands(n.Hits), float64(n.Fires)}
			p.rows, bars = append(p.rows, r), append(bars, chart.Bar{Name: r.name, Note: r.value, X: r.x})
		}
		p.svg = func() string { return chart.Bars("fires", p.title, p.about, bars, true) }
		all = append(all, p)
	}
	return all
}

// latencyChart returns a histogram of how long executions took, also as rows.
func latencyChart(what string, l *outcome.Latencies) (*chart.Chart, []row) {
	var rows []row
	c := &chart.Chart{Title: "How long " + what + " executions took", About: quantiles(l) + ".",
		X: chart.Axis{Label: "time of an execution", Log: true, Format: func(us float64) string {
			return time.Duration(us * float64(outcome.LatencyUnit)).String()
		}},
		Y: chart.Axis{Label: "executions", Log: true, Least: 0.1, Format: func(n float64) string {
			if n < 1 {
				return ""
			}
			return evidence.Thousands(uint64(n))
		}}}
	for _, b := range binsOf(l) {
		rows = append(rows, row{fmt.Sprintf("from %v", b.From), evidence.Thousands(uint64(b.N)), float64(b.N)})
		c.Columns = append(c.Columns, chart.Column{From: float64(b.From / outcome.LatencyUnit), To: float64(b.To / outcome.LatencyUnit), Y: float64(b.N)})
	}
	return c, rows
}
