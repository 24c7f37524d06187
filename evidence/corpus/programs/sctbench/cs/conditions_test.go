package cs

import (
	"sync"
	"testing"
)

// handOver has a producer and a consumer with room for one item. The room holds some at first.
func handOver(rounds, atFirst, taken int) {
	var mu sync.Mutex
	empty, full := sync.NewCond(&mu), sync.NewCond(&mu)
	held := atFirst
	together(func() {
		for range rounds {
			mu.Lock()
			for held > 0 {
				empty.Wait()
			}
			held++
			mu.Unlock()
			full.Signal()
		}
	}, func() {
		for range rounds {
			mu.Lock()
			for held == 0 {
				full.Wait()
			}
			held -= taken
			mu.Unlock()
			empty.Signal()
		}
	})
}

// TestSync01 has a consumer that does not take the item, so that the producer waits for ever.
func TestSync01(t *testing.T)      { handOver(1, 1, 0) }
func TestSync01Fixed(t *testing.T) { handOver(1, 1, 1) }

// TestSync02 begins with two items, which are all that the consumer takes: of the two that the
// producer has, the second finds no room.
func TestSync02(t *testing.T)      { handOver(2, 2, 1) }
func TestSync02Fixed(t *testing.T) { handOver(2, 0, 1) }
