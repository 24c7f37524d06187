package kubernetes

import (
	"sync"
	"testing"
)

// An authenticator closes connections when its certificate rotates. It has one callback, set by
// each new client, or a list of them and a lock.
type authenticator struct {
	mu        sync.Mutex
	onRotate  func()
	callbacks []func()
}

func (a *authenticator) configure(closeAll func(), list bool) {
	if !list {
		a.onRotate = closeAll
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.callbacks = append(a.callbacks, closeAll)
}

func kubernetes80284(list bool) {
	a := new(authenticator)
	var clients sync.WaitGroup
	for range 2 {
		clients.Go(func() { a.configure(func() {}, list) })
	}
	clients.Wait()
}

func TestKubernetes80284(*testing.T) { kubernetes80284(false) }

func TestKubernetes80284Fixed(*testing.T) { kubernetes80284(true) }
