package rows

import (
	"fmt"
	"time"

	"github.com/rouse-go/rouse/evidence/bench/peers"
	"github.com/rouse-go/rouse/pool"
)

// visit measures the round trip of a visit to the pool from outside: Run, rayon's install.
func (s *Setup) visit() (rows []peers.Row) {
	const workers = 2
	for _, v := range []struct {
		name   string
		about  string
		quiet  time.Duration
		visits int
	}{
		{"sleeping", fmt.Sprintf("after a sleep of %v", s.Quiet), s.Quiet, s.Wakes},
		{"back-to-back", "one after the other", 0, s.Visits},
	} {
		rows = append(rows, peers.Row{
			Name:    "run/" + v.name,
			About:   fmt.Sprintf("Run of a job that is nothing, from outside, there and back, %s; %d workers.", v.about, workers),
			Metrics: []string{p50, p99},
			Contestants: []peers.Contestant{
				s.Rayon.turns("rayon", exactly(float64(v.visits)), latencies, "install", workers, v.visits, int(v.quiet)),
				{Name: "rouse", Turn: inPool(workers, func(p *pool.Pool) (peers.Figures, error) {
					figures, visits := make([]float64, v.visits), 0
					for i := range figures {
						if v.quiet > 0 {
							time.Sleep(v.quiet)
						}
						start := time.Now()
						if err := run(p, func(*pool.Worker) { visits++ }); err != nil {
							return nil, err
						}
						figures[i] = float64(time.Since(start))
					}
					if err := exactly(float64(v.visits))(float64(visits)); err != nil {
						return nil, err
					}
					return latencies(figures)
				})},
			},
			Bounds: []peers.Bound{
				{What: "Run, there and back, " + v.name + ": p50", Of: "rouse", Metric: p50, Over: []string{"rayon"}, Limit: 1},
			},
		})
	}
	return rows
}
