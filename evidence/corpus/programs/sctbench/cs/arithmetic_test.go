package cs

import (
	"sync"
	"testing"
)

// arithmeticProg hands n items from a producer to a consumer, through room for one. The consumer adds
// up their numbers, and n itself, so that the sum is that of 1 to n.
func arithmeticProg(t *testing.T, right func(total, sum int) bool) {
	const n = 3
	var mu sync.Mutex
	empty, full := sync.NewCond(&mu), sync.NewCond(&mu)
	held, total := 0, 0
	together(func() {
		for range n {
			mu.Lock()
			for held > 0 {
				empty.Wait()
			}
			held++
			mu.Unlock()
			full.Signal()
		}
	}, func() {
		for i := range n {
			mu.Lock()
			for held == 0 {
				full.Wait()
			}
			total += i
			held--
			mu.Unlock()
			empty.Signal()
		}
		total += n
	})
	if !right(total, n*(n+1)/2) {
		t.Errorf("the total is %d", total)
	}
}

func TestArithmeticProg(t *testing.T) {
	arithmeticProg(t, func(total, sum int) bool { return total != sum })
}

func TestArithmeticProgFixed(t *testing.T) {
	arithmeticProg(t, func(total, sum int) bool { return total == sum })
}
