//go:build fixed

package timers

// Answer ends the call.
func (c *Call) Answer(answer string) {
	if c.timer.Stop() {
		c.end(answer, nil)
	}
}

func (r *Reader) stop() { r.timer.Stop() }

func (b *Batcher) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed || len(b.lines) == 0 {
		return
	}
	b.out <- b.lines
	b.lines = nil
}

// Close sends what is left.
func (b *Batcher) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.timer.Stop()
	if len(b.lines) > 0 {
		b.out <- b.lines
	}
	b.closed = true
	close(b.out)
}

// Stop ends the sampler, and waits for it.
func (s *Sampler) Stop() {
	s.ticker.Stop()
	close(s.quit)
	<-s.done
}

// After waits for a version.
func (t *Topic) After(seen int) int {
	for {
		version, changed := t.state()
		if version > seen {
			return version
		}
		<-changed
	}
}

// Close closes the client.
func (c *Client) Close() { c.once.Do(func() { close(c.closed) }) }
