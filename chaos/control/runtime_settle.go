package control

import (
	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// What a task of a Runtime has done is recorded when it comes back to the engine.

//go:norace
func (s *runtimeTasks) Failed() {
	if t := s.current(); t != nil {
		t.real.failed = true
	}
}

// settle records what t has done since it was chosen.
//
//go:norace
func (s *runtimeTasks) settle(t *task) {
	h := &t.real
	if h.resuming {
		s.resumed(t)
	}
	if !h.pending {
		return
	}
	h.pending = false
	kind, o := t.Op.Kind, t.object
	queued, traced := len(s.events), len(s.traced)
	if h.failed {
		h.failed = false
		if kind = strategy.Load; isSyscall(t.Op.Kind) {
			kind = strategy.SyscallRead
		}
	}
	if o == nil {
		s.didAlone(t, kind)
	} else {
		s.did(t, o, kind)
		s.didOthers(t, o, kind)
		if strategy.Lock <= kind && kind <= strategy.RUnlock {
			s.owned(t, o, kind)
		}
		if len(o.waiters) > 0 {
			s.changed(o)
		}
	}
	if s.tracing && traced < len(s.traced) {
		s.traceChannel(t, &s.traced[traced])
	}
	if len(h.wakes) > 0 {
		s.didWake(t, queued)
	}
}

// didOthers records the objects of a select besides the first.
//
//go:norace
func (s *runtimeTasks) didOthers(t *task, first *object, kind strategy.Kind) {
	if t.Op.Kind != strategy.Select {
		return
	}
	act := splitmix.Mix(t.Key, uint64(t.Ops))
	for _, o := range t.real.polls {
		switch {
		case o == first:
		case kind == strategy.Load:
			o.since += act
			t.repeating = t.spin.read(o, true)
		default:
			o.order = splitmix.Mix(o.order+o.since, act)
			o.since = 0
			o.writes++
		}
	}
}

// didWake adds the tasks that t has woken to its event, which is the i-th of those queued if the
// observer needs it.
//
//go:norace
func (s *runtimeTasks) didWake(t *task, i int) {
	h := &t.real
	if i < len(s.events) {
		//lint:ignore S1011 the race detector would see append with all of them
		for _, w := range h.wakes {
			s.events[i].Wakes = append(s.events[i].Wakes, w)
		}
	}
	if s.tracing {
		for _, w := range h.wakes {
			s.reach(of(w))
		}
	}
	h.wakes = h.wakes[:0]
}

// resumed counts the operation of a task that has continued after a wait.
//
//go:norace
func (s *runtimeTasks) resumed(t *task) {
	t.real.resuming = false
	t.Ops++
	t.decisions = 0
	t.moved = s.Step
	s.hash = (s.hash ^ (splitmix.Mix(t.Key, uint64(t.Ops)) + uint64(strategy.Resume)<<8)) * 0x9e3779b97f4a7c15
	s.hash ^= s.hash >> 29
}
