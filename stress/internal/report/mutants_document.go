package report

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// A DocumentOfMutants is a MutantObserver that writes a report in one piece when the run has ended.
type DocumentOfMutants struct {
	Out    io.Writer
	Format func(Mutation, MutationReport) []byte

	mutation Mutation
	err      error
}

// Began keeps the description of the run.
func (d *DocumentOfMutants) Began(m Mutation) { d.mutation = m }

// Progressed writes nothing.
func (d *DocumentOfMutants) Progressed(Progress) {}

// PackageDone writes nothing.
func (d *DocumentOfMutants) PackageDone(PackageReport) {}

// MutantDone writes nothing.
func (d *DocumentOfMutants) MutantDone(MutantReport) {}

// Ended writes the document.
func (d *DocumentOfMutants) Ended(r MutationReport) { _, d.err = d.Out.Write(d.Format(d.mutation, r)) }

// Err returns the write error.
func (d *DocumentOfMutants) Err() error { return d.err }

// MarkdownOfMutants writes a run in Markdown: its result, the tables, and the survivors with their changes.
func MarkdownOfMutants(_ Mutation, r MutationReport) []byte {
	var b markdown
	b.line("# stress mutate: %s", escaped(r.headline()))
	for _, p := range r.Packages {
		if p.Problem != "" {
			b.line("\n## %s cannot be tested\n", escaped(p.Package))
			b.fenced(strings.TrimRight(p.Problem, "\n"))
		}
	}
	if len(r.Mutants) > 0 {
		for _, table := range r.table() {
			b.line("")
			b.line("| %s |", strings.Join(table[0], " | "))
			b.line("|---%s|", strings.Repeat("|---:", len(table[0])-1))
			for _, row := range table[1:] {
				b.line("| %s |", strings.Join(row, " | "))
			}
		}
	}
	for _, more := range r.remarks() {
		b.line("\n%s.", more)
	}
	head := false
	for i := range r.Mutants {
		m := &r.Mutants[i]
		if !m.Survives() {
			continue
		}
		if !head {
			b.line("\n## Survivors")
			head = true
		}
		b.line("\n### %s\n", escaped(m.Title()))
		b.line("%s: %s.\n", m.Status, escaped(m.ranOver()))
		for _, t := range m.Trials {
			if t.Cut() {
				b.line("By %s it survived %s.\n", t.Way, escaped(t.share()))
			}
		}
		b.fencedAs("diff", strings.TrimRight(m.Diff, "\n"))
	}
	return []byte(b.String())
}

// JUnitOfMutants writes a run of mutants as JUnit XML: a test suite for each package, a test case for each
// mutant. A survivor is a failure only if the score is below the wanted one.
func JUnitOfMutants(m Mutation, r MutationReport) []byte {
	all := newJUnitPackages("stress mutate", r.Duration, junitProperty{"score", percent(r.Score())}, junitProperty{"go", m.Go}, junitProperty{"build", m.Build.String()})
	for i := range r.Mutants {
		mutant := &r.Mutants[i]
		all.add(mutant.Package, junitMutant(mutant, r.Failed()), mutant.duration())
	}
	return all.text(r.Packages, r.Trouble)
}

// duration returns the total duration of all trials.
func (m *MutantReport) duration() (sum time.Duration) {
	for _, t := range m.Trials {
		sum += t.Duration
	}
	return sum
}

func junitMutant(m *MutantReport, fails bool) junitCase {
	c := junitCase{Name: m.ID, Class: m.Package, Time: junitTime(m.duration())}
	switch m.Status {
	case MutantSurvived, MutantUncovered, MutantUntested:
		survivor := &junitOutcome{fmt.Sprintf("%s: %s", m.Status, m.Title()), m.Operator, m.Diff + m.ranOver() + "\n"}
		if c.Skipped = survivor; fails {
			c.Skipped, c.Failure = nil, survivor
		}
	case MutantEquivalent:
		c.Skipped = &junitOutcome{Message: "the compiler makes the same instructions of it"}
	case MutantInvalid:
		c.Skipped = &junitOutcome{Message: "it does not compile", Text: m.Problem}
	case MutantError:
		c.Error = &junitOutcome{"it could not be tested", "trial", m.Problem}
	}
	return c
}

// AnnotationsOfMutants is a MutantObserver that annotates survivors in GitHub Actions when the run has
// ended, as Annotations does: each at its line, as a warning, or as an error if the score is too low.
type AnnotationsOfMutants struct{ annotations Annotations }

// NewAnnotationsOfMutants returns an AnnotationsOfMutants that writes to out.
func NewAnnotationsOfMutants(out io.Writer) *AnnotationsOfMutants {
	return &AnnotationsOfMutants{Annotations{Out: out}}
}

// Err returns the first write error.
func (a *AnnotationsOfMutants) Err() error { return a.annotations.err }

// Began does nothing, as do Progressed, PackageDone and MutantDone.
func (a *AnnotationsOfMutants) Began(Mutation) {}

// Progressed does nothing.
func (a *AnnotationsOfMutants) Progressed(Progress) {}

// PackageDone does nothing.
func (a *AnnotationsOfMutants) PackageDone(PackageReport) {}

// MutantDone does nothing.
func (a *AnnotationsOfMutants) MutantDone(MutantReport) {}

// Ended writes an annotation for each survivor. If there are too many, the last counts the others.
func (a *AnnotationsOfMutants) Ended(r MutationReport) {
	level := "warning"
	if r.Failed() {
		level = "error"
	}
	all, written := r.Count(survivors...), 0
	for i := range r.Mutants {
		m := &r.Mutants[i]
		if !m.Survives() {
			continue
		}
		if written++; written == mostAnnotations && all > mostAnnotations {
			a.annotations.write("::%s title=%s::%s\n", level, property(fmt.Sprintf("%d more survivors", all-written+1)), data("see the log or the reports"))
			return
		}
		a.annotations.write("::%s file=%s,line=%d,col=%d,title=%s::%s\n", level, property(m.File), m.Line, m.Column,
			property(fmt.Sprintf("%s: %s", m.Status, m.Operator)), data(m.What+"\n"+m.ranOver()+"\n"+m.Diff))
	}
}
