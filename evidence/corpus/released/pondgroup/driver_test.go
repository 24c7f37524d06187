package example

import (
	"context"
	"io"
	"testing"

	"github.com/alitto/pond"
)

// The context of a group ends while one of its tasks fails.
func TestGroupContext(t *testing.T) {
	pool := pond.New(1, 1)
	ctx, cancel := context.WithCancel(context.Background())
	group, _ := pool.GroupContext(ctx)
	group.Submit(func() error { return io.EOF })
	go cancel()
	group.Wait()
	pool.StopAndWait()
}
