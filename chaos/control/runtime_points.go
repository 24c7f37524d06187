package control

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/strategy"
)

// What a task of a Runtime does at a point: it announces its operation, and the strategy chooses.

//go:norace
func (s *runtimeTasks) Point(kind uint8, x unsafe.Pointer, word *int32, busy int32) int32 {
	t := s.current()
	if t.real.pending {
		s.settle(t)
	} else if t.real.resuming {
		s.resumed(t)
	}
	t.real.pending, t.real.settled = true, false
	k := strategy.Kind(kind)
	t.Op.Kind = k
	if t.Op.Others != nil {
		t.Op.Others = nil
	}
	switch {
	case k == strategy.Sleep:
		x = unsafe.Pointer(&s.sleeps) // of two with one deadline, either may end first
	case isSyscall(k):
		x = unsafe.Pointer(&s.world)
	case x == nil:
		t.object, t.Op.Object, t.real.word = nil, 0, 0
		t.hasDefault = k == strategy.Select
		t.real.polls = t.real.polls[:0]
		if k == strategy.Yield {
			s.yields(t)
		}
		return s.announced(t)
	}
	o := t.object
	if o == nil || t.real.x != uintptr(x) {
		o = s.objects.at(x)
		t.object, t.real.x = o, uintptr(x)
	}
	t.Op.Object = o.id
	if k == strategy.Signal {
		t.real.joined = o.id
	}
	if t.real.word = uintptr(unsafe.Pointer(word)); word != nil {
		if t.real.busy = busy; *word&busy != 0 {
			s.awaitLock(t)
			s.disable(t)
		}
	}
	if t.hasDefault = k == strategy.Select; t.hasDefault {
		t.real.polls = append(t.real.polls[:0], o)
	}
	if s.Step < s.calm && !t.repeating && !s.stopping {
		switch n := len(s.Enabled); {
		case n > 1:
			return s.contested(t)
		case n == 1 && s.unforced && t.place == 0: // there is nothing to choose
			s.Step++
			t.decisions++
			return t.real.number
		}
	}
	return s.announced(t)
}

func isSyscall(k strategy.Kind) bool { return k == strategy.Syscall || k == strategy.SyscallRead }

// contested is the fast path of chosen, for when only the strategy is to be asked and t is at a
// point.
//
//go:norace
func (s *runtimeTasks) contested(t *task) (number int32) {
	number = None // if the strategy panics
	defer s.recoverStrategy()
	next := of(s.Enabled[s.ask()])
	s.Step++
	t.decisions++
	if next != t {
		s.leave(t, next)
	}
	return next.real.number
}

// leave makes next the current task, in place of t, which is at a point and may be about to lock.
//
//go:norace
func (s *runtimeTasks) leave(t, next *task) {
	if t != nil && t.real.word != 0 && !t.real.awaits {
		s.awaitLock(t)
	}
	s.setCurrent(next)
	if next.real.awaits {
		s.stopAwaiting(next)
	}
}

// stopAwaiting is called when t, which has waited for a lock, has been chosen to take it.
//
//go:norace
func (s *runtimeTasks) stopAwaiting(t *task) {
	t.real.awaits = false
	remove(&s.awaiting, t)
	t.object.removeWaiter(t)
}

//go:norace
func (s *runtimeTasks) Select(channels []unsafe.Pointer, sends int, poll bool) int32 {
	t := s.current()
	s.settle(t)
	t.real.pending, t.real.settled, t.real.word = true, false, 0
	t.Op = strategy.Op{Kind: strategy.Select}
	t.object, t.hasDefault, t.real.sends = nil, poll, sends
	t.real.polls = t.real.polls[:0]
	others := t.real.others[:0]
	for _, x := range channels {
		o := s.objects.at(x)
		t.real.polls = append(t.real.polls, o)
		if t.object == nil {
			t.object, t.real.x = o, uintptr(x)
			t.Op.Object = o.id
		} else if t.Op.Others = others; !t.Op.Touches(o.id) {
			others = append(others, o.id)
			t.Op.Others = others
		}
	}
	if t.real.others = others; s.observer != nil {
		t.real.others = nil // events refer to it
	}
	return s.announced(t)
}

// announced decides which task continues, once t has announced its operation.
//
//go:norace
func (s *runtimeTasks) announced(t *task) int32 {
	if s.tracing {
		s.traceStack(t)
	}
	if isSyscall(t.Op.Kind) {
		return s.chosenAtRoot()
	}
	return s.chosen()
}

// chosenAtRoot is chosen for a task that is in a system call, on the root.
//
//go:norace
func (s *runtimeTasks) chosenAtRoot() int32 {
	s.atRoot = true
	if s.recurrence.from > 0 {
		s.recurrence.newest = s.Step // its state is not known
		if s.recurrence.proof.from > 0 {
			s.recurrence.end()
		}
	}
	next := s.chosen()
	s.atRoot = false
	return next
}

//go:norace
func (s *runtimeTasks) After() int32 {
	t := s.current()
	if !t.real.pending && !t.real.resuming { // of an operation inside another one
		return t.real.number
	}
	atRoot := isSyscall(t.Op.Kind)
	t.real.settled, t.real.decisions = t.real.pending, t.decisions
	s.settle(t)
	t.real.word = 0
	if s.lone() {
		return t.real.number
	}
	t.Op = strategy.Op{Kind: strategy.After} // until it announces something else
	t.decisionsAfter = 0
	if atRoot {
		return s.chosenAtRoot()
	}
	return s.chosen()
}

//go:norace
func (s *runtimeTasks) Pick(n int) int {
	if s.stopping {
		return 0
	}
	defer s.recoverStrategy()
	return s.pickCase(s.current(), n)
}

//go:norace
func (s *runtimeTasks) Collect(done bool) {
	if done {
		s.objects.keepAgain()
		return
	}
	s.progress = s.Step // finalizers and weak pointers show it
	if t := s.current(); t != nil {
		s.settle(t) // what it has done, with what may be freed
	}
	s.objects.keepWeakly()
}

//go:norace
func (s *runtimeTasks) Barred(i int) (task int32, lock uintptr, reads bool) {
	for _, t := range s.awaiting {
		if t.canLock() {
			continue
		}
		if i--; i < 0 {
			return t.real.number, t.real.word, t.Op.Kind == strategy.RLock
		}
	}
	return None, 0, false
}

// canLock reports whether the lock that t waits for is free. The engine must not hold a pointer to it,
// by which the garbage collector would find it: objects.kept does.
//
//go:norace
func (t *task) canLock() bool {
	return **(**int32)(unsafe.Pointer(&t.real.word))&t.real.busy == 0
}

// awaitLock makes t, which is about to lock, depend on whether its lock is free.
//
//go:norace
func (s *runtimeTasks) awaitLock(t *task) {
	t.real.awaits = true
	t.real.since = s.Step
	s.awaiting = append(s.awaiting, t)
	t.object.addWaiter(t)
}

// lone reports whether at most one task can continue, beside the clock.
//
//go:norace
func (s *runtimeTasks) lone() bool {
	n := len(s.Enabled)
	return n < 2 || n == 2 && s.clock != nil && s.clock.place >= 0
}
