package bench

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/rouse-go/rouse/evidence/bench/measure"
	"github.com/rouse-go/rouse/evidence/bench/rayondemo"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
)

// BenchmarkDemo runs rayon-demo's workloads under each strategy that loses no job.
// Besides the time it reports the processor time of the process.
func BenchmarkDemo(b *testing.B) {
	for _, demo := range rayondemo.All() {
		workers := runtime.GOMAXPROCS(0)
		if demo.Trickle {
			workers = 8
		}
		for _, v := range sleep.Variants() {
			if v.Lossy {
				continue
			}
			b.Run(fmt.Sprintf("demo=%s/sleep=%s", demo.Name, v.Name), func(b *testing.B) {
				p, err := pool.New(workers, pool.WithSleep(v.Options...), pool.WithSharedForks())
				if err != nil {
					b.Fatal(err)
				}
				defer p.Close(context.Background())
				iterate := demo.New()
				before := measure.CPU()
				for b.Loop() {
					if err := iterate(p); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(measure.CPU()-before)/float64(b.N), "cpu-ns/op")
			})
		}
	}
}
