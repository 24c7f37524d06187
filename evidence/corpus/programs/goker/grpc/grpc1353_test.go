package grpc

import (
	"sync"
	"testing"
)

// A resolver sends the connections of a client the list of addresses, each time that it changes.
type resolver struct {
	mu        sync.Mutex
	addresses int
	updates   chan int
}

// update sends with the lock held. With latest, it replaces a list that nobody has received yet.
func (r *resolver) update(addresses int, latest bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.addresses = addresses
	if latest {
		select {
		case <-r.updates:
		default:
		}
	}
	r.updates <- addresses
}

// down is called by a connection that is closed.
func (r *resolver) down() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.addresses--
}

func grpc1353(latest bool) {
	capacity := 0
	if latest {
		capacity = 1
	}
	r := &resolver{updates: make(chan int, capacity)}
	var watcher sync.WaitGroup
	watcher.Go(func() {
		connections := 0
		for n := range r.updates {
			for ; connections > n; connections-- {
				r.down()
			}
			connections = n
		}
	})
	for _, n := range []int{2, 1, 3} {
		r.update(n, latest)
	}
	close(r.updates)
	watcher.Wait()
}

func TestGrpc1353(*testing.T) { grpc1353(false) }

func TestGrpc1353Fixed(*testing.T) { grpc1353(true) }
