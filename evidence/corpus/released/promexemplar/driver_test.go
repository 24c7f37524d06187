package example

import (
	"sync"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

// A native histogram may be observed by two goroutines.
func TestObserve(t *testing.T) {
	h := prometheus.NewHistogram(prometheus.HistogramOpts{Name: "a", NativeHistogramBucketFactor: 1.1})
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			labels := prometheus.Labels{"id": "b"}
			h.(prometheus.ExemplarObserver).ObserveWithExemplar(float64(i+1), labels)
		})
	}
	wg.Wait()
}
