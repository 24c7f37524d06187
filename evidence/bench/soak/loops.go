package soak

import (
	"slices"

	"github.com/rouse-go/rouse/pool"
)

// loops divides the jobs among six loops, as their elements, and then computes with the results.
func loops(b *batch) {
	part := func(k int) (lo, hi int) { return b.n * k / 6, b.n * (k + 1) / 6 }
	b.inside(b.env.p, func(w *pool.Worker) {
		single := pool.MaxLen(1 + b.random.IntN(4))
		lo, hi := part(0)
		pool.For(w, hi-lo, func(_ *pool.Worker, i int) { b.run(lo + i) }, single)
		lo, hi = part(1)
		pool.ForRange(w, hi-lo, func(_ *pool.Worker, from, to int) {
			for i := from; i < to; i++ {
				b.run(lo + i)
			}
		})
		lo, hi = part(2)
		pool.ForEach(w, numbers(lo, hi), func(_ *pool.Worker, i *int) { b.run(*i) }, single)
		lo, hi = part(3)
		pool.ForEachSeq(w, slices.Values(numbers(lo, hi)), func(_ *pool.Worker, i int) { b.run(i) })
		lo, hi = part(4)
		b.results(w, pool.Map(w, numbers(lo, hi), func(_ *pool.Worker, i int) uint64 { return b.work(i) }, single), lo, hi)
		lo, hi = part(5)
		sum := pool.Fold(w, numbers(lo, hi), func() uint64 { return 0 },
			func(_ *pool.Worker, sum uint64, i int) uint64 { return sum + b.work(i) },
			func(_ *pool.Worker, x, y uint64) uint64 { return x + y }, single)
		b.wantSum("Fold", sum, lo, hi)
	})
}

func numbers(lo, hi int) []int {
	all := make([]int, hi-lo)
	for i := range all {
		all[i] = lo + i
	}
	return all
}

// results computes with the results of jobs lo to hi-1, and compares with package slices.
func (b *batch) results(w *pool.Worker, values []uint64, lo, hi int) {
	sum := pool.Reduce(w, values, 0, func(_ *pool.Worker, x, y uint64) uint64 { return x + y })
	b.wantSum("Map and Reduce", sum, lo, hi)
	odd := func(v uint64) bool { return v&1 == 1 }
	even := slices.DeleteFunc(slices.Clone(values), odd)
	if got := pool.Filter(w, values, func(_ *pool.Worker, v uint64) bool { return !odd(v) }); !slices.Equal(got, even) {
		b.defect(WrongResult, "Filter keeps %d of %d elements, not those %d that it should", len(got), len(values), len(even))
	}
	got, _ := pool.Find(w, values, func(_ *pool.Worker, v uint64) bool { return v%64 == 0 })
	if want := slices.IndexFunc(values, func(v uint64) bool { return v%64 == 0 }); got != want {
		b.defect(WrongResult, "Find: %d, want %d", got, want)
	}
	sorted := slices.Sorted(slices.Values(values))
	if stable := slices.Clone(values); b.random.IntN(2) == 0 {
		pool.SortStableFunc(w, stable, func(x, y uint64) int { return int(x>>60) - int(y>>60) })
		slices.SortStableFunc(values, func(x, y uint64) int { return int(x>>60) - int(y>>60) })
		if !slices.Equal(stable, values) {
			b.defect(WrongResult, "SortStableFunc of %d elements", len(values))
		}
	}
	if pool.Sort(w, values); !slices.Equal(values, sorted) {
		b.defect(WrongResult, "Sort of %d elements", len(values))
	}
}
