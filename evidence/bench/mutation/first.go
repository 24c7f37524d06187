package mutation

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A FirstReport is a campaign's first report about a mutant. Its text becomes the text of a trial.
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

// after returns the seconds that a campaign took to its first report; ok is false if the trial was no campaign.
func (t *Trial) after() (seconds float64, ok bool) {
	m := firstText.FindStringSubmatch(t.What)
	if m == nil {
		return 0, false
	}
	seconds, err := strconv.ParseFloat(m[1], 64)
	return seconds, err == nil
}

// firstTable writes how long campaigns of all mutants took to their first reports. A mutant counts in all
// columns if one of them has reported it; in a column that has not, its time is longer than any other.
func (s *Subject) firstTable(b *strings.Builder) {
	all := slices.DeleteFunc(slices.Clone(s.Columns), func(c Column) bool {
		return slices.ContainsFunc(s.Mutants, func(m Mutant) bool { return m.by(c.Name) == nil })
	})
	times := make([][]float64, len(all)) // of the mutants that the column reported
	mutants := 0
	for i := range s.Mutants {
		reported := false
		for k, c := range all {
			if seconds, ok := s.Mutants[i].by(c.Name).after(); ok {
				times[k] = append(times[k], seconds)
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
	for k, c := range all {
		if times := times[k]; len(times) > 0 {
			slices.Sort(times)
			t.add(escape(c.Name), fmt.Sprintf("%d of %d", len(times), mutants), quantile(times, mutants, 50), quantile(times, mutants, 90))
		}
	}
	b.WriteString("\n### Time to the first report\n\n")
	wrap(b, "Of the mutants that one of these campaigns has reported. Where one has not, its time counts as longer than all others.")
	b.WriteString("\n")
	t.write(b)
}

// quantile formats a percentile of n times, of which shortest holds the shortest, sorted.
func quantile(shortest []float64, n, percent int) string {
	i := (n*percent+99)/100 - 1
	if i >= len(shortest) {
		return "not reported"
	}
	return fmt.Sprintf("%.1f s", shortest[i])
}
