package groups

import "sync"

type call struct {
	wg    sync.WaitGroup
	value string
	err   error
}

// A Flight runs a function once for all that ask for the same key at the same time.
type Flight struct {
	mu    sync.Mutex
	calls map[string]*call
}

// Do returns the result of f, or that of the call in progress.
func (s *Flight) Do(key string, f func() (string, error)) (string, error) {
	s.mu.Lock()
	if s.calls == nil {
		s.calls = map[string]*call{}
	}
	if c, ok := s.calls[key]; ok {
		s.mu.Unlock()
		c.wg.Wait()
		return c.value, c.err
	}
	c := &call{}
	c.wg.Add(1)
	s.calls[key] = c
	s.mu.Unlock()
	s.run(key, c, f)
	return c.value, c.err
}

func (s *Flight) end(key string, c *call) {
	c.wg.Done()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.calls, key)
}
