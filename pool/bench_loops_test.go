package pool_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// BenchmarkIncrementAll is rayon-demo's increment_all (join_microbench.rs): a loop
// whose body is next to nothing, so that what is measured is the loop.
func BenchmarkIncrementAll(b *testing.B) {
	s := make([]uint, 100*1024)
	increment := func(_ *pool.Worker, e *uint) { *e++ }
	b.Run("sequential", func(b *testing.B) {
		for b.Loop() {
			for i := range s {
				increment(nil, &s[i])
			}
		}
	})
	for _, workers := range []int{1, 2} {
		for name, opts := range map[string][]pool.LoopOption{
			"default": nil, "MinLen=1024": {pool.MinLen(1024)}, "MaxLen=100": {pool.MaxLen(100)}, "MaxLen=1": {pool.MaxLen(1)},
		} {
			b.Run(fmt.Sprintf("%s/workers=%d", name, workers), func(b *testing.B) {
				b.ReportAllocs()
				benchmarkPool(b, workers, func(b *testing.B, w *pool.Worker) {
					for b.Loop() {
						pool.ForEach(w, s, increment, opts...)
					}
				})
			})
		}
	}
}

// BenchmarkSort sorts a million random numbers, with Sort and with the standard library.
func BenchmarkSort(b *testing.B) {
	const n = 1_000_000
	input := make([]int, n)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range input {
		input[i] = rng.Int()
	}
	s := make([]int, n)
	sorts := map[string]struct {
		sequential func()
		parallel   func(w *pool.Worker)
	}{
		"Sort":           {func() { slices.Sort(s) }, func(w *pool.Worker) { pool.Sort(w, s) }},
		"SortFunc":       {func() { slices.SortFunc(s, cmp.Compare[int]) }, func(w *pool.Worker) { pool.SortFunc(w, s, cmp.Compare[int]) }},
		"SortStableFunc": {func() { slices.SortStableFunc(s, cmp.Compare[int]) }, func(w *pool.Worker) { pool.SortStableFunc(w, s, cmp.Compare[int]) }},
	}
	for _, name := range []string{"Sort", "SortFunc", "SortStableFunc"} {
		b.Run(name+"/slices", func(b *testing.B) {
			for b.Loop() {
				copy(s, input)
				sorts[name].sequential()
			}
		})
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", name, workers), func(b *testing.B) {
				benchmarkPool(b, workers, func(b *testing.B, w *pool.Worker) {
					for b.Loop() {
						copy(s, input)
						sorts[name].parallel(w)
					}
				})
			})
		}
	}
}

// BenchmarkForEachSeq measures the bridge, with bodies that are next to nothing, and
// with bodies of about a microsecond.
func BenchmarkForEachSeq(b *testing.B) {
	const n = 10_000
	var sink atomic.Int64
	for name, rounds := range map[string]int{"cheap": 1, "microsecond": 1000} {
		body := func(_ *pool.Worker, i int) {
			x := uint64(i)
			for range rounds {
				x = x*6364136223846793005 + 1442695040888963407
			}
			if x == 1 {
				sink.Add(1)
			}
		}
		b.Run(name+"/sequential", func(b *testing.B) {
			for b.Loop() {
				for i := range count(n, nil) {
					body(nil, i)
				}
			}
		})
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", name, workers), func(b *testing.B) {
				b.ReportAllocs()
				benchmarkPool(b, workers, func(b *testing.B, w *pool.Worker) {
					for b.Loop() {
						pool.ForEachSeq(w, count(n, nil), body)
					}
				})
			})
		}
	}
}
