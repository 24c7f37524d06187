package peers

import (
	"fmt"
	"math"
	"strings"

	"github.com/rouse-go/rouse/evidence/bench/measure"
)

// Verdicts returns the table of all bounds and their results.
func Verdicts(results []*Result) string {
	table := measure.Table{Head: []string{"what", "of", "median", "ratio", "bound", "holds", "others"}, Text: true}
	for _, r := range results {
		for _, b := range r.Row.Bounds {
			j := r.Judge(b)
			median := "-"
			if of := r.of(b.Of); of.Out == "" {
				median = format(b.Metric, of.series(b.Metric).Median())
			}
			table.Row(b.What, b.Of, median, j.figure(), b.String(), j.String(), r.others())
		}
	}
	return table.String()
}

// others formats the share of the machine that other programs took.
func (r *Result) others() string {
	if r.Others < 0 {
		return "?"
	}
	return fmt.Sprintf("%.0f %%", 100*r.Others)
}

// String returns the verdict in a word.
func (j Judgement) String() string {
	word := "**no**"
	switch {
	case j.Unmeasured != "":
		return "? " + j.Unmeasured
	case j.Holds:
		word = "yes"
	}
	if j.Near {
		word += ", narrowly"
	}
	return word
}

// figure returns the judged value with its spread.
func (j Judgement) figure() string {
	if j.Unmeasured != "" {
		return "-"
	}
	if len(j.Bound.Over) == 0 || j.Bound.How == Beyond {
		sorted := j.Rounds.Sorted()
		return fmt.Sprintf("%s (%s to %s)", format(j.Bound.Metric, sorted.Quantile(0.5)),
			format(j.Bound.Metric, sorted.Quantile(0.25)), format(j.Bound.Metric, sorted.Quantile(0.75)))
	}
	return measure.Ratio(j.Rounds)
}

// Markdown returns the table of a row: the figures of each contestant, and, if the first
// metric is a time, its ratio to the first contestant's.
func (r *Result) Markdown() string {
	table := measure.Table{Head: append([]string{""}, r.Row.Metrics...)}
	ratios := isTime(r.Row.Metrics[0])
	if ratios {
		table.Head = append(table.Head, "ratio")
	}
	var notes strings.Builder
	var base measure.Series
	for _, t := range r.Took {
		if t.Out != "" {
			fmt.Fprintf(&notes, "\nWithout %s: %s\n", t.Contestant, t.Out)
			continue
		}
		cells := []string{t.Contestant}
		for _, metric := range r.Row.Metrics {
			cells = append(cells, format(metric, t.series(metric).Median()))
		}
		first := t.series(r.Row.Metrics[0])
		if base == nil {
			base = first
		}
		if ratios {
			cells = append(cells, measure.Ratio(first.Over(base)))
		}
		table.Row(cells...)
	}
	return fmt.Sprintf("### %s\n\n%s\n\n%s%s", r.Row.Name, r.Row.About, &table, &notes)
}

// isTime reports whether a metric is a time, in ns.
func isTime(metric string) bool { return strings.HasPrefix(metric, "ns") }

// format formats a figure of a metric.
func format(metric string, x float64) string {
	switch {
	case math.IsNaN(x):
		return "-"
	case x < 0:
		return "-" + format(metric, -x)
	case isTime(metric) && x < 10:
		return fmt.Sprintf("%.2f ns", x)
	case isTime(metric) && x < 100:
		return fmt.Sprintf("%.1f ns", x)
	case isTime(metric):
		return measure.Nanoseconds(x)
	case strings.HasPrefix(metric, "allocs") && x != 0 && x < 0.01: // do not print few as 0
		return fmt.Sprintf("%.1e", x)
	default:
		return fmt.Sprintf("%.2f", x)
	}
}
