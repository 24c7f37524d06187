package queues

import (
	"fmt"
	"sync"
	"testing"
)

func TestRingDrops(t *testing.T) {
	for _, n := range []int{1, 3} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			r := NewRing(n)
			var wg sync.WaitGroup
			for i := range n + 1 {
				wg.Add(1)
				go func() {
					defer wg.Done()
					r.Offer(fmt.Sprint(i))
				}()
			}
			wg.Wait()
			if got := r.Events(); len(got) != n {
				t.Errorf("kept %q, want %d events", got, n)
			}
		})
	}
}
