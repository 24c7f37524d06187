package timers

import "sync"

// A Topic notifies all that wait for a new version.
type Topic struct {
	mu      sync.Mutex
	version int
	changed chan struct{} // closed by the next version
}

func NewTopic() *Topic { return &Topic{changed: make(chan struct{})} }

// Version returns the version.
func (t *Topic) Version() int {
	version, _ := t.state()
	return version
}

func (t *Topic) state() (int, <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.version, t.changed
}

// Publish makes a new version.
func (t *Topic) Publish() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.version++
	close(t.changed)
	t.changed = make(chan struct{})
}
