package example

import (
	"sync"
	"testing"

	"github.com/Workiva/go-datastructures/queue"
)

// Two items are offered to a buffer that has room for eight.
func TestOfferWithRoom(t *testing.T) {
	ring := queue.NewRingBuffer(8)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			if ok, err := ring.Offer(i); !ok || err != nil {
				t.Errorf("Offer of a buffer with room for 8 items: %v, %v; it holds %d", ok, err, ring.Len())
			}
		})
	}
	wg.Wait()
}
