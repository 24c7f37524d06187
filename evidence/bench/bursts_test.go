package bench

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/evidence/bench/bursts"
)

// BenchmarkBurst reports how old messages are at their receivers: the median and the
// 99th percentile. (The time of an operation, 20 bursts and the pauses after them, would
// say nothing.)
func BenchmarkBurst(b *testing.B) {
	for _, mode := range []bursts.Mode{bursts.Blocks, bursts.Computes} {
		for _, spec := range bursts.Specs() {
			for _, c := range bursts.Supported(bursts.Contestants()) {
				b.Run(fmt.Sprintf("sender=%s/receivers=%d/messages=%d/line=%s", mode, spec.Receivers, spec.Messages, strings.ReplaceAll(c.Name, " ", "-")), func(b *testing.B) {
					plan := bursts.Plan{Mode: mode, Bursts: 20, Rounds: 1, Pause: 5 * time.Millisecond}
					var all bursts.Result
					for b.Loop() {
						results, err := plan.Run(context.Background(), []bursts.Spec{spec}, []bursts.Contestant{c})
						if err != nil {
							b.Fatal(err)
						}
						all.Rounds = append(all.Rounds, results[0].Rounds...)
					}
					sorted := all.All().Sorted()
					b.ReportMetric(0, "ns/op")
					b.ReportMetric(sorted.Quantile(0.5), "p50-ns")
					b.ReportMetric(sorted.Quantile(0.99), "p99-ns")
				})
			}
		}
	}
}
