package moby

import (
	"bytes"
	"sync/atomic"
	"testing"
	"time"
)

// A command writes a line every millisecond until it has written all or is killed. Then it ends.
type command struct {
	out    bytes.Buffer
	killed atomic.Bool
	ended  chan struct{}
}

func (c *command) run(lines int) {
	defer close(c.ended)
	for range lines {
		if c.killed.Load() {
			return
		}
		c.out.WriteString("line\n")
		time.Sleep(time.Millisecond)
	}
}

// outputWithin runs a command, kills it when the time is over, and returns its output. A command
// that was killed may still write, unless it is waited for.
func outputWithin(limit time.Duration, wait bool) string {
	c := &command{ended: make(chan struct{})}
	go c.run(3)
	select {
	case <-c.ended:
	case <-time.After(limit):
		c.killed.Store(true)
		if wait {
			<-c.ended
		}
	}
	return c.out.String()
}

func TestMoby18412(*testing.T) { _ = outputWithin(1500*time.Microsecond, false) }

func TestMoby18412Fixed(*testing.T) { _ = outputWithin(1500*time.Microsecond, true) }
