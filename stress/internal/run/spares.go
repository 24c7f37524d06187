package run

import (
	"sync"
	"time"
)

// mostRequests is how many requests a child serves before another takes its place, so that what a
// subject leaves behind does not add up for hours.
const mostRequests = 256

// Spares are children that have done what was requested and wait for another request, of whichever
// scenario: the start of a process takes as long as some dozen controlled executions. Only a child in
// which no execution has failed is kept. Close must follow. The zero value has none.
type Spares struct {
	mu   sync.Mutex
	idle []*child
}

// put keeps a child, or ends it if it has served its time.
func (s *Spares) put(c *child) {
	if c.served >= mostRequests {
		c.dismiss()
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = append(s.idle, c)
}

// take returns a child that is still there; nil if there is none.
func (s *Spares) take() *child {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.idle) > 0 {
		c := s.idle[len(s.idle)-1]
		s.idle = s.idle[:len(s.idle)-1]
		select {
		case <-c.lines: // it has ended, or writes what was not requested
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

// dismiss ends a child that waits for a request: it ends itself when there can be none.
func (c *child) dismiss() {
	c.stdin.Close()
	late := time.AfterFunc(graceTime, func() { c.cmd.Process.Kill() }) //nolint:errcheck // it may be gone
	defer late.Stop()
	for range c.lines {
	}
	c.end(&Ending{}) //nolint:errcheck // it has reported all that it was asked for
}
