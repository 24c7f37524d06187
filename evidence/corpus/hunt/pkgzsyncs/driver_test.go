package example

import (
	"context"
	"testing"

	"github.com/go-pkgz/syncs"
)

// The context of the group ends while Go is called. Go and Wait must return.
func TestGoBesideCancel(*testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	group := syncs.NewSizedGroup(1, syncs.Preemptive, syncs.Context(ctx))
	go cancel()
	for range 3 {
		group.Go(func(context.Context) {})
	}
	group.Wait()
}
