package sleeps

import (
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/evidence/bench/measure"
)

// Markdown returns the tables of one comparison, with a summary.
func Markdown(machine string, tables []*Table) string {
	c := tables[0].Comparison
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n%s\n\n", c.Name, c.About)
	fmt.Fprintf(&b, "%s. Ratios are to the first row, round by round: their median, and in brackets their middle half. "+
		"CPU time is that of the whole process; sleeps and wakes are of all workers.\n\n%s", machine, Summary(tables))
	for _, t := range tables {
		fmt.Fprintf(&b, "\n%s", t.Markdown())
	}
	return b.String()
}

// Markdown returns the table with its heading. Ratios are to the first row, round by
// round.
func (t *Table) Markdown() string {
	head := []string{"sleep", "time", "ratio", "CPU time", "ratio", "CPU", "sleeps", "wakes"}
	seed, rescued := t.seeded(), t.rescued()
	if seed {
		head = append(head, "seed")
	}
	if rescued {
		head = append(head, "rescues")
	}
	table := measure.Table{Head: head}
	base := t.Rows[0]
	for _, r := range t.Rows {
		cells := []string{
			r.Config.Name,
			measure.Nanoseconds(r.Wall.Median()), measure.Ratio(r.Wall.Over(base.Wall)),
			measure.Nanoseconds(r.CPU.Median()), measure.Ratio(r.CPU.Over(base.CPU)),
			fmt.Sprintf("%.1f %%", 100*r.CPU.Over(r.Wall).Median()),
			fmt.Sprintf("%.2f", r.Sleeps.Median()), fmt.Sprintf("%.2f", r.Wakes.Median()),
		}
		if seed {
			cells = append(cells, r.Config.Seed[t.Demo.Name])
		}
		if rescued {
			cells = append(cells, fmt.Sprintf("%.0f", r.Rescues.Mean()*float64(len(r.Rescues))))
		}
		table.Row(cells...)
	}
	return fmt.Sprintf("### %s: %s, %d workers\n\nOne iteration; medians of %d rounds of %d iterations.\n\n%s",
		t.Comparison.Name, t.Demo.Name, t.Workers, len(base.Wall), t.Iterations, &table)
}

// Summary returns the tables of one comparison in one: the ratios of run time and, after
// the slash, of CPU time, medians of the rounds. All must have the same configurations.
func Summary(tables []*Table) string {
	summary := measure.Table{Head: []string{"time / CPU time"}}
	for _, t := range tables {
		summary.Head = append(summary.Head, t.Demo.Name)
	}
	for i, r := range tables[0].Rows {
		cells := []string{r.Config.Name}
		for _, t := range tables {
			cells = append(cells, fmt.Sprintf("%.2f / %.2f", t.Rows[i].Wall.Over(t.Rows[0].Wall).Median(), t.Rows[i].CPU.Over(t.Rows[0].CPU).Median()))
		}
		summary.Row(cells...)
	}
	return summary.String()
}

func (t *Table) seeded() bool {
	for _, r := range t.Rows {
		if r.Config.Seed[t.Demo.Name] != "" {
			return true
		}
	}
	return false
}

func (t *Table) rescued() bool {
	for _, r := range t.Rows {
		for _, n := range r.Rescues {
			if n > 0 {
				return true
			}
		}
	}
	return false
}
