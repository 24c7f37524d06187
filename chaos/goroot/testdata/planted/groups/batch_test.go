package groups

import (
	"context"
	"testing"
	"time"
)

func TestBatchTimeout(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 3} {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		var b Batch
		if got := b.Run(ctx, n); len(got) > n || len(got) < n && ctx.Err() == nil {
			t.Errorf("done: %d, want %d", got, n)
		}
	}
}
