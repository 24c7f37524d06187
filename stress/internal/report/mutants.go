package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/stress/internal/outcome"
)

// A Mutation describes a run of stress mutate that is about to test its mutants.
type Mutation struct {
	Seed     uint64
	Packages int
	Mutants  int // mutants to test
	Found    int // mutants that the operators make: more, if there is a sample or a limit to changed lines
	Ways     []string
	Budget   time.Duration // limit of a trial
	Go       string
	Build    outcome.Build
}

// A MutantStatus is the result of a mutant in one word.
type MutantStatus string

// The results of a mutant.
const (
	MutantKilled     MutantStatus = "killed"
	MutantSurvived   MutantStatus = "survived"
	MutantUncovered  MutantStatus = "uncovered"  // no test runs its line: it survives
	MutantUntested   MutantStatus = "untested"   // no test that runs its line takes part in any of the ways: it survives
	MutantEquivalent MutantStatus = "equivalent" // it compiles to the same instructions: dropped
	MutantInvalid    MutantStatus = "invalid"    // it does not compile: dropped
	MutantError      MutantStatus = "error"      // it could not be tested: not in the score
)

// A TrialOutcome is the result of testing a mutant in one way.
type TrialOutcome string

// The outcomes of a trial.
const (
	TrialKilled   TrialOutcome = "killed"
	TrialTimeout  TrialOutcome = "timeout" // it did not end in time: counts as killed
	TrialSurvived TrialOutcome = "survived"
	TrialNotRun   TrialOutcome = "not-run" // no test that runs its line passes in this way without the mutant
	TrialError    TrialOutcome = "error"
)

// Kills reports whether the mutant was detected.
func (o TrialOutcome) Kills() bool { return o == TrialKilled || o == TrialTimeout }

// A Trial is one mutant tested in one way.
type Trial struct {
	Way      string
	Outcome  TrialOutcome
	By       string // the test that failed; "" if that is not known
	What     string // the verdict, or the first line on what failed; for a survivor, why a test was left out
	Duration time.Duration
	Resumed  bool // the result is from the journal
	// Tests counts the tests that ran, and PlannedTests those that take part in this way.
	Tests, PlannedTests int
	// Under stress test, Executions counts those of all tests, and Planned is their number without a time limit.
	Executions, Planned int
}

// Cut reports whether the mutant survived fewer tests or executions than were planned.
func (t *Trial) Cut() bool {
	return t.Outcome == TrialSurvived && (t.Tests < t.PlannedTests || t.Executions < t.Planned)
}

// A MutantReport is the result of one mutant.
type MutantReport struct {
	Package  string
	ID       string // within the package
	Operator string
	File     string
	Line     int
	Column   int
	Function string
	What     string // "s.cond.Signal() is deleted"
	Diff     string
	Status   MutantStatus
	Trials   []Trial  // in the order of the ways
	Tests    []string // the tests that run over its line, the fastest first
	Problem  string   // the compiler's message, or the trial that could not be made
	// NoCoverage means that //line directives hide which tests run over its line, so all tests are tried.
	NoCoverage bool
}

// Place returns the position in the form that editors read.
func (m *MutantReport) Place() string { return fmt.Sprintf("%s:%d:%d", m.File, m.Line, m.Column) }

// Survives reports whether no way detected the mutant.
func (m *MutantReport) Survives() bool {
	return m.Status == MutantSurvived || m.Status == MutantUncovered || m.Status == MutantUntested
}

// Title describes the change and its place.
func (m *MutantReport) Title() string {
	return fmt.Sprintf("%s %s in %s: %s", m.Place(), m.Operator, m.Function, m.What)
}

// By returns the trial in the given way, or nil if there is none.
func (m *MutantReport) By(way string) *Trial {
	if i := slices.IndexFunc(m.Trials, func(t Trial) bool { return t.Way == way }); i >= 0 {
		return &m.Trials[i]
	}
	return nil
}

// mostNamed is how many of the tests that run over a line are named.
const mostNamed = 3

// ranOver describes which tests run over the line of a mutant.
func (m *MutantReport) ranOver() string {
	switch named := m.Tests[:min(len(m.Tests), mostNamed)]; {
	case m.NoCoverage:
		return "coverage is unknown, by //line directives: all tests ran"
	case m.Status == MutantUntested:
		return "no test that runs this line passes without the mutant"
	case len(named) == 0:
		return "no test runs this line"
	case len(named) < len(m.Tests):
		return fmt.Sprintf("ran over it: %s and %d more", strings.Join(named, ", "), len(m.Tests)-len(named))
	default:
		return "ran over it: " + strings.Join(named, ", ")
	}
}

// A MutationReport is the result of a run.
type MutationReport struct {
	Mutation Mutation
	Mutants  []MutantReport  // in the order of packages, files and positions
	Packages []PackageReport // packages that could not be tested, or that have notes
	Duration time.Duration
	// Interrupted means that the run was stopped early. Mutants holds the results until then.
	Interrupted bool
	// Trouble is why the tool itself failed; "" if it did not.
	Trouble string
	// Wanted is the least acceptable score; 0 accepts any.
	Wanted float64
}

// Count counts the mutants with that status.
func (r *MutationReport) Count(s MutantStatus) int {
	return count(r.Mutants, func(m *MutantReport) bool { return m.Status == s })
}

// Survived counts the mutants that no way detected.
func (r *MutationReport) Survived() int { return count(r.Mutants, (*MutantReport).Survives) }

// Score returns the share of the counting mutants that were killed, or 1 if none counts.
func (r *MutationReport) Score() float64 { return r.total().score() }

// Failed reports whether the score is below the wanted one.
func (r *MutationReport) Failed() bool { return r.Score() < r.Wanted }

// Broken counts the packages that could not be tested.
func (r *MutationReport) Broken() int { return count(r.Packages, (*PackageReport).broken) }
