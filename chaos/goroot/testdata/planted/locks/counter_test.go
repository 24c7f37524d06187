package locks

import (
	"sync"
	"testing"
)

func TestCounter(t *testing.T) {
	t.Parallel()
	for _, goroutines := range []int{1, 2, 3} {
		var c Counter
		var wg sync.WaitGroup
		wg.Add(goroutines)
		for range goroutines {
			go func() {
				defer wg.Done()
				c.Increment("requests")
			}()
		}
		wg.Wait()
		if got := c.Value("requests"); got != goroutines {
			t.Errorf("%d of %d requests are counted", got, goroutines)
		}
	}
}
