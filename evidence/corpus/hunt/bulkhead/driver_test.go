package example

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/failsafe-go/failsafe-go/bulkhead"
)

// A caller gives up while a permit is released; the permit is not lost.
func TestCancelBesideRelease(t *testing.T) {
	b := bulkhead.New[any](1)
	b.AcquirePermit(context.Background())
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		if b.AcquirePermitWithMaxWait(ctx, time.Hour) == nil {
			b.ReleasePermit()
		}
	})
	wg.Go(b.ReleasePermit)
	cancel()
	wg.Wait()
	if !b.TryAcquirePermit() {
		t.Error("the permit is lost")
	}
}
