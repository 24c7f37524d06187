package real

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// What a task of a Runtime does at a point: it announces its operation, and the strategy chooses.

//go:norace
func (s *Tasks) Point(kind uint8, x unsafe.Pointer, word *int32, busy int32) int32 {
	t := s.Running()
	if of(t).pending {
		s.settle(t)
	} else if of(t).resuming {
		s.resumed(t)
	}
	of(t).pending, of(t).settled = true, false
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
		t.Object, t.Op.Object, of(t).word = nil, 0, 0
		t.HasDefault = k == strategy.Select
		of(t).polls = of(t).polls[:0]
		if k == strategy.Yield {
			s.yields(t)
		}
		return s.announced(t)
	}
	o := t.Object
	if o == nil || of(t).x != uintptr(x) {
		o = s.Objects.At(x)
		t.Object, of(t).x = o, uintptr(x)
	}
	t.Op.Object = o.ID
	if k == strategy.Signal {
		of(t).joined = o.ID
	}
	if of(t).word = uintptr(unsafe.Pointer(word)); word != nil {
		if of(t).busy = busy; *word&busy != 0 {
			s.awaitLock(t)
			s.Disable(t)
		}
	}
	if t.HasDefault = k == strategy.Select; t.HasDefault {
		of(t).polls, of(t).sends = append(of(t).polls[:0], o), 0
	}
	if s.Step < s.calm && !t.Repeating && !s.Stopping && s.clockIsStill() {
		switch n := s.Len(); {
		case n > 1, n == 1 && !s.Unforced:
			return s.contested(t)
		case n == 1 && s.Unforced && t.IsEnabled(): // there is nothing to choose
			s.Announced(&t.Task)
			s.Step++
			t.Decisions++
			return of(t).number
		}
	}
	return s.announced(t)
}

func isSyscall(k strategy.Kind) bool { return k == strategy.Syscall || k == strategy.SyscallRead }

// contested is the fast path of chosen, for when only the strategy is to be asked and t is at a
// point.
//
//go:norace
func (s *Tasks) contested(t *core.Task) (number int32) {
	number = None // if the strategy panics
	defer s.RecoverStrategy()
	next := core.TaskOf(s.At(s.Ask()))
	s.Step++
	t.Decisions++
	if next != t {
		s.leave(t, next)
	}
	return of(next).number
}

// leave makes next the current task, in place of t, which is at a point and may be about to lock.
//
//go:norace
func (s *Tasks) leave(t, next *core.Task) {
	if t != nil && of(t).word != 0 && !of(t).awaits {
		s.awaitLock(t)
	}
	s.SetCurrent(next)
	if of(next).awaits {
		s.stopAwaiting(next)
	}
}

// stopAwaiting is called when t, which has waited for a lock, has been chosen to take it.
//
//go:norace
func (s *Tasks) stopAwaiting(t *core.Task) {
	of(t).awaits = false
	s.removeAwaiting(t)
	s.RemoveWaiter(t.Object, t)
}

//go:norace
func (s *Tasks) Select(channels []unsafe.Pointer, sends int, poll bool) int32 {
	t := s.Running()
	s.settle(t)
	of(t).pending, of(t).settled, of(t).word = true, false, 0
	t.Op = strategy.Op{Kind: strategy.Select}
	t.Object, t.HasDefault, of(t).sends = nil, poll, sends
	of(t).polls = of(t).polls[:0]
	others := of(t).others[:0]
	for _, x := range channels {
		o := s.Objects.At(x)
		of(t).polls = append(of(t).polls, o)
		if t.Object == nil {
			t.Object, of(t).x = o, uintptr(x)
			t.Op.Object = o.ID
		} else if t.Op.Others = others; !t.Op.Touches(o.ID) {
			others = append(others, o.ID)
			t.Op.Others = others
		}
	}
	if of(t).others = others; s.Observed {
		of(t).others = nil // events refer to it
	}
	return s.announced(t)
}

// announced decides which task continues, once t has announced its operation.
//
//go:norace
func (s *Tasks) announced(t *core.Task) int32 {
	if s.Tracing {
		s.tracePooled(t)
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
func (s *Tasks) chosenAtRoot() int32 {
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
func (s *Tasks) After() int32 {
	t := s.Running()
	if !of(t).pending && !of(t).resuming { // of an operation inside another one
		return of(t).number
	}
	atRoot := isSyscall(t.Op.Kind)
	of(t).settled, of(t).decisions = of(t).pending, t.Decisions
	s.settle(t)
	of(t).word = 0
	if s.lone() {
		return of(t).number
	}
	t.Op = strategy.Op{Kind: strategy.After} // until it announces something else
	t.DecisionsAfter = 0
	if atRoot {
		return s.chosenAtRoot()
	}
	return s.chosen()
}

//go:norace
func (s *Tasks) Pick(n int) int {
	if s.Stopping {
		return 0
	}
	defer s.RecoverStrategy()
	return s.PickCase(s.Running(), n)
}

//go:norace
func (s *Tasks) Collect(done bool) {
	if done {
		s.Objects.KeepAgain()
		s.Pools.KeepAgain()
		return
	}
	s.Progress = s.Step // finalizers and weak pointers show it
	if t := s.Running(); t != nil {
		s.settle(t) // what it has done, with what may be freed
	}
	s.Objects.KeepWeakly()
	s.Pools.KeepWeakly()
}

//go:norace
func (s *Tasks) Barred(i int) (task int32, lock uintptr, reads bool) {
	for _, t := range s.awaiting {
		if canLock(t) {
			continue
		}
		if i--; i < 0 {
			return of(t).number, of(t).word, t.Op.Kind == strategy.RLock
		}
	}
	return None, 0, false
}

// canLock reports whether the lock that t waits for is free. The engine must not hold a pointer to it,
// by which the garbage collector would find it: the core keeps it.
//
//go:norace
func canLock(t *core.Task) bool {
	return **(**int32)(unsafe.Pointer(&of(t).word))&of(t).busy == 0
}

// awaitLock makes t, which is about to lock, depend on whether its lock is free.
//
//go:norace
func (s *Tasks) awaitLock(t *core.Task) {
	of(t).awaits = true
	of(t).since = s.Step
	of(t).place = len(s.awaiting)
	s.awaiting = append(s.awaiting, t)
	s.AddWaiter(t.Object, t)
}

// fewAwaiting is the number of tasks that wait for locks up to which they are kept in their order.
const fewAwaiting = 32

// removeAwaiting removes t from the tasks that wait for locks. If there are many, the last one takes its place.
//
//go:norace
func (s *Tasks) removeAwaiting(t *core.Task) {
	last := len(s.awaiting) - 1
	if i := of(t).place; last < fewAwaiting {
		for ; i < last; i++ {
			next := s.awaiting[i+1]
			s.awaiting[i], of(next).place = next, i
		}
	} else {
		moved := s.awaiting[last]
		s.awaiting[i], of(moved).place = moved, i
	}
	s.awaiting[last] = nil
	s.awaiting = s.awaiting[:last]
}

// lone reports whether at most one task can continue, beside the clock.
//
//go:norace
func (s *Tasks) lone() bool {
	n := s.Len()
	return n < 2 || n == 2 && s.Clock != nil && s.Clock.Place >= 0
}
