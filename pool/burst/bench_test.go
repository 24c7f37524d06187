package burst_test

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/rouse-go/rouse/pool/burst"
)

// What the sender does after Wake, and how long its receiver is given to fall asleep before
// Enqueue.
const (
	computing = 300 * time.Microsecond
	settling  = 100 * time.Microsecond
)

// BenchmarkLatency measures from before Enqueue to when the receiver has its message,
// and how long Wake takes. The sender then continues to compute, or blocks at once. A locked thread
// serves its receiver and nothing else.
func BenchmarkLatency(b *testing.B) {
	for _, sender := range []struct {
		name string
		then func()
	}{
		{"computes", func() { compute(computing) }},
		{"blocks", func() {}},
	} {
		b.Run("sender="+sender.name, func(b *testing.B) {
			for _, k := range kinds() {
				if len(k.threads) > 1 {
					continue
				}
				b.Run("receiver="+k.name, func(b *testing.B) { latency(b, &k, false, sender.then) })
				if k.threads[0] {
					b.Run("receiver=locked-"+k.name, func(b *testing.B) { latency(b, &k, true, sender.then) })
				}
			}
		})
	}
}

func latency(b *testing.B, k *kind, locked bool, then func()) {
	s := burst.NewSender[time.Time]()
	r, err := newReceiver(k, s)
	if err != nil {
		b.Fatal(err)
	}
	latencies := make(chan time.Duration, 1)
	go func() {
		defer close(latencies)
		if locked {
			runtime.LockOSThread()
		}
		for {
			sent, err := r.Receive()
			if err != nil {
				return
			}
			latencies <- time.Since(sent)
		}
	}()
	var all, wakes []time.Duration
	for b.Loop() {
		for s.Waiting() == 0 {
			runtime.Gosched()
		}
		compute(settling)
		if err := s.Enqueue(time.Now()); err != nil {
			b.Fatal(err)
		}
		begun := time.Now()
		s.Wake()
		wakes = append(wakes, time.Since(begun))
		then()
		all = append(all, <-latencies)
	}
	s.Close()
	<-latencies
	slices.Sort(all)
	slices.Sort(wakes)
	b.ReportMetric(0, "ns/op") // it is mostly compute
	b.ReportMetric(float64(all[len(all)/2]), "p50-ns")
	b.ReportMetric(float64(all[len(all)*9/10]), "p90-ns")
	b.ReportMetric(float64(all[len(all)*99/100]), "p99-ns")
	b.ReportMetric(float64(wakes[len(wakes)/2]), "p50-wake-ns")
}

// compute does not yield.
func compute(d time.Duration) {
	for begun := time.Now(); time.Since(begun) < d; {
	}
}
