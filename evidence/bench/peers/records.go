package peers

import (
	"fmt"
	"strings"
)

// A Record holds the figures of one contestant of a row: a line of JSON.
type Record struct {
	Schema     int       `json:"schema"`
	Kind       string    `json:"kind"` // "turns"
	Machine    string    `json:"machine"`
	Row        string    `json:"row"`
	About      string    `json:"about"`  // with its sizes
	Others     float64   `json:"others"` // the share of the machine that other programs took, -1 if that is not known
	Contestant string    `json:"contestant"`
	Out        string    `json:"out,omitempty"` // why there are no rounds
	Rounds     []Figures `json:"rounds"`
}

// A Verdict is the result of a bound: a line of JSON.
type Verdict struct {
	Schema     int       `json:"schema"`
	Kind       string    `json:"kind"` // "verdict"
	Row        string    `json:"row"`
	What       string    `json:"what"`
	Of         string    `json:"of"`
	Bound      string    `json:"bound"`
	Unmeasured string    `json:"unmeasured,omitempty"` // why there is no verdict
	Holds      bool      `json:"holds"`
	Near       bool      `json:"near"`
	Rounds     []float64 `json:"rounds"` // the judged values
}

// schema is the version of the format.
const schema = 1

// Records returns the lines of JSON of a row.
func (r *Result) Records(machine string) (records []any) {
	for _, t := range r.Took {
		records = append(records, Record{schema, "turns", machine, r.Row.Name, r.Row.About, r.Others, t.Contestant, t.Out, t.Rounds})
	}
	for _, b := range r.Row.Bounds {
		j := r.Judge(b)
		records = append(records, Verdict{schema, "verdict", r.Row.Name, b.What, b.Of, b.String(), j.Unmeasured, j.Holds, j.Near, j.Rounds})
	}
	return records
}

// Benchstat returns the row as lines of a benchmark, one for each turn:
// benchstat -col /who compares contestants.
func (r *Result) Benchstat() string {
	var b strings.Builder
	for _, t := range r.Took {
		for _, figures := range t.Rounds {
			fmt.Fprintf(&b, "BenchmarkPeers/row=%s/who=%s 1", r.Row.Name, strings.ReplaceAll(t.Contestant, " ", "-"))
			for _, metric := range r.Row.Metrics {
				if x, ok := figures[metric]; ok {
					fmt.Fprintf(&b, " %g %s", x, metric)
				}
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}
