package rows

import (
	"fmt"
	"slices"

	"github.com/rouse-go/rouse/evidence/bench/peers"
	"github.com/rouse-go/rouse/pool"
)

// sort compares the library's sort with the standard library's.
func (s *Setup) sort() []peers.Row {
	const workers = 2
	return []peers.Row{{
		Name:    "sort",
		About:   fmt.Sprintf("pool.Sort of %d numbers of 64 bits, %d workers.", s.Sort, workers),
		Metrics: []string{perSort},
		Contestants: []peers.Contestant{
			s.sorting("slices.Sort", workers, func(_ *pool.Worker, v []uint64) { slices.Sort(v) }),
			s.sorting("rouse Sort", workers, func(w *pool.Worker, v []uint64) { pool.Sort(w, v) }),
		},
		Bounds: []peers.Bound{{What: "Sort of 10 M: times as fast", Of: "rouse Sort", Metric: perSort, Over: []string{"slices.Sort"}, How: peers.AtLeast, Limit: 1.8}},
	}}
}
