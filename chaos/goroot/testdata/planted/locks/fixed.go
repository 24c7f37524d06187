//go:build fixed

package locks

func order(from, to *Account) (first, second *Account) {
	if from.ID < to.ID {
		return from, to
	}
	return to, from
}

// All returns the addresses of the services that are known.
func (r *Registry) All(names []string) (addresses []string) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, name := range names {
		if address, ok := r.addresses[name]; ok {
			addresses = append(addresses, address)
		}
	}
	return addresses
}

func (s *Settings) load() string {
	for {
		text, version := s.source.Read()
		if _, now := s.source.Read(); now == version {
			return text
		}
	}
}

// Increment adds one.
func (c *Counter) Increment(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.counts == nil {
		c.counts = map[string]int{}
	}
	c.counts[name]++
}

// Total returns the sum of all parts.
func (s *Shards) Total() (n int) {
	for i := range s.parts {
		part := &s.parts[i]
		part.mu.Lock()
		n += part.n
		part.mu.Unlock()
	}
	return n
}

// Conn returns the connection.
func (l *Lazy) Conn() *Conn {
	if c := l.current.Load(); c != nil {
		return c
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.current.Load()
	if c == nil {
		c = l.dial()
		l.current.Store(c)
	}
	return c
}

// Number returns the number of a label.
func (l *Labels) Number(label string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n, ok := l.numbers[label]
	if !ok {
		n = len(l.numbers)
		l.numbers[label] = n
	}
	return n
}
