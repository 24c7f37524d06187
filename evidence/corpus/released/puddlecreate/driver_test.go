package example

import (
	"context"
	"sync"
	"testing"

	"github.com/jackc/puddle"
)

// Close ends although a resource is created at the same time.
func TestCreateAndClose(t *testing.T) {
	construct := func(context.Context) (any, error) { return 0, nil }
	pool := puddle.NewPool(construct, func(any) {}, 2)
	var wg sync.WaitGroup
	wg.Go(func() { pool.CreateResource(context.Background()) })
	pool.Close()
	wg.Wait()
}
