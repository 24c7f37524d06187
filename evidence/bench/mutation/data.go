package mutation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/internal/atomicfile"
)

// Data holds the measurements of a subject.
type Data struct {
	Columns []Column
	Mutants []Mutant // in the order of packages, files and positions
}

// A Column is a way in which mutants were tested.
type Column struct {
	Name    string   `json:"name"` // of the way, or another one if the way has several columns
	Way     string   `json:"way"`
	Seconds float64  `json:"budget_seconds"` // of a mutant
	Seed    string   `json:"seed"`
	Go      string   `json:"go"`
	Notes   []string `json:"notes,omitempty"` // such as tests that were left out
}

// A Mutant is a planted defect and its results.
type Mutant struct {
	Package  string   `json:"package"`
	ID       string   `json:"id"` // within the package
	Operator string   `json:"operator"`
	File     string   `json:"file"`
	Line     int      `json:"line"` // in the current source; 0 if that no longer has the changed text
	Column   int      `json:"column"`
	Function string   `json:"function"`
	What     string   `json:"what"` // is changed
	Status   Status   `json:"status"`
	Trials   []Trial  `json:"trials,omitempty"` // in the order of the columns
	Tests    []string `json:"tests,omitempty"`  // that run over its line
}

// A Trial is a mutant tested in the way of a column.
type Trial struct {
	Column  string  `json:"column"`
	Outcome Outcome `json:"outcome"`
	By      string  `json:"by,omitempty"`   // the test that failed
	What    string  `json:"what,omitempty"` // how it failed
	Seconds float64 `json:"seconds"`
}

// A Status is the result of a mutant, as stress mutate names it.
type Status string

// The statuses of mutants.
const (
	Killed     Status = "killed"
	Survived   Status = "survived"
	Uncovered  Status = "uncovered"  // no test runs its line: it survives
	Untested   Status = "untested"   // no test that runs its line takes part in any way: it survives
	Equivalent Status = "equivalent" // the compiler makes the same instructions of it: dropped
	Invalid    Status = "invalid"    // it does not compile: dropped
	Errored    Status = "error"      // it could not be tested
)

var statuses = []Status{Killed, Survived, Uncovered, Untested, Equivalent, Invalid, Errored}

func (s Status) dropped() bool  { return s == Equivalent || s == Invalid }
func (s Status) survives() bool { return s == Survived || s == Uncovered || s == Untested }

// An Outcome is the outcome of a trial, as stress mutate names it.
type Outcome string

// The outcomes of trials.
const (
	TrialKilled   Outcome = "killed"
	TrialTimeout  Outcome = "timeout" // it did not end in time: counts as killed
	TrialSurvived Outcome = "survived"
	TrialNotRun   Outcome = "not-run" // no test that runs its line passes in this way without the mutant
	TrialError    Outcome = "error"
)

var outcomes = []Outcome{TrialKilled, TrialTimeout, TrialSurvived, TrialNotRun, TrialError}

func (o Outcome) kills() bool { return o == TrialKilled || o == TrialTimeout }

// ran reports whether the trial ran to a result.
func (o Outcome) ran() bool { return o.kills() || o == TrialSurvived }

// by returns the trial of a column, or nil.
func (m *Mutant) by(column string) *Trial {
	if i := slices.IndexFunc(m.Trials, func(t Trial) bool { return t.Column == column }); i >= 0 {
		return &m.Trials[i]
	}
	return nil
}

// killedBy reports whether the mutant was detected in the way of a column.
func (m *Mutant) killedBy(column string) bool {
	t := m.by(column)
	return t != nil && t.Outcome.kills()
}

// place returns the mutant's position in the current source, or says that the source has changed since.
func (m *Mutant) place() string {
	if m.Line == 0 {
		return escape(fmt.Sprintf("%s, %s, since changed", m.File, m.Function))
	}
	return fmt.Sprintf("%s:%d:%d", m.File, m.Line, m.Column)
}

// head is the first line of a data file.
type head struct {
	Columns []Column `json:"columns"`
}

// ReadData reads a data file. One that does not exist is empty.
func ReadData(file string) (d Data, err error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return d, nil
	}
	if err != nil {
		return d, err
	}
	number := 0
	for line := range bytes.Lines(text) {
		if number++; number == 1 {
			var h head
			if err = strict(line, &h); err == nil && len(h.Columns) == 0 {
				err = errors.New("found no columns")
			}
			d.Columns = h.Columns
		} else {
			var m Mutant
			if err = strict(line, &m); err == nil {
				err = d.check(&m)
			}
			d.Mutants = append(d.Mutants, m)
		}
		if err != nil {
			return d, fmt.Errorf("%s:%d: %w", file, number, err)
		}
	}
	return d, nil
}

// strict decodes a line and rejects unknown fields.
func strict(line []byte, v any) error {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	return decoder.Decode(v)
}

// check returns an error for a mutant that the page cannot count.
func (d *Data) check(m *Mutant) error {
	if !slices.Contains(statuses, m.Status) {
		return fmt.Errorf("found the status %q, want one of %q", m.Status, statuses)
	}
	if slices.ContainsFunc(d.Mutants, func(o Mutant) bool { return o.Package == m.Package && o.ID == m.ID }) {
		return fmt.Errorf("%s %s is there twice", m.Package, m.ID)
	}
	for _, t := range m.Trials {
		if !slices.Contains(outcomes, t.Outcome) {
			return fmt.Errorf("found the outcome %q, want one of %q", t.Outcome, outcomes)
		}
		if !slices.ContainsFunc(d.Columns, func(c Column) bool { return c.Name == t.Column }) {
			return fmt.Errorf("found a trial of the column %q, which there is not", t.Column)
		}
	}
	return nil
}

// Write replaces a data file.
func (d *Data) Write(file string) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(head{d.Columns}); err != nil {
		return err
	}
	for _, m := range d.Mutants {
		if err := encoder.Encode(m); err != nil {
			return err
		}
	}
	return atomicfile.Write(file, b.Bytes())
}

// sort puts the mutants in the order of packages, files and positions, and trials in that of the columns.
func (d *Data) sort() {
	slices.SortStableFunc(d.Mutants, func(a, b Mutant) int {
		if c := strings.Compare(a.Package, b.Package); c != 0 {
			return c
		}
		if c := strings.Compare(a.File, b.File); c != 0 {
			return c
		}
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		if a.Column != b.Column {
			return a.Column - b.Column
		}
		return strings.Compare(a.ID, b.ID)
	})
	at := map[string]int{}
	for i, c := range d.Columns {
		at[c.Name] = i
	}
	for i := range d.Mutants {
		slices.SortStableFunc(d.Mutants[i].Trials, func(a, b Trial) int { return at[a.Column] - at[b.Column] })
	}
}
