package grpc

import (
	"context"
	"sync"
	"testing"
	"time"
)

// minConnect is a variable so that tests can shorten it.
var minConnect = 20 * time.Second

// A dialer connects to each of its addresses in a goroutine, with a time limit.
type dialer struct {
	limit       func() time.Duration
	connections sync.WaitGroup
}

func (d *dialer) connect(ctx context.Context, addresses ...string) {
	for range addresses {
		d.connections.Go(func() {
			ctx, cancel := context.WithTimeout(ctx, d.limit())
			defer cancel()
			<-ctx.Done() // no server answers
		})
	}
}

// grpc1748 is a test with a short limit. When it ends it closes the client, which does not wait for
// its connections, and restores the variable.
func grpc1748(t *testing.T, limit func() time.Duration, set func(time.Duration)) {
	set(time.Second)
	d := &dialer{limit: limit}
	ctx, closeClient := context.WithCancel(t.Context())
	d.connect(ctx, "a", "b")
	closeClient()
	set(20 * time.Second)
	d.connections.Wait()
}

func TestGrpc1748(t *testing.T) {
	grpc1748(t, func() time.Duration { return minConnect }, func(d time.Duration) { minConnect = d })
}

func TestGrpc1748Fixed(t *testing.T) {
	var mu sync.Mutex
	grpc1748(t, func() time.Duration {
		mu.Lock()
		defer mu.Unlock()
		return minConnect
	}, func(d time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		minConnect = d
	})
}
