package report

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/rouse-go/rouse/internal/plain"
)

// SchemaVersion is the version of the lines that JSONLines writes.
const SchemaVersion = 1

// JSONLines is an Observer that writes a run for machines: one JSON object a line, each line in one write. The kinds
// are campaign, scenario, failure, sample and end; for tests, suite, package, test, failure and end; for mutants,
// mutation, package, mutant and end. Seeds are strings: a number would lose bits in some readers. After an error it
// writes no more; Err returns it.
type JSONLines struct {
	out io.Writer
	err error
}

// NewJSONLines returns a JSONLines that writes to out.
func NewJSONLines(out io.Writer) *JSONLines { return &JSONLines{out: out} }

// Err returns the first write error.
func (j *JSONLines) Err() error { return j.err }

// Observe writes the lines of the event.
func (j *JSONLines) Observe(e Event) {
	for _, v := range e.lines() {
		if j.err != nil {
			return
		}
		var line []byte
		if line, j.err = json.Marshal(v); j.err == nil {
			_, j.err = io.WriteString(j.out, plain.Text(string(line))+"\n")
		}
	}
}

// A Line begins every line.
type Line struct {
	Schema int    `json:"schema"`
	Kind   string `json:"kind"`
}

func kind(k string) Line { return Line{SchemaVersion, k} }

// HexSeed formats a seed for reports: a number would lose bits in some readers.
func HexSeed(seed uint64) string { return fmt.Sprintf("%#x", seed) }

// Seconds returns a duration of s seconds.
func Seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// now returns the time in the form of the lines.
func now() string { return time.Now().UTC().Format(time.RFC3339) }

// A packageLine is the line "package".
type packageLine struct {
	Line
	Package string   `json:"package"`
	Problem string   `json:"problem,omitempty"`
	Notes   []string `json:"notes,omitempty"`
}

func (p *PackageReport) lines() []any {
	return []any{packageLine{kind("package"), p.Package, p.Problem, p.Notes}}
}
