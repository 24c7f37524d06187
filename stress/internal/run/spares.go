package run

import (
	"sync"
	"time"
)

// mostRequests is how many requests a child serves before it is replaced, so that leftovers of a
// subject do not add up for hours.
const mostRequests = 256

// Spares holds children that have served a request and wait for another one, of any scenario: the start
// of a process takes as long as some dozen controlled executions. Only a child in which no execution has
// failed is kept. The caller must call Close. The zero value is empty.
type Spares struct {
	mu   sync.Mutex
	idle []*child
}

// put keeps a child, or ends it if it has served mostRequests.
func (s *Spares) put(c *child) {
	if c.served >= mostRequests {
		c.dismiss()
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = append(s.idle, c)
}

// take returns a child that still runs, or nil if there is none.
func (s *Spares) take() *child {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.idle) > 0 {
		c := s.idle[len(s.idle)-1]
		s.idle = s.idle[:len(s.idle)-1]
		select {
		case <-c.lines: // it has ended, or writes unrequested output
			c.dismiss()
		default:
			return c
		}
	}
	return nil
}

// Close ends all children.
func (s *Spares) Close() {
	for c := s.take(); c != nil; c = s.take() {
		c.dismiss()
	}
}

// dismiss ends a child that waits for a request: the child exits when its standard input is closed.
func (c *child) dismiss() {
	c.stdin.Close()
	late := time.AfterFunc(graceTime, func() { c.cmd.Process.Kill() }) //nolint:errcheck // it may be gone
	defer late.Stop()
	for range c.lines {
	}
	c.end(&Ending{}) //nolint:errcheck // it has served all its requests
}
