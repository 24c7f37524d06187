package mutants

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/plain"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// A table prints outcomes for people, a line for each trial.
type table struct {
	out  io.Writer
	last string // mutant
}

// columnHeads are the strategies with a column; "dfs" is for all bounds.
var columnHeads = append(slices.Clone(usual), "dfs")

func (t *table) head() error {
	medians := ""
	for _, by := range columnHeads {
		medians += fmt.Sprintf("%9s", by)
	}
	_, err := fmt.Fprintf(t.out, "MUTANT, and each program that runs on it\n%s", row("", "VERDICT", "KILLED BY", medians, "PUBLISHED", "RATIO"))
	return err
}

func row(program, verdict, killer, medians, published, ratio string) string {
	line := fmt.Sprintf("  %-40s %-17s %-9s %s%11s %s", program, verdict, killer, medians, published, ratio)
	return strings.TrimRight(line, " ") + "\n"
}

func (t *table) row(o outcome) error {
	text := ""
	if o.mutant.name != t.last {
		t.last = o.mutant.name
		text = wrap(o.mutant.name + ": " + o.mutant.about)
	}
	said := string(o.Verdict)
	switch {
	case o.skipped():
		said = "(takes long)"
	case !o.asExpected():
		said += " (!)"
	}
	killer, published, ratio := "", "", ""
	if best, ok := o.best(); ok {
		killer = best.Strategy
	} else if o.Verdict != verdict.Pass {
		killer = "(rarely)"
	}
	if best, ok := fewest(o.Published); ok {
		published = fmt.Sprint(best.Executions)
	}
	if r, ok := o.ratio(); ok {
		ratio = fmt.Sprintf("%.2g", r)
	}
	_, err := io.WriteString(t.out, text+row(o.Package+" "+o.Program, said, killer, o.medians(), published, ratio))
	return err
}

// medians returns the columns of the strategies.
func (o *outcome) medians() string {
	text := ""
	for _, by := range columnHeads {
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

// String returns the number of executions, with > before it if half of the series needed more. It returns
// "all" if an exhaustive search found nothing, or "bounded" if that search left something out.
func (m median) String() string {
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

func (t *table) end(s score) error {
	_, err := io.WriteString(t.out, "\n"+wrap(s.String()))
	return err
}

// wrap breaks long lines.
func wrap(text string) string {
	wrapped := ""
	for line := range strings.Lines(text + "\n") {
		wrapped += plain.Wrap(strings.TrimSuffix(line, "\n"), 100, "    ") + "\n"
	}
	return wrapped
}

type jsonHead struct {
	Schema int    `json:"schema"`
	Kind   string `json:"kind"`
}

// writeTrial writes the line "trial" of a report in JSON lines.
func writeTrial(out io.Writer, o outcome) error {
	best, _ := o.best()
	ratio, _ := o.ratio()
	expected := o.asExpected()
	if o.skipped() {
		o.Verdict = "skipped"
	}
	return writeLine(out, struct {
		jsonHead
		Mutant string `json:"mutant"`
		About  string `json:"about"`
		outcome
		AsExpected bool    `json:"as_expected"`
		KilledBy   string  `json:"killed_by,omitempty"`
		Ratio      float64 `json:"ratio,omitempty"`
	}{jsonHead{report.SchemaVersion, "trial"}, o.mutant.name, o.mutant.about, o, expected, best.Strategy, ratio})
}

// writeScore writes the last line, "mutation-score"; a report without it is incomplete.
func writeScore(out io.Writer, s score) error {
	return writeLine(out, struct {
		jsonHead
		score
		AsExpected bool `json:"as_expected"`
	}{jsonHead{report.SchemaVersion, "mutation-score"}, s, s.asExpected()})
}

// writeLine writes v in one write.
func writeLine(out io.Writer, v any) error {
	line, err := json.Marshal(v)
	if err == nil {
		_, err = out.Write(append(line, '\n'))
	}
	return err
}
