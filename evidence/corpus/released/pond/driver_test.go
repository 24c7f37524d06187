package example

import (
	"context"
	"testing"

	"github.com/alitto/pond/v2"
)

// A group ends, too, if the context of its pool ends while tasks are queued.
func TestPoolCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	pool := pond.NewPool(1, pond.WithContext(ctx))
	group := pool.NewGroup()
	for range 3 {
		group.Submit(func() {})
	}
	go cancel()
	group.Wait()
}
