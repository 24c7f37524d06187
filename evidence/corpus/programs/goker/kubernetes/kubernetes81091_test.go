package kubernetes

import (
	"sync"
	"testing"
)

// A filter of a test counts its calls. Schedulers filter nodes in parallel.
type filter struct {
	mu    sync.Mutex
	lock  bool
	calls int
}

func (f *filter) fits(int) bool {
	if f.lock {
		f.mu.Lock()
		defer f.mu.Unlock()
	}
	f.calls++
	return true
}

func kubernetes81091(lock bool) {
	f := &filter{lock: lock}
	inParallel(4, func(node int) { _ = f.fits(node) })
}

func TestKubernetes81091(*testing.T) { kubernetes81091(false) }

func TestKubernetes81091Fixed(*testing.T) { kubernetes81091(true) }
