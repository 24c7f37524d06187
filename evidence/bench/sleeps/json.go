package sleeps

// A Record is a row as a line of JSON. All series have a figure for each round,
// for one iteration; times are in nanoseconds.
type Record struct {
	Schema     int       `json:"schema"` // 1
	Kind       string    `json:"kind"`   // "sleep"
	Machine    string    `json:"machine"`
	Comparison string    `json:"comparison"`
	Demo       string    `json:"demo"`
	Sleep      string    `json:"sleep"`
	Workers    int       `json:"workers"`
	Iterations int       `json:"iterations"` // of a turn
	Wall       []float64 `json:"wall_ns"`
	CPU        []float64 `json:"cpu_ns"`
	Sleeps     []float64 `json:"sleeps"`
	Wakes      []float64 `json:"wakes"`
	Rescues    []float64 `json:"rescues"` // in the whole of a round: 0 unless a job was lost
}

// Records returns the rows as records.
func (t *Table) Records(machine string) (records []any) {
	for _, r := range t.Rows {
		records = append(records, Record{1, "sleep", machine, t.Comparison.Name, t.Demo.Name, r.Config.Name,
			t.Workers, t.Iterations, r.Wall, r.CPU, r.Sleeps, r.Wakes, r.Rescues})
	}
	return records
}
