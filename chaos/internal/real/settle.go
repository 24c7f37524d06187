package real

import (
	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// What a task of a Runtime has done is recorded when it comes back to the engine.

//go:norace
func (s *Tasks) Failed() {
	if t := s.Running(); t != nil {
		of(t).failed = true
	}
}

// settle records what t has done since it was chosen.
//
//go:norace
func (s *Tasks) settle(t *core.Task) {
	h := of(t)
	if h.resuming {
		s.resumed(t)
	}
	if !h.pending {
		if s.Tracing {
			s.tracePooled(t)
		}
		return
	}
	h.pending = false
	kind, o := t.Op.Kind, t.Object
	queued, traced := len(s.Events), len(s.Traced)
	if h.failed {
		h.failed = false
		if kind = strategy.Load; isSyscall(t.Op.Kind) {
			kind = strategy.SyscallRead
		}
	}
	if o == nil {
		s.DidAlone(t, kind)
	} else {
		s.Did(t, o, kind)
		s.didOthers(t, o, kind)
		if strategy.Lock <= kind && kind <= strategy.RUnlock {
			s.owned(t, o, kind)
		}
		if len(o.Waiters)+len(o.Groups) > 0 {
			s.ObjectChanged(o)
		}
	}
	if s.Tracing && traced < len(s.Traced) {
		s.traceChannel(t, &s.Traced[traced])
	}
	if len(h.wakes) > 0 {
		s.didWake(t, queued)
	}
	if s.Tracing {
		s.tracePooled(t)
	}
}

// didOthers records the objects of a select besides the first.
//
//go:norace
func (s *Tasks) didOthers(t *core.Task, first *core.Object, kind strategy.Kind) {
	if t.Op.Kind != strategy.Select {
		return
	}
	act := splitmix.Mix(t.Key, uint64(t.Ops))
	for _, o := range of(t).polls {
		switch {
		case o == first:
		case kind == strategy.Load:
			o.Since += act
			t.Repeating = t.Spin.Read(o, true)
		default:
			o.Order = splitmix.Mix(o.Order+o.Since, act)
			o.Since = 0
			o.Writes++
		}
	}
}

// didWake adds the tasks that t has woken to its event, which is the i-th of those queued if the
// observer needs it.
//
//go:norace
func (s *Tasks) didWake(t *core.Task, i int) {
	h := of(t)
	if i < len(s.Events) {
		//lint:ignore S1011 the race detector would see append with all of them
		for _, w := range h.wakes {
			s.Events[i].Wakes = append(s.Events[i].Wakes, w)
		}
	}
	if s.Tracing {
		for _, w := range h.wakes {
			s.Reach(core.TaskOf(w))
		}
	}
	h.wakes = h.wakes[:0]
}

// resumed counts the operation of a task that has continued after a wait.
//
//go:norace
func (s *Tasks) resumed(t *core.Task) {
	of(t).resuming = false
	if s.Tracing && of(t).waitsIn.Kind == strategy.Select {
		s.traceContinued(t)
	}
	s.CountStep(t, strategy.Resume, 0)
}
