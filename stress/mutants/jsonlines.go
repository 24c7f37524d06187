package mutants

import (
	"encoding/json"
	"io"

	"github.com/rouse-go/rouse/stress"
)

// JSONLines writes outcomes for machines: one JSON object a line, each in one write,
// with the kinds trial and mutation-score. After an error it writes no more.
type JSONLines struct {
	Out io.Writer
	Err error // the first that writing met
}

type jsonLine struct {
	Schema int    `json:"schema"`
	Kind   string `json:"kind"`
}

func kind(k string) jsonLine { return jsonLine{stress.SchemaVersion, k} }

type jsonMedian struct {
	Strategy   string `json:"strategy"`
	Executions int    `json:"executions"`
	Capped     bool   `json:"capped,omitempty"`
	Series     int    `json:"series"`
	Kills      int    `json:"kills"`
	Complete   bool   `json:"complete,omitempty"`
	Bounded    string `json:"bounded,omitempty"`
}

type jsonFigure struct {
	Strategy   string `json:"strategy"`
	Executions int    `json:"executions"`
}

// Trial writes the line "trial".
func (j *JSONLines) Trial(o Outcome) {
	medians, published := []jsonMedian{}, []jsonFigure{}
	for _, m := range o.Medians {
		medians = append(medians, jsonMedian(m))
	}
	for _, f := range o.Trial.Published {
		published = append(published, jsonFigure(f))
	}
	ratio, _ := o.Ratio()
	best, _ := o.Best()
	said := string(o.Verdict)
	if o.Skipped() {
		said = "skipped"
	}
	j.write(struct {
		jsonLine
		Mutant     string       `json:"mutant"`
		About      string       `json:"about"`
		Package    string       `json:"package"`
		Program    string       `json:"program"`
		Verdict    string       `json:"verdict"`
		Expect     string       `json:"expect"`
		AsExpected bool         `json:"as_expected"`
		Note       string       `json:"note,omitempty"`
		Summary    string       `json:"summary,omitempty"`
		KilledBy   string       `json:"killed_by,omitempty"`
		Medians    []jsonMedian `json:"medians"`
		Published  []jsonFigure `json:"published"`
		Ratio      float64      `json:"ratio,omitempty"`
	}{kind("trial"), o.Mutant.Name, o.Mutant.About, o.Trial.Package, o.Trial.Program, said, string(o.Trial.Expect),
		o.AsExpected(), o.Trial.Note, o.Summary, best.Strategy, medians, published, ratio})
}

// End writes the line "mutation-score": without it the run did not come to its end.
func (j *JSONLines) End(s Score) {
	j.write(struct {
		jsonLine
		Killed     int      `json:"killed"`
		Mutants    int      `json:"mutants"`
		Survivors  []string `json:"survivors"`
		Equivalent int      `json:"equivalent"`
		Compared   int      `json:"compared"`
		Within     int      `json:"within"`
		AsExpected bool     `json:"as_expected"`
	}{kind("mutation-score"), s.Killed, s.Mutants, append([]string{}, s.Survivors...), s.Equivalent, s.Compared, s.Within, s.AsExpected()})
}

func (j *JSONLines) write(v any) {
	if j.Err != nil {
		return
	}
	line, err := json.Marshal(v)
	if err == nil {
		_, err = j.Out.Write(append(line, '\n'))
	}
	j.Err = err
}
