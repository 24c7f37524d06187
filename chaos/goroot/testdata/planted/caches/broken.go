//go:build !fixed

package caches

// Get makes a session if there is none: two may do so at the same time.
func (s *Sessions) Get(user string) *Session {
	if v, ok := s.byUser.Load(user); ok {
		return v.(*Session)
	}
	session := &Session{}
	s.byUser.Store(user, session)
	return session
}

// Load publishes the table, and fills it then.
func (r *Routes) Load(handlers map[string]string) {
	t := &table{}
	r.current.Store(t)
	for path, h := range handlers {
		t.add(path, h)
	}
}

// share takes a reference to a file that may be about to be closed.
func (f *File) share() bool {
	if f.closed.Load() {
		return false
	}
	f.refs.Add(1)
	return true
}

// Observe compares with a value that may be old.
func (p *Peak) Observe(v int64) {
	if v > p.max.Load() {
		p.max.Store(v)
	}
}

// Pause looks and sets: a Stop that comes in between is lost.
func (l *Loop) Pause() {
	if l.state.Load() == running {
		l.state.Store(paused)
	}
}
