package rows

import (
	"fmt"
	"slices"

	"github.com/rouse-go/rouse/evidence/bench/peers"
	"github.com/rouse-go/rouse/pool"
)

const perSort = "ns/sort"

// quicksort measures rayon-demo's quicksort: the same partition on both sides, and leaves of 5,120.
func (s *Setup) quicksort() []peers.Row {
	const workers = 2
	return []peers.Row{{
		Name:    "quicksort",
		About:   fmt.Sprintf("quicksort of rayon-demo: %d numbers of 64 bits, %d workers.", s.Sort, workers),
		Metrics: []string{perSort},
		Contestants: []peers.Contestant{
			s.Rayon.turn("rayon", s.sorted, perSort, 1, "quicksort", workers, s.Sort),
			s.sorting("rouse", workers, func(w *pool.Worker, v []uint64) { parallelQuicksort.Call(w, v) }),
			s.sorting("sequential Go", 1, func(_ *pool.Worker, v []uint64) { sequentialQuicksort(v) }),
		},
		Bounds: []peers.Bound{{What: "quicksort of 10 M", Of: "rouse", Metric: perSort, Over: []string{"rayon"}, Limit: 1.1}},
	}}
}

// sorting returns a contestant that sorts numbers(s.Sort).
func (s *Setup) sorting(name string, workers int, sort func(w *pool.Worker, v []uint64)) peers.Contestant {
	return peers.Contestant{Name: name, Turn: inPool(workers, func(p *pool.Pool) (peers.Figures, error) {
		if err := run(p, func(w *pool.Worker) { sort(w, numbers(min(s.Sort, 20_000))) }); err != nil {
			return nil, err
		}
		v := numbers(s.Sort)
		figures, err := timed(perSort, 1, func() error { return run(p, func(w *pool.Worker) { sort(w, v) }) })
		if err == nil && !slices.IsSorted(v) {
			err = fmt.Errorf("not sorted")
		}
		if err == nil {
			err = s.sorted(float64(v[len(v)/2] >> 11))
		}
		return figures, err
	})}
}

// numbers returns n numbers of Steele's splitmix64, from state 0.
func numbers(n int) []uint64 {
	v, state := make([]uint64, n), uint64(0)
	for i := range v {
		state += 0x9e3779b97f4a7c15
		z := state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		v[i] = z ^ z>>31
	}
	return v
}

// sorted checks the middle of the sorted numbers, cut off to the bits that a float64 holds.
func (s *Setup) sorted(got float64) error {
	if s.middle == 0 {
		v := numbers(s.Sort)
		slices.Sort(v)
		s.middle = float64(v[s.Sort/2] >> 11)
	}
	return exactly(s.middle)(got)
}

var parallelQuicksort = pool.NewFn(func(quicksort *pool.Fn[[]uint64, struct{}], w *pool.Worker, v []uint64) (nothing struct{}) {
	if len(v) <= 5*1024 {
		sequentialQuicksort(v)
		return nothing
	}
	mid := partition(v)
	quicksort.Join(w, v[:mid], v[mid:])
	return nothing
})

func sequentialQuicksort(v []uint64) {
	if len(v) <= 1 {
		return
	}
	mid := partition(v)
	sequentialQuicksort(v[:mid])
	sequentialQuicksort(v[mid:])
}

// partition is Lomuto's, with the last element as the pivot, as in rayon-demo.
func partition(v []uint64) int {
	pivot := len(v) - 1
	i := 0
	for j := range pivot {
		if v[j] <= v[pivot] {
			v[i], v[j] = v[j], v[i]
			i++
		}
	}
	v[i], v[pivot] = v[pivot], v[i]
	return i
}
