package example

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eapache/go-resiliency/batcher"
)

// Each parameter of Run is in one batch, and Shutdown waits for the last.
func TestRunAndShutdown(t *testing.T) {
	var sum atomic.Int64
	b := batcher.New(time.Millisecond, func(params []any) error {
		for _, p := range params {
			sum.Add(int64(p.(int)))
		}
		return nil
	})
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { b.Run(1 << i) })
	}
	wg.Wait()
	b.Shutdown(true)
	if sum.Load() != 7 {
		t.Errorf("the sum is %b", sum.Load())
	}
}
