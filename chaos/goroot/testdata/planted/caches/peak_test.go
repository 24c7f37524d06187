package caches

import (
	"sync"
	"testing"
)

func TestPeak(t *testing.T) {
	for name, values := range map[string][]int64{"rising": {1, 2, 3}, "falling": {3, 2, 1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var p Peak
			var wg sync.WaitGroup
			for _, v := range values {
				wg.Go(func() { p.Observe(v) })
			}
			wg.Wait()
			if got := p.Value(); got != 3 {
				t.Errorf("the peak is %d, want 3", got)
			}
		})
	}
}
