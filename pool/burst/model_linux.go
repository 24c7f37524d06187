package burst

import "github.com/rouse-go/rouse/hooks/sync"

// A model is an eventfd that an engine sees tasks wait for. Unlike a descriptor's number it cannot
// be reused for another file: a use after close panics.
type model struct {
	mu      sync.Mutex
	some    sync.Cond
	tokens  int
	waiters int
	closed  bool
}

func newModel() *model {
	m := new(model)
	m.some.L = &m.mu
	return m
}

func (m *model) wait() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.check(m.closed)
	m.waiters++
	for m.tokens == 0 {
		m.some.Wait()
	}
	m.waiters--
	m.tokens = 0
}

func (m *model) signal() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.check(m.closed)
	m.tokens++
	m.some.Signal()
}

func (m *model) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.check(m.closed || m.waiters > 0 || m.tokens > 0)
	m.closed = true
}

// check panics if the descriptor is used in a way that its receiver has to exclude.
func (m *model) check(wrong bool) {
	if wrong {
		panic("burst: an eventfd is used after it was closed, or closed in use")
	}
}
