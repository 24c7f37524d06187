package etcd

import (
	"slices"
	"sync"
	"testing"
)

var endpoints = []string{"a", "b"}

// A pinner sends the client the addresses to be connected to: all, or only the one that was up
// first.
type pinner struct {
	mu     sync.Mutex
	pinned string
	notify chan []string // one buffered
	latest bool          // a list that was not received yet is replaced
}

// pin pins another address instead of one, if that is pinned, and sends with the lock held.
func (p *pinner) pin(instead, address string, addresses []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pinned != instead {
		return
	}
	p.pinned = address
	if p.latest {
		select {
		case <-p.notify:
		default:
		}
	}
	p.notify <- addresses
}

// up pins the address if none is, and returns what to call when its connection is lost.
func (p *pinner) up(address string) (down func()) {
	p.pin("", address, []string{address})
	return func() { p.pin(address, "", endpoints) }
}

// etcd7443 is the client: it closes the connections that are not in the list it has received, while
// the connection to a is lost and made again.
func etcd7443(latest bool) {
	p := &pinner{notify: make(chan []string, 1), latest: latest}
	downA, downB := p.up("a"), p.up("b")
	var watcher, connection sync.WaitGroup
	watcher.Go(func() {
		for addresses := range p.notify {
			if !slices.Contains(addresses, "b") {
				downB()
			}
		}
	})
	connection.Go(func() {
		downA()
		p.up("a")
	})
	connection.Wait()
	close(p.notify)
	watcher.Wait()
}

func TestEtcd7443(*testing.T) { etcd7443(false) }

func TestEtcd7443Fixed(*testing.T) { etcd7443(true) }
