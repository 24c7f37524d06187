package bursts

// A Record is a result as it is written for machines: a line of JSON.
type Record struct {
	Schema     int       `json:"schema"` // 1
	Kind       string    `json:"kind"`   // "burst"
	Machine    string    `json:"machine"`
	Mode       Mode      `json:"sender"`
	Receivers  int       `json:"receivers"`
	Messages   int       `json:"messages"`
	Contestant string    `json:"contestant"`
	Bursts     int       `json:"bursts"`
	Sent       int       `json:"sent"`
	P1         float64   `json:"p1_ns"`
	P10        float64   `json:"p10_ns"`
	P50        float64   `json:"p50_ns"`
	P90        float64   `json:"p90_ns"`
	P99        float64   `json:"p99_ns"`
	Mean       float64   `json:"mean_ns"`
	StdDev     *float64  `json:"stddev_ns"`  // null if there is only one message
	Medians    []float64 `json:"medians_ns"` // of each round
}

// A ClaimRecord is a claim as it is written for machines.
type ClaimRecord struct {
	Schema  int    `json:"schema"` // 1
	Kind    string `json:"kind"`   // "claim"
	Machine string `json:"machine"`
	Mode    Mode   `json:"sender"`
	Subject string `json:"subject"`
	Says    string `json:"says"`
	Rule    string `json:"rule"`
	Figures string `json:"figures"`
	Holds   bool   `json:"holds"`
}

// Records returns results and claims for machines.
func Records(machine string, results []*Result, claims []Claim) (records []any) {
	for _, r := range results {
		all := r.All()
		sorted := all.Sorted()
		record := Record{
			Schema: 1, Kind: "burst", Machine: machine, Mode: r.Mode, Receivers: r.Spec.Receivers, Messages: r.Spec.Messages,
			Contestant: r.Contestant.Name, Bursts: r.Bursts, Sent: r.Sent,
			P1: sorted.Quantile(0.01), P10: sorted.Quantile(0.1), P50: sorted.Quantile(0.5), P90: sorted.Quantile(0.9), P99: sorted.Quantile(0.99),
			Mean: all.Mean(), Medians: r.medians(),
		}
		if deviation := all.StdDev(); len(all) > 1 {
			record.StdDev = &deviation
		}
		records = append(records, record)
	}
	for _, c := range claims {
		records = append(records, ClaimRecord{1, "claim", machine, c.Mode, c.Subject, c.Says, c.Rule, c.Figures, c.Holds})
	}
	return records
}
