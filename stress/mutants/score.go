package mutants

import (
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/chaos/verdict"
)

// A Score is the mutation score.
type Score struct {
	Killed  int // mutants that some trial has convicted, of those that are to be
	Mutants int // that are to be killed
	// Survivors are mutants that were to be killed, and were not.
	Survivors []string
	// Equivalent counts mutants that nothing convicts, as expected.
	Equivalent int
	// Surprises are trials that came to another verdict than they expect.
	Surprises []Outcome
	// Compared counts trials that have a published figure, Within those whose best
	// median is at most Factor times the best that is published.
	Compared, Within int
}

// Factor is how much longer than published a kill may take.
const Factor = 4

// add enters the outcomes of one mutant.
func (s *Score) add(outcomes []Outcome) {
	m, killed := outcomes[0].Mutant, false
	for _, o := range outcomes {
		killed = killed || o.Verdict != verdict.Pass
		if !o.AsExpected() {
			s.Surprises = append(s.Surprises, o)
		}
		if len(o.Trial.Published) > 0 && !o.Skipped() {
			s.Compared++
			if ratio, ok := o.Ratio(); ok && ratio <= Factor {
				s.Within++
			}
		}
	}
	switch {
	case m.ToBeKilled() && killed:
		s.Mutants++
		s.Killed++
	case m.ToBeKilled():
		s.Mutants++
		s.Survivors = append(s.Survivors, m.Name)
	case !killed && m.Name != Control:
		s.Equivalent++
	}
}

// AsExpected reports whether every trial came to the verdict that it expects. Then
// every mutant is killed that is to be.
func (s *Score) AsExpected() bool { return len(s.Surprises) == 0 }

// String is the score in a line or two, and a line for each surprise.
func (s *Score) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "mutation score: %d of %d killed", s.Killed, s.Mutants)
	if len(s.Survivors) > 0 {
		fmt.Fprintf(&b, "; not killed: %s", strings.Join(s.Survivors, ", "))
	}
	if s.Equivalent > 0 {
		fmt.Fprintf(&b, "; nothing convicts %d more, as expected", s.Equivalent)
	}
	if s.Compared > 0 {
		fmt.Fprintf(&b, "\nbest median at most %d times the best published: %d of %d", Factor, s.Within, s.Compared)
	}
	for _, o := range s.Surprises {
		fmt.Fprintf(&b, "\nnot as expected: %s, %s %s: %s, want %s", o.Mutant.Name, o.Trial.Package, o.Trial.Program, o.Verdict, o.Trial.Expect)
		if o.Summary != "" {
			fmt.Fprintf(&b, ": %s", o.Summary)
		}
	}
	return b.String()
}
