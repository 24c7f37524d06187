package mutants

import (
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/chaos/verdict"
)

// A score is the mutation score.
type score struct {
	Killed     int      `json:"killed"`  // detected, of Mutants
	Mutants    int      `json:"mutants"` // number that some trial is expected to detect
	Survivors  []string `json:"survivors,omitempty"`
	Equivalent int      `json:"equivalent"` // mutants that nothing detects, as expected
	// Compared counts the trials with a published figure, and Within those of them whose best median is at
	// most factor times the best published one.
	Compared int `json:"compared"`
	Within   int `json:"within"`

	unexpected []outcome
}

// factor is how many times more executions than published a kill may need.
const factor = 4

// add enters the outcomes of one mutant.
func (s *score) add(outcomes []outcome) {
	m, killed := outcomes[0].mutant, false
	for _, o := range outcomes {
		killed = killed || o.Verdict != verdict.Pass
		if !o.asExpected() {
			s.unexpected = append(s.unexpected, o)
		}
		if len(o.Published) > 0 && !o.skipped() {
			s.Compared++
			if ratio, ok := o.ratio(); ok && ratio <= factor {
				s.Within++
			}
		}
	}
	switch {
	case m.detectable() && killed:
		s.Mutants++
		s.Killed++
	case m.detectable():
		s.Mutants++
		s.Survivors = append(s.Survivors, m.name)
	case !killed && m.name != control:
		s.Equivalent++
	}
}

// asExpected reports whether every trial ended with the verdict that it expects.
func (s *score) asExpected() bool { return len(s.unexpected) == 0 }

// String returns the score in a line or two, and a line for each unexpected verdict.
func (s *score) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "mutation score: %d of %d killed", s.Killed, s.Mutants)
	if len(s.Survivors) > 0 {
		fmt.Fprintf(&b, "; not killed: %s", strings.Join(s.Survivors, ", "))
	}
	if s.Equivalent > 0 {
		fmt.Fprintf(&b, "; %d more are not detected, as expected", s.Equivalent)
	}
	if s.Compared > 0 {
		fmt.Fprintf(&b, "\nbest median at most %d times the best published: %d of %d", factor, s.Within, s.Compared)
	}
	for _, o := range s.unexpected {
		fmt.Fprintf(&b, "\nnot as expected: %s, %s %s: %s, want %s", o.mutant.name, o.Package, o.Program, o.Verdict, o.Expect)
		if o.Summary != "" {
			fmt.Fprintf(&b, ": %s", o.Summary)
		}
	}
	return b.String()
}
