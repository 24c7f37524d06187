package report

import (
	"fmt"
	"time"
)

// junit returns a document with a suite for each package. A survivor is a failure only if the score is below the wanted
// one, and else skipped.
func (r *MutationReport) junit(Page) *junitSuites {
	m := &r.Mutation
	all := newJUnit("stress mutate", r.Duration, junitProperty{"score", percent(r.Score())}, junitProperty{"go", m.Go}, junitProperty{"build", m.Build.String()})
	for i := range r.Mutants {
		mutant := &r.Mutants[i]
		all.add(mutant.Package, junitMutant(mutant, r.Failed()), mutant.duration())
	}
	all.addPackages(r.Packages)
	all.addTrouble("stress mutate", r.Trouble)
	return all
}

// duration returns the total duration of all trials.
func (m *MutantReport) duration() (sum time.Duration) {
	for _, t := range m.Trials {
		sum += t.Duration
	}
	return sum
}

func junitMutant(m *MutantReport, fails bool) junitCase {
	c := junitCase{Name: m.ID, Class: m.Package}
	switch {
	case m.Survives():
		survivor := &junitOutcome{fmt.Sprintf("%s: %s", m.Status, m.Title()), m.Operator, m.Diff + m.ranOver() + "\n"}
		if c.Skipped = survivor; fails {
			c.Skipped, c.Failure = nil, survivor
		}
	case m.Status == MutantEquivalent:
		c.Skipped = &junitOutcome{Message: "the compiler makes the same instructions of it"}
	case m.Status == MutantInvalid:
		c.Skipped = &junitOutcome{Message: "it does not compile", Text: m.Problem}
	case m.Status == MutantError:
		c.Error = &junitOutcome{"it could not be tested", "trial", m.Problem}
	}
	return c
}

// annotations returns one for each survivor, at its line: a warning, or an error if the score is too low.
func (r *MutationReport) annotations(Page) annotations {
	a := annotations{level: "warning", rest: "more survivors", hint: "see the log or the reports"}
	if r.Failed() {
		a.level = "error"
	}
	for i := range r.Mutants {
		if m := &r.Mutants[i]; m.Survives() {
			a.all = append(a.all, annotation{m.File, m.Line, m.Column, fmt.Sprintf("%s: %s", m.Status, m.Operator), m.What + "\n" + m.ranOver() + "\n" + m.Diff})
		}
	}
	return a
}
