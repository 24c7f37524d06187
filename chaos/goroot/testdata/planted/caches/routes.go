package caches

import (
	"sync"
	"sync/atomic"
)

type table struct {
	mu      sync.RWMutex
	handler map[string]string
}

func (t *table) add(path, handler string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.handler == nil {
		t.handler = map[string]string{}
	}
	t.handler[path] = handler
}

// Routes finds the handler of a path. It can be reloaded at any time.
type Routes struct{ current atomic.Pointer[table] }

// Find returns the handler of a path.
func (r *Routes) Find(path string) (string, bool) {
	t := r.current.Load()
	t.mu.RLock()
	defer t.mu.RUnlock()
	h, ok := t.handler[path]
	return h, ok
}
