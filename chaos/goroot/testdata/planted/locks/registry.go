package locks

import "sync"

// A Registry knows services by name.
type Registry struct {
	mu        sync.RWMutex
	addresses map[string]string
}

// Add registers a service.
func (r *Registry) Add(name, address string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.addresses == nil {
		r.addresses = map[string]string{}
	}
	r.addresses[name] = address
}

// Get returns the address of a service.
func (r *Registry) Get(name string) (string, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	address, ok := r.addresses[name]
	return address, ok
}
