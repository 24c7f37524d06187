package mutation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
)

// A line is a line of a JSON report of stress mutate. It has the fields of all kinds that Merge reads.
type line struct {
	Schema  int    `json:"schema"`
	Kind    string `json:"kind"`
	Problem string `json:"problem"` // of a package

	Ways          []string `json:"ways"` // of the run
	BudgetSeconds float64  `json:"budget_seconds"`
	Seed          string   `json:"seed"`
	Go            string   `json:"go"`

	Package  string   `json:"package"`
	Notes    []string `json:"notes"`
	ID       string   `json:"id"`
	Operator string   `json:"operator"`
	File     string   `json:"file"`
	At       int      `json:"line"`
	Column   int      `json:"column"`
	Function string   `json:"function"`
	What     string   `json:"what"`
	Status   Status   `json:"status"`
	Tests    []string `json:"tests"`
	Trials   []struct {
		Way     string  `json:"way"`
		Outcome Outcome `json:"outcome"`
		By      string  `json:"by"`
		What    string  `json:"what"`
		Seconds float64 `json:"seconds"`
	} `json:"trials"`
}

// schema is the version of the reports that Merge reads.
const schema = 1

// Merge adds a report of stress mutate --json. Its ways become columns; as maps the name of a way to the
// name of its column, for a way that has several. A trial replaces that of the same mutant and column.
func (d *Data) Merge(report string, as map[string]string) error {
	text, err := os.ReadFile(report)
	if err != nil {
		return err
	}
	m := merger{Data: d, columns: map[string]string{}}
	number := 0
	for one := range bytes.Lines(text) {
		number++
		var l line
		if err := json.Unmarshal(one, &l); err != nil {
			return fmt.Errorf("%s:%d: %w", report, number, err)
		}
		if err := m.take(&l, as); err != nil {
			return fmt.Errorf("%s:%d: %w", report, number, err)
		}
	}
	if len(m.columns) == 0 {
		return fmt.Errorf("%s: found no line of the kind mutation, want a report of stress mutate --json", report)
	}
	d.sort()
	return nil
}

// A merger adds one report.
type merger struct {
	*Data
	columns map[string]string // by way
}

func (m *merger) take(l *line, as map[string]string) error {
	if l.Schema != schema {
		return fmt.Errorf("found schema %d, want %d", l.Schema, schema)
	}
	switch l.Kind {
	case "mutation":
		for _, way := range l.Ways {
			name := as[way]
			if name == "" {
				name = way
			}
			m.columns[way] = name
			m.begin(Column{Name: name, Way: way, Seconds: l.BudgetSeconds, Seed: l.Seed, Go: l.Go})
		}
		for way := range as {
			if m.columns[way] == "" {
				return fmt.Errorf("it has the ways %q, and not %q", l.Ways, way)
			}
		}
	case "package":
		if l.Problem != "" {
			return fmt.Errorf("%s could not be tested: %s", l.Package, l.Problem)
		}
		m.note(l.Notes)
	case "mutant":
		return m.mutant(l)
	}
	return nil
}

// begin replaces the column of the same name, or adds c.
func (m *merger) begin(c Column) {
	if i := slices.IndexFunc(m.Columns, func(o Column) bool { return o.Name == c.Name }); i >= 0 {
		m.Columns[i] = c
		return
	}
	m.Columns = append(m.Columns, c)
}

// note adds notes to the first column of the report.
func (m *merger) note(notes []string) {
	for i := range m.Columns {
		c := &m.Columns[i]
		if m.columns[c.Way] == c.Name {
			c.Notes = append(c.Notes, notes...)
			return
		}
	}
}

func (m *merger) mutant(l *line) error {
	switch {
	case !slices.Contains(statuses, l.Status):
		return fmt.Errorf("found the status %q, want one of %q", l.Status, statuses)
	case l.Package == "" || l.ID == "" || l.Operator == "" || l.File == "" || l.At == 0 || l.What == "":
		return errors.New("found a mutant without a package, an ID, an operator, a place or a change")
	}
	i := slices.IndexFunc(m.Mutants, func(o Mutant) bool { return o.Package == l.Package && o.ID == l.ID })
	if i < 0 {
		i = len(m.Mutants)
		m.Mutants = append(m.Mutants, Mutant{Package: l.Package, ID: l.ID})
	}
	one := &m.Mutants[i]
	one.Operator, one.File, one.Line, one.Column, one.Function, one.What = l.Operator, l.File, l.At, l.Column, l.Function, l.What
	if len(l.Tests) > 0 {
		one.Tests = l.Tests
	}
	for _, t := range l.Trials {
		name, ok := m.columns[t.Way]
		if !ok {
			return fmt.Errorf("found a trial of the way %q, which no line of the kind mutation has named", t.Way)
		}
		if !slices.Contains(outcomes, t.Outcome) {
			return fmt.Errorf("found the outcome %q, want one of %q", t.Outcome, outcomes)
		}
		one.Trials = slices.DeleteFunc(one.Trials, func(o Trial) bool { return o.Column == name })
		one.Trials = append(one.Trials, Trial{name, t.Outcome, t.By, t.What, t.Seconds})
	}
	one.decide(l.Status)
	return nil
}

// decide sets the status from a report's and from the trials of all reports. A dropped mutant stays dropped
// until it survives another run: no run compares the instructions of a mutant that it has killed.
func (m *Mutant) decide(reported Status) {
	has := func(is func(Outcome) bool) bool {
		return slices.ContainsFunc(m.Trials, func(t Trial) bool { return is(t.Outcome) })
	}
	switch {
	case reported.dropped():
		m.Status = reported
	case m.Status.dropped() && !reported.survives():
	case has(Outcome.kills):
		m.Status = Killed
	case has(Outcome.ran):
		m.Status = Survived
	default:
		m.Status = reported
	}
}
