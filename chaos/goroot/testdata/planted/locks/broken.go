//go:build !fixed

package locks

// order locks the source first: two transfers in opposite directions wait for each other.
func order(from, to *Account) (first, second *Account) { return from, to }

// All calls Get with the lock held for reading: a writer that waits in between keeps Get out.
func (r *Registry) All(names []string) (addresses []string) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, name := range names {
		if address, ok := r.Get(name); ok {
			addresses = append(addresses, address)
		}
	}
	return addresses
}

// load begins again if the source has changed meanwhile, by the Once that runs it.
func (s *Settings) load() string {
	text, version := s.source.Read()
	if _, now := s.source.Read(); now != version {
		return s.Text()
	}
	return text
}

// Increment releases the lock between reading and writing.
func (c *Counter) Increment(name string) { c.Set(name, c.Value(name)+1) }

// Total locks copies: one that is made while a part is locked can never be locked.
func (s *Shards) Total() (n int) {
	for _, part := range s.parts {
		part.mu.Lock()
		n += part.n
		part.mu.Unlock()
	}
	return n
}

// Conn reads conn without the lock.
func (l *Lazy) Conn() *Conn {
	if l.conn == nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.conn == nil {
			l.conn = l.dial()
		}
	}
	return l.conn
}

// Number writes with the lock held for reading.
func (l *Labels) Number(label string) int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	n, ok := l.numbers[label]
	if !ok {
		n = len(l.numbers)
		l.numbers[label] = n
	}
	return n
}
