package example

import (
	"context"
	"sync"
	"testing"

	"github.com/smallnest/chanx"
)

// Two writers, one reader, and the smallest buffers: each value arrives once.
func TestWritersAndClose(t *testing.T) {
	c := chanx.NewUnboundedChanSize[int](context.Background(), 0, 0, 1)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			for j := range 3 {
				c.In <- 1 << (3*i + j)
			}
		})
	}
	go func() { wg.Wait(); close(c.In) }()
	sum := 0
	for v := range c.Out {
		sum += v
	}
	if sum != 1<<6-1 {
		t.Errorf("the sum is %b", sum)
	}
}
