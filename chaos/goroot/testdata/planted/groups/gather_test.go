package groups

import (
	"context"
	"testing"
	"time"
)

// Leaks goroutines if the caller gives up.
func TestGatherLeaks(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		cancel() // the user has had enough
	}()
	sum, err := Gather(ctx, 3, func(page int) int { return page })
	if err == nil && sum != 3 {
		t.Errorf("Gather = %d, want 3", sum)
	}
	<-done
}
