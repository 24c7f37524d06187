//go:build fixed

package caches

// Get returns the session of a user.
func (s *Sessions) Get(user string) *Session {
	v, _ := s.byUser.LoadOrStore(user, &Session{})
	return v.(*Session)
}

// Load replaces all routes.
func (r *Routes) Load(handlers map[string]string) {
	t := &table{}
	for path, h := range handlers {
		t.add(path, h)
	}
	r.current.Store(t)
}

func (f *File) share() bool {
	for {
		n := f.refs.Load()
		if n == 0 {
			return false
		}
		if f.refs.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// Observe takes a value into account.
func (p *Peak) Observe(v int64) {
	for {
		old := p.max.Load()
		if v <= old || p.max.CompareAndSwap(old, v) {
			return
		}
	}
}

// Pause lets the loop wait, if it runs.
func (l *Loop) Pause() { l.state.CompareAndSwap(running, paused) }
