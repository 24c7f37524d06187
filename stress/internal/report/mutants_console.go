package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/stress/internal/prose"
)

// A ConsoleOfMutants is a MutantObserver for people: it prints a line for each mutant, the change of a
// survivor, the progress, and the tables.
type ConsoleOfMutants struct {
	Terminal
	Verbose bool // also print dropped mutants
	survive int
}

// Began prints what is tested and how.
func (c *ConsoleOfMutants) Began(m Mutation) {
	of := ""
	if m.Found > m.Mutants {
		of = fmt.Sprintf(" of %d", m.Found)
	}
	c.line(below, "seed %#x: %s, %s%s, by %s, %v for a trial, %s", m.Seed, prose.Plural(m.Packages, "package"),
		prose.Plural(m.Mutants, "mutant"), of, strings.Join(m.Ways, ", "), m.Budget, m.Go)
	c.last = time.Now()
}

// Progressed shows the progress.
func (c *ConsoleOfMutants) Progressed(p Progress) {
	p.Unit = "trial"
	survivors := "no survivor"
	if c.survive > 0 {
		survivors = prose.Plural(c.survive, "survivor")
	}
	c.progressed(p, survivors)
}

// PackageDone prints a line for each note, and the problem of the package.
func (c *ConsoleOfMutants) PackageDone(p PackageReport) {
	for _, n := range p.Notes {
		c.line(below, "note       %s: %s", p.Package, n)
	}
	if p.Problem != "" {
		c.print(strings.TrimRight(p.Problem, "\n"))
		c.line(below, "FAIL       %s [cannot be tested]", p.Package)
	}
}

// MutantDone prints the line of a mutant, and for a survivor its change and the tests that ran over it.
func (c *ConsoleOfMutants) MutantDone(m MutantReport) {
	if (m.Status == MutantEquivalent || m.Status == MutantInvalid) && !c.Verbose {
		return
	}
	text := fmt.Sprintf("%-10s %s", m.Status, m.Title())
	if trials := m.trials(); trials != "" {
		text += "  [" + trials + "]"
	}
	c.line(below, "%s", text)
	if m.Survives() {
		c.survive++
		c.print(indented(m.Diff, bar))
		c.line(furtherDown, below+"%s", m.ranOver())
		c.print(below + "its ID: " + m.ID)
	}
	if m.Problem != "" && (c.Verbose || m.Status == MutantError) {
		c.print(indented(m.Problem, bar))
	}
}

// trials describes the outcomes in each way in a few words.
func (m *MutantReport) trials() string {
	var all []string
	for _, t := range m.Trials {
		all = append(all, t.Way+": "+t.brief())
	}
	return strings.Join(all, "; ")
}

// brief describes the outcome of a trial in a few words.
func (t *Trial) brief() string {
	switch {
	case t.Cut():
		return "survived " + t.share()
	case !t.Outcome.Kills():
		return string(t.Outcome)
	case t.By == "":
		return t.What
	}
	return t.By + ": " + t.What
}

// share describes how many of the planned tests and executions there were, and why not all, unless the reason
// is the budget.
func (t *Trial) share() string {
	var parts []string
	of := func(n, planned int, what string) {
		if n < planned {
			parts = append(parts, fmt.Sprintf("%s of %s %s", evidence.Thousands(uint64(n)), evidence.Thousands(uint64(planned)), what))
		}
	}
	of(t.Tests, t.PlannedTests, "tests")
	of(t.Executions, t.Planned, "executions")
	all := strings.Join(parts, ", ")
	if t.What != "" {
		all += " (" + t.What + ")"
	}
	return all
}

// Ended prints the tables and the totals.
func (c *ConsoleOfMutants) Ended(r MutationReport) {
	c.closeDisplay()
	if len(r.Mutants) > 0 {
		for _, table := range r.table() {
			c.print("\n" + columns(table))
		}
		for _, more := range r.remarks() {
			c.line(below, "\n%s", more)
		}
		c.print("")
	}
	c.line(below, "%s", r.headline())
}
