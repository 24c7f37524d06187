package locks

import "sync"

// Labels numbers labels.
type Labels struct {
	mu      sync.RWMutex
	numbers map[string]int
}

func NewLabels() *Labels { return &Labels{numbers: map[string]int{}} }

// Len returns how many there are.
func (l *Labels) Len() int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return len(l.numbers)
}
