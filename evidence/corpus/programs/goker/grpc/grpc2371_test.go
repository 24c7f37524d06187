package grpc

import (
	"sync"
	"testing"
)

type balancer struct{ addresses []string }

func (b *balancer) use(addresses []string) { b.addresses = addresses }

// A client passes what its resolver finds to its balancer, which it has until it is closed.
type client struct {
	mu       sync.Mutex
	balancer *balancer
}

func (c *client) resolved(addresses []string, check bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if check && c.balancer == nil {
		return
	}
	c.balancer.use(addresses)
}

func (c *client) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.balancer = nil
}

func grpc2371(check bool) {
	c := &client{balancer: new(balancer)}
	var watcher sync.WaitGroup
	watcher.Go(func() { c.resolved([]string{"a"}, check) })
	c.close()
	watcher.Wait()
}

func TestGrpc2371(*testing.T) { grpc2371(false) }

func TestGrpc2371Fixed(*testing.T) { grpc2371(true) }
