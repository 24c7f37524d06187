package rows

import (
	"fmt"

	"github.com/rouse-go/rouse/evidence/bench/peers"
	"github.com/rouse-go/rouse/evidence/bench/rayondemo"
	"github.com/rouse-go/rouse/pool"
)

// joinRecursively measures rayon-demo's complete tree of joins with empty leaves.
func (s *Setup) joinRecursively() []peers.Row {
	const workers = 2
	right, joins := exactly(rayondemo.Depth), float64(s.JoinTimes)*rayondemo.Joins
	return []peers.Row{{
		Name:    "join-recursively",
		About:   fmt.Sprintf("join_recursively(%d) of rayon-demo, %d workers; each tree enters the pool from outside.", rayondemo.Depth, workers),
		Metrics: []string{perJoin},
		Contestants: []peers.Contestant{
			s.Rayon.turn("rayon", right, perJoin, joins, "join", workers, rayondemo.Depth, s.JoinTimes),
			again("rouse Fn.Join", workers, s.JoinTimes, perJoin, joins, rayondemo.JoinRecursivelyFn),
			again("rouse closures", workers, s.JoinTimes, perJoin, joins, rayondemo.JoinRecursively),
		},
		Bounds: []peers.Bound{
			{What: "join_recursively(16), typed join", Of: "rouse Fn.Join", Metric: perJoin, Over: []string{"rayon"}, Limit: 0.6},
		},
	}}
}

// again returns a contestant that calls once to warm up, and then a number of times.
func again(name string, workers, times int, metric string, n float64, once func(p *pool.Pool) error) peers.Contestant {
	return peers.Contestant{Name: name, Turn: inPool(workers, func(p *pool.Pool) (peers.Figures, error) {
		if err := once(p); err != nil {
			return nil, err
		}
		return timed(metric, n, func() error {
			for range times {
				if err := once(p); err != nil {
					return err
				}
			}
			return nil
		})
	})}
}
