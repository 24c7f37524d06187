package etcd

import (
	"sync"
	"testing"
)

// A readView is what a transaction reads: values that are written, but not yet committed.
type readView struct {
	mu      sync.RWMutex
	pending map[string]string
}

func (v *readView) get(key string) string { return v.pending[key] }

// reset drops the values when they are committed.
func (v *readView) reset() {
	for key := range v.pending {
		delete(v.pending, key)
	}
}

func etcd9446(lock bool) {
	v := &readView{pending: map[string]string{"k": "v"}}
	var all sync.WaitGroup
	all.Go(func() { // the commit
		if lock {
			v.mu.Lock()
			defer v.mu.Unlock()
		}
		v.reset()
	})
	all.Go(func() { // a read
		if lock {
			v.mu.RLock()
			defer v.mu.RUnlock()
		}
		_ = v.get("k")
	})
	all.Wait()
}

func TestEtcd9446(*testing.T) { etcd9446(false) }

func TestEtcd9446Fixed(*testing.T) { etcd9446(true) }
