package locks

import "sync"

// A Counter counts by name.
type Counter struct {
	mu     sync.Mutex
	counts map[string]int
}

// Value returns a count.
func (c *Counter) Value(name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counts[name]
}

// Set sets a count.
func (c *Counter) Set(name string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.counts == nil {
		c.counts = map[string]int{}
	}
	c.counts[name] = n
}
