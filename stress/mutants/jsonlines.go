package mutants

import (
	"encoding/json"
	"io"

	"github.com/rouse-go/rouse/stress/internal/report"
)

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
