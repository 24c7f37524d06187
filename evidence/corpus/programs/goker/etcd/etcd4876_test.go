package etcd

import (
	"sync"
	"testing"
	"time"
)

// progressEvery is a variable, not a constant, so that tests can shorten it.
var progressEvery = 10 * time.Minute

// serveWatch reports progress to a watcher until its stream ends.
func serveWatch(every func() time.Duration, stream <-chan struct{}) {
	ticker := time.NewTicker(every())
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-stream:
			return
		}
	}
}

func etcd4876(every func() time.Duration, set func(time.Duration)) {
	defer set(10 * time.Minute)
	var server sync.WaitGroup
	defer server.Wait() // before the variable is restored
	stream := make(chan struct{})
	defer close(stream)
	server.Go(func() { serveWatch(every, stream) })
	set(time.Second) // the server runs already
}

func TestEtcd4876(*testing.T) {
	etcd4876(func() time.Duration { return progressEvery },
		func(d time.Duration) { progressEvery = d })
}

func TestEtcd4876Fixed(*testing.T) {
	var mu sync.RWMutex
	etcd4876(func() time.Duration {
		mu.RLock()
		defer mu.RUnlock()
		return progressEvery
	}, func(d time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		progressEvery = d
	})
}
