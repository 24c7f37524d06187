//go:build !fixed

package timers

// Answer ignores that the timer may have begun to end the call.
func (c *Call) Answer(answer string) {
	c.timer.Stop()
	c.end(answer, nil)
}

// stop drains the channel of the timer, from which the select may have received.
func (r *Reader) stop() {
	if !r.timer.Stop() {
		<-r.timer.C
	}
}

func (b *Batcher) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.out <- b.lines
	b.lines = nil
}

// Close ignores that the timer may have started flush, which then waits for the lock.
func (b *Batcher) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.timer.Stop()
	if len(b.lines) > 0 {
		b.out <- b.lines
	}
	close(b.out)
}

// Stop does not wait for the loop, which may be busy, to take the message.
func (s *Sampler) Stop() {
	s.ticker.Stop()
	select {
	case s.quit <- struct{}{}:
	default:
	}
	<-s.done
}

// After waits for the next version instead of that which has come after the look.
func (t *Topic) After(seen int) int {
	for {
		if version := t.Version(); version > seen {
			return version
		}
		_, changed := t.state()
		<-changed
	}
}

// Close looks and closes: two may do so at the same time.
func (c *Client) Close() {
	select {
	case <-c.closed:
	default:
		close(c.closed)
	}
}
