package rows

import (
	"context"
	"fmt"
	"sync"

	"github.com/rouse-go/rouse/evidence/bench/gopools"
	"github.com/rouse-go/rouse/evidence/bench/peers"
)

// external measures the cost of starting nearly empty jobs from outside, and of completing them.
func (s *Setup) external() (rows []peers.Row) {
	const (
		workers = 2
		perJob  = "ns/job"
	)
	for _, producers := range []int{1, 8} {
		each := s.Jobs / producers
		jobs := float64(each * producers)
		row := peers.Row{
			Name:    fmt.Sprintf("external-go/producers=%d", producers),
			About:   fmt.Sprintf("%d jobs that capture nothing and do next to nothing, from %s outside; %d workers. Until all are done.", s.Jobs, plural(producers, "goroutine"), workers),
			Metrics: []string{perJob},
			Contestants: []peers.Contestant{
				s.Rayon.turn("rayon", exactly(jobs), perJob, jobs, "spawn", workers, producers, s.Jobs),
			},
		}
		for _, kind := range gopools.Kinds() {
			row.Contestants = append(row.Contestants, peers.Contestant{Name: kind.Name, Turn: func(ctx context.Context) (peers.Figures, error) {
				return on(workers, func() (peers.Figures, error) {
					p, err := kind.New(workers)
					if err != nil {
						return nil, err
					}
					return timed(perJob, jobs, func() error {
						var all sync.WaitGroup
						for range producers {
							all.Go(func() { p.Flood(each) })
						}
						all.Wait()
						p.Wait()
						return nil
					})
				})(ctx)
			}})
		}
		what := fmt.Sprintf("external Go, %s", plural(producers, "producer"))
		row.Bounds = []peers.Bound{
			{What: what, Of: "rouse", Metric: perJob, Over: []string{"channel(1024)"}, Limit: 1.3},
			{What: what, Of: "rouse", Metric: perJob, Over: gopools.Libraries(), Limit: 1},
			{What: what, Of: "rouse", Metric: perJob, Over: []string{"rayon"}, Limit: 1},
		}
		rows = append(rows, row)
	}
	return rows
}
