package example

import (
	"context"
	"testing"
	"time"

	pool "github.com/jolestar/go-commons-pool/v2"
)

// The pool is closed while its evictor runs.
func TestCloseAndEvict(t *testing.T) {
	ctx := context.Background()
	create := func(context.Context) (any, error) { return new(int), nil }
	config := pool.NewDefaultPoolConfig()
	config.MinIdle = 1
	config.TimeBetweenEvictionRuns = time.Second
	objects := pool.NewObjectPool(ctx, pool.NewPooledObjectFactorySimple(create), config)
	time.Sleep(1500 * time.Millisecond)
	objects.Close(ctx)
}
