package bursts

import (
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/evidence/bench/measure"
)

// Markdown returns the results as tables like those of the seed, in nanoseconds: one for
// each mode and spec, with the seed's own rows where it has any. The results must come in that
// order, as Run returns them.
func Markdown(results []*Result) string {
	var b strings.Builder
	for len(results) > 0 {
		first, n := results[0], 1
		for n < len(results) && results[n].Mode == first.Mode && results[n].Spec == first.Spec {
			n++
		}
		title := fmt.Sprintf("%d sent to %d, sender %s", first.Spec.Messages, first.Spec.Receivers, first.Mode)
		table := measure.Table{Head: []string{title, "1%", "10%", "50%", "90%", "99%", "mean", "stddev", "sent", "ratio"}}
		base := first.medians()
		for _, r := range results[:n] {
			all := r.All()
			sorted := all.Sorted()
			cells := []string{r.Contestant.Name}
			for _, q := range []float64{0.01, 0.1, 0.5, 0.9, 0.99} {
				cells = append(cells, fmt.Sprintf("%.0f", sorted.Quantile(q)))
			}
			table.Row(append(cells, fmt.Sprintf("%.0f", all.Mean()), fmt.Sprintf("%.0f", all.StdDev()),
				fmt.Sprintf("%.2f", float64(r.Sent)/float64(r.Bursts)), measure.Ratio(r.medians().Over(base)))...)
		}
		if first.Mode == Blocks { // as the seed's sender
			for _, cells := range seedCells(first.Spec) {
				table.Row(cells...)
			}
		}
		fmt.Fprintf(&b, "%s\n", &table)
		results = results[n:]
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// medians returns the median of each round.
func (r *Result) medians() measure.Series {
	s := make(measure.Series, len(r.Rounds))
	for i, round := range r.Rounds {
		s[i] = round.Median()
	}
	return s
}

// ClaimsMarkdown returns a table for each mode and subject.
func ClaimsMarkdown(claims []Claim) string {
	var b strings.Builder
	for len(claims) > 0 {
		first, n := claims[0], 1
		for n < len(claims) && claims[n].Mode == first.Mode && claims[n].Subject == first.Subject {
			n++
		}
		table := measure.Table{Text: true, Head: []string{fmt.Sprintf("the seed says, of %s if the sender %s", first.Subject, first.Mode), "decided by", "figures", "here"}}
		for _, c := range claims[:n] {
			table.Row(c.Says, c.Rule, c.Figures, c.Verdict())
		}
		fmt.Fprintf(&b, "%s\n", &table)
		claims = claims[n:]
	}
	return strings.TrimSuffix(b.String(), "\n")
}
