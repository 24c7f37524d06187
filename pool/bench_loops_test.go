package pool_test

import (
	"fmt"
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
