package sleeps

import (
	"fmt"

	"github.com/rouse-go/rouse/bench/measure"
)

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
