package rows

import (
	"context"
	"fmt"

	"github.com/rouse-go/rouse/evidence/bench/peers"
	"github.com/rouse-go/rouse/evidence/bench/rayondemo"
	"github.com/rouse-go/rouse/pool"
)

// increment measures rayon-demo's increment_all: a loop over 102,400 counters, in leaves as the
// splitter makes them, and in leaves of one.
func (s *Setup) increment() (rows []peers.Row) {
	const (
		workers = 2
		perLoop = "ns/loop"
	)
	times := s.IncrementTimes
	right := exactly(float64(rayondemo.Counters * (times + 1)))
	for _, c := range []struct {
		name    string
		longest int
		options []pool.LoopOption
		limit   float64 // 0: none
	}{
		{name: "increment-all"},
		{name: "increment-all-atomized", longest: 1, options: []pool.LoopOption{pool.MaxLen(1)}, limit: 0.5},
	} {
		row := peers.Row{
			Name:    c.name,
			About:   fmt.Sprintf("%s of rayon-demo: %d counters, %d workers; each loop enters the pool from outside.", c.name, rayondemo.Counters, workers),
			Metrics: []string{perLoop},
			Contestants: []peers.Contestant{
				s.Rayon.turn("rayon", right, perLoop, float64(times), "increment", workers, rayondemo.Counters, c.longest, times),
				{Name: "rouse", Turn: func(ctx context.Context) (peers.Figures, error) {
					all := rayondemo.NewIncrementAll(c.options...)
					figures, err := again("", workers, times, perLoop, float64(times), all.Run).Turn(ctx)
					if err == nil {
						err = right(float64(sum(all.Counters)))
					}
					return figures, err
				}},
				sequentialIncrement(times, perLoop, right),
			},
		}
		if c.limit > 0 {
			row.Bounds = []peers.Bound{{What: c.name, Of: "rouse", Metric: perLoop, Over: []string{"rayon"}, Limit: c.limit}}
		}
		rows = append(rows, row)
	}
	return rows
}

// sequentialIncrement is the loop without a pool.
func sequentialIncrement(times int, metric string, right func(float64) error) peers.Contestant {
	return peers.Contestant{Name: "sequential Go", Turn: on(1, func() (peers.Figures, error) {
		counters := make([]uint, rayondemo.Counters)
		once := func() {
			for i := range counters {
				counters[i]++
			}
		}
		once()
		figures, err := timed(metric, float64(times), func() error {
			for range times {
				once()
			}
			return nil
		})
		if err == nil {
			err = right(float64(sum(counters)))
		}
		return figures, err
	})}
}

func sum(counters []uint) (sum uint) {
	for _, c := range counters {
		sum += c
	}
	return sum
}
