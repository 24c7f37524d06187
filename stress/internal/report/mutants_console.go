package report

import (
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/stress/internal/prose"
)

func (m *Mutation) print(c *Console) {
	of := ""
	if m.Found > m.Mutants {
		of = fmt.Sprintf(" of %d", m.Found)
	}
	c.line(below, "seed %#x: %s, %s%s, by %s, %v for a trial, %s", m.Seed, prose.Plural(m.Packages, "package"),
		prose.Plural(m.Mutants, "mutant"), of, strings.Join(m.Ways, ", "), m.Budget, m.Go)
}

func (*Mutation) failures(n int) string {
	if n == 0 {
		return "no survivor"
	}
	return prose.Plural(n, "survivor")
}

// print prints the line of a mutant, and for a survivor its change and the tests that ran over it.
func (m *MutantReport) print(c *Console) {
	if (m.Status == MutantEquivalent || m.Status == MutantInvalid) && !c.Verbose {
		return
	}
	text := fmt.Sprintf("%-10s %s", m.Status, m.Title())
	if trials := m.trials(); trials != "" {
		text += "  [" + trials + "]"
	}
	c.line(below, "%s", text)
	if m.Survives() {
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

// print prints the tables.
func (r *MutationReport) print(c *Console) {
	if len(r.Mutants) > 0 {
		for _, table := range r.table() {
			c.print("\n" + columns(table))
		}
		for _, more := range r.remarks() {
			c.line(below, "\n%s", more)
		}
		c.print("")
	}
}
