package mutants

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/verdict"
)

// A Table prints outcomes for people, a line for each trial. After an error it prints
// no more.
type Table struct {
	Out io.Writer
	Err error // the first that printing met

	last string // mutant
}

const columns = "  %-40s %-17s %-9s %s%11s %s\n"

// Head prints the heads of the columns.
func (t *Table) Head() {
	t.print("MUTANT, and the program that is tried on it\n")
	medians := ""
	for _, by := range shown {
		medians += fmt.Sprintf("%9s", by)
	}
	t.print(columns, "", "VERDICT", "KILLED BY", medians, "PUBLISHED", "RATIO")
}

// shown are the strategies that have a column; "dfs" stands for all bounds.
var shown = append(slices.Clone(usual), "dfs")

// Row prints an outcome.
func (t *Table) Row(o Outcome) {
	if o.Mutant.Name != t.last {
		t.last = o.Mutant.Name
		t.print("%s: %s\n", o.Mutant.Name, o.Mutant.About)
	}
	said := string(o.Verdict)
	switch {
	case o.Skipped():
		said = "(takes long)"
	case !o.AsExpected():
		said += " (!)"
	}
	killer, published, ratio := "", "", ""
	if best, ok := o.Best(); ok {
		killer = best.Strategy
	} else if o.Verdict != verdict.Pass {
		killer = "(rarely)"
	}
	if best, ok := Best(o.Trial.Published); ok {
		published = fmt.Sprint(best.Executions)
	}
	if r, ok := o.Ratio(); ok {
		ratio = fmt.Sprintf("%.2g", r)
	}
	t.print(columns, o.Trial.Package+" "+o.Trial.Program, said, killer, o.medians(), published, ratio)
}

// medians are the columns of the strategies.
func (o *Outcome) medians() string {
	text := ""
	for _, by := range shown {
		cell := "-"
		for _, m := range o.Medians {
			if name, _, _ := strings.Cut(m.Strategy, "("); m.Strategy == by || name == by {
				cell = m.String()
			}
		}
		text += fmt.Sprintf("%9s", cell)
	}
	return text
}

// String is the number of executions; with > before it, if that many did not do in
// half of the series, and "all" if there are no others, or "bounded" if
// there are none within the bounds of the search.
func (m Median) String() string {
	switch {
	case m.Complete && m.Bounded != "":
		return "bounded"
	case m.Complete:
		return "all"
	case m.Capped:
		return fmt.Sprintf(">%d", m.Executions)
	}
	return fmt.Sprint(m.Executions)
}

// End prints the score.
func (t *Table) End(s Score) { t.print("\n%s\n", s.String()) }

func (t *Table) print(format string, args ...any) {
	if t.Err == nil {
		line := fmt.Sprintf(format, args...)
		_, t.Err = io.WriteString(t.Out, strings.TrimRight(line, " \n")+"\n")
	}
}
