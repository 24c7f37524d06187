package mutation

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A FirstReport is what a campaign has reported first about a mutant. Its text is that of a trial.
type FirstReport struct {
	After   time.Duration // since the beginning of the campaign
	Failed  string        // scenario
	Verdict string
	What    string
}

func (r FirstReport) String() string {
	return fmt.Sprintf("%.2f s: %s: %s: %.160s", r.After.Seconds(), r.Failed, r.Verdict, r.What)
}

var firstText = regexp.MustCompile(`(?:^|: )(\d+\.\d\d) s: `)

// after is how many seconds a campaign took to its first report; false if a trial was no campaign.
func (t *Trial) after() (seconds float64, ok bool) {
	m := firstText.FindStringSubmatch(t.What)
	if m == nil {
		return 0, false
	}
	seconds, err := strconv.ParseFloat(m[1], 64)
	return seconds, err == nil
}

// firstTable says how long campaigns of all mutants took to their first reports. A mutant counts in all
// columns if one of them has reported it; where a column has not, its time is more than any other.
func (s *Subject) firstTable(b *strings.Builder) {
	tested := map[string]int{} // mutants, by column
	for i := range s.Mutants {
		for j := range s.Mutants[i].Trials {
			tested[s.Mutants[i].Trials[j].Column]++
		}
	}
	times := map[string][]float64{} // of those that reported, by column
	mutants := 0
	for i := range s.Mutants {
		reported := false
		for j := range s.Mutants[i].Trials {
			t := &s.Mutants[i].Trials[j]
			if seconds, ok := t.after(); ok && tested[t.Column] == len(s.Mutants) {
				times[t.Column] = append(times[t.Column], seconds)
				reported = true
			}
		}
		if reported {
			mutants++
		}
	}
	if mutants == 0 {
		return
	}
	t := table{left: 1}
	t.add("campaign", "reported", "median", "90th percentile")
	for _, c := range s.Columns {
		if all := times[c.Name]; len(all) > 0 {
			slices.Sort(all)
			t.add(escape(c.Name), fmt.Sprintf("%d of %d", len(all), mutants), quantile(all, mutants, 50), quantile(all, mutants, 90))
		}
	}
	b.WriteString("\n### Time to the first report\n\n")
	wrap(b, "Of the mutants that one of these campaigns has reported. Where one has not, its time counts as longer than all others.")
	b.WriteString("\n")
	t.write(b)
}

// quantile is that of n times in percent, of which these are the shortest, sorted.
func quantile(shortest []float64, n, percent int) string {
	i := (n*percent+99)/100 - 1
	if i >= len(shortest) {
		return "not reported"
	}
	return fmt.Sprintf("%.1f s", shortest[i])
}
