package peers

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// Load returns results of an earlier run from its lines of JSON, for the rows that were
// measured in their current form: on the same machine, with the same contestants and sizes. It
// leaves out the others.
func Load(from io.Reader, machine string, rows []Row) (results []*Result, err error) {
	records := map[string]map[string]Record{} // by row and contestant
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var r Record
		head := struct {
			Schema int
			Kind   string
		}{}
		err := json.Unmarshal(lines.Bytes(), &head)
		switch {
		case err != nil:
		case head.Schema != schema:
			err = fmt.Errorf("schema %d, want %d", head.Schema, schema)
		case head.Kind != "turns":
			continue // verdicts are computed anew
		default:
			err = json.Unmarshal(lines.Bytes(), &r)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if r.Machine != machine {
			continue
		}
		if records[r.Row] == nil {
			records[r.Row] = map[string]Record{}
		}
		records[r.Row][r.Contestant] = r
	}
	for _, row := range rows {
		if result := row.from(records[row.Name]); result != nil {
			results = append(results, result)
		}
	}
	return results, lines.Err()
}

// from returns the result in records, or nil if they are of another row or incomplete.
func (r Row) from(records map[string]Record) *Result {
	if records == nil || len(records) != len(r.Contestants) {
		return nil
	}
	result := &Result{Row: r, Others: -1}
	for _, c := range r.Contestants {
		record, ok := records[c.Name]
		if !ok || record.About != r.About {
			return nil
		}
		result.Others = record.Others
		result.Took = append(result.Took, Taken{Contestant: c.Name, Out: record.Out, Rounds: record.Rounds})
	}
	return result
}

// Rounds returns the number of rounds of the row: the maximum of all contestants.
func (r *Result) Rounds() (most int) {
	for _, t := range r.Took {
		most = max(most, len(t.Rounds))
	}
	return most
}
