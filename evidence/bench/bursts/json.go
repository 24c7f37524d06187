package bursts

import (
	"encoding/json"
	"math"

	"github.com/rouse-go/rouse/evidence/bench/measure"
)

// A Number is a float64 whose NaN is null in JSON: the median of no messages, the deviation of one.
type Number float64

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// A Record is a result as a line of JSON.
type Record struct {
	Schema     int      `json:"schema"` // 1
	Kind       string   `json:"kind"`   // "burst"
	Machine    string   `json:"machine"`
	Mode       Mode     `json:"sender"`
	Receivers  int      `json:"receivers"`
	Messages   int      `json:"messages"`
	Contestant string   `json:"contestant"`
	Bursts     int      `json:"bursts"`
	Sent       int      `json:"sent"`
	P1         Number   `json:"p1_ns"`
	P10        Number   `json:"p10_ns"`
	P50        Number   `json:"p50_ns"`
	P90        Number   `json:"p90_ns"`
	P99        Number   `json:"p99_ns"`
	Mean       Number   `json:"mean_ns"`
	StdDev     Number   `json:"stddev_ns"`
	Medians    []Number `json:"medians_ns"` // of each round
}

// A ClaimRecord is a claim as a line of JSON.
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

// Records returns results and claims as records.
func Records(machine string, results []*Result, claims []Claim) (records []any) {
	for _, r := range results {
		all := r.All()
		quantile := func(q float64) Number { return Number(all.Sorted().Quantile(q)) }
		records = append(records, Record{
			Schema: 1, Kind: "burst", Machine: machine, Mode: r.Mode, Receivers: r.Spec.Receivers, Messages: r.Spec.Messages,
			Contestant: r.Contestant.Name, Bursts: r.Bursts, Sent: r.Sent,
			P1: quantile(0.01), P10: quantile(0.1), P50: quantile(0.5), P90: quantile(0.9), P99: quantile(0.99),
			Mean: Number(all.Mean()), StdDev: Number(all.StdDev()), Medians: numbers(r.medians()),
		})
	}
	for _, c := range claims {
		records = append(records, ClaimRecord{1, "claim", machine, c.Mode, c.Subject, c.Says, c.Rule, c.Figures, c.Holds})
	}
	return records
}

func numbers(s measure.Series) []Number {
	n := make([]Number, len(s))
	for i, x := range s {
		n[i] = Number(x)
	}
	return n
}
