package example

import (
	"sync"
	"testing"

	"github.com/maypok86/otter/v2"
)

// Entries may be added while all are invalidated.
func TestInvalidate(t *testing.T) {
	c := otter.Must(&otter.Options[int, int]{MaximumSize: 10})
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { c.Set(i, i) })
	}
	for range 2 {
		wg.Go(c.InvalidateAll)
	}
	wg.Wait()
}
