package control

import (
	"fmt"
	"slices"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// mostAfterMain bounds the steps of the tasks that are left when the first one has ended: as many as
// there were before, plus this many.
const mostAfterMain = 10_000

// When the first task has ended, tasks and timers that are left have the time, in nanoseconds, that passes in any
// process after a test, as when go test runs the next one; a time-out that was not stopped is longer. Tasks have
// the time to end if they count.
const (
	timeBeyond = hasty
	timeToEnd  = hour
)

//go:norace
func (s *runtimeTasks) endMain() {
	s.mainEnded, s.ended = true, s.runtime.Now()
	s.limit = min(s.limit, 2*(s.Step-s.soloSteps)+mostAfterMain)
	s.calm, s.bears = 0, fairSteps
}

// isFailure reports whether an execution in which no task can continue has failed.
//
//go:norace
func (s *runtimeTasks) isFailure() bool { return !s.mainEnded || !s.allowLeaks }

// leavesCoroutines reports whether the test has ended and has left coroutines, which is a failure.
//
//go:norace
func (s *runtimeTasks) leavesCoroutines() bool {
	if !s.mainEnded || s.allowLeaks {
		return false
	}
	_, _, ok := s.runtime.Coroutine(0)
	return ok
}

// coroutines describes the coroutines that are left, each by the stack on which it was made.
func (s *runtimeTasks) coroutines() (states []TaskState) {
	for i := 0; ; i++ {
		maker, pcs, ok := s.runtime.Coroutine(i)
		if !ok {
			return states
		}
		if at := slices.Index(pcs, 0); at >= 0 {
			pcs = pcs[:at]
		}
		path := "a coroutine"
		if maker != None {
			path += " of " + s.tasks[maker].path()
		}
		p := s.newPlace(pcs)
		states = append(states, TaskState{Path: path, Kind: strategy.Resume, Waits: "waits for next or stop of iter.Pull", Stack: p.frames, Call: p.call})
	}
}

// cut is called when the execution has reached its limit. It reports whether that ends it without the
// verdict of a limit: tasks may be left, or some task waits for something that can never happen.
//
//go:norace
func (s *runtimeTasks) cut() bool {
	if s.mainEnded && s.allowLeaks {
		s.stopping, s.left = true, true
		return true
	}
	if s.mainEnded {
		s.fail(verdict.Leak, "", "")
		return true
	}
	if !s.atRoot {
		s.cutting = true // the root looks: what is on its stack is known
		s.stopping = true
		return true
	}
	return s.findLost() || s.findStuck(true)
}

// findLost looks for tasks that have parked and that nothing can wake, beside others that can continue.
// It ends the execution if there are any, and the first task is one of them or has ended.
//
//go:norace
func (s *runtimeTasks) findLost() bool {
	if len(s.lost) > 0 || s.outcome.verdict != "" {
		return len(s.lost) > 0
	}
	var stopped []int32
	var locks []uintptr
	for _, t := range s.tasks {
		switch h := &t.real; {
		case h.awaits && t.canLock(): // it has been stopped before it locks
		case h.awaits:
			stopped, locks = append(stopped, h.number), append(locks, h.word)
		case h.parked && !h.external:
			stopped, locks = append(stopped, h.number), append(locks, 0)
		}
	}
	if len(stopped) == 0 {
		return false
	}
	s.objects.forget() // the garbage collector would find them through the engine
	unreachable := s.runtime.Unreachable(stopped, locks)
	for i, number := range stopped {
		if unreachable[i] {
			s.lost = append(s.lost, s.tasks[number])
		}
	}
	if len(s.lost) == 0 {
		return false
	}
	v := verdict.Leak
	if !s.mainEnded {
		if !slices.Contains(s.lost, s.tasks[0]) { // the test goes on: they are left
			s.lost = s.lost[:0]
			return false
		}
		v = verdict.Deadlock
	}
	s.fail(v, "", "")
	return true
}

//go:norace
func (s *runtimeTasks) Panicked(value any, fatal bool, stack []byte) {
	t := s.current()
	s.settle(t)
	what := "panic"
	if fatal {
		what = "fatal error"
	}
	s.outcome.deliberate = s.outcome.verdict == "" && isDeliberate(value, fatal, string(stack), s.isOwn)
	s.fail(verdict.Panicked, fmt.Sprintf("task %s: %s: %v", t.path(), what, value), string(stack))
}

// interrupt has the running task stopped if it is still in that step.
//
//go:norace
func (s *runtimeTasks) interrupt(step int) bool {
	s.stuckAt = step
	s.runtime.Interrupt()
	return true
}

//go:norace
func (s *runtimeTasks) Interrupted() {
	t := s.current()
	if s.Step != s.stuckAt {
		s.goesOn = t // it was slow
		return
	}
	s.settle(t)
	s.disable(t)
	s.fail(verdict.Livelock, fmt.Sprintf("task %s runs without end and without an operation that others could see", t.path()), "")
	s.interrupted = t
}

//go:norace
func (s *runtimeTasks) wokenOutside(t *task) {
	if s.outside.Wakes++; s.outside.Wakes == 1 {
		s.outside.First = t.real.reason + " in " + s.stateOf(t).Place()
	}
}

// recordLeft records the tasks that have not ended, if they are part of the verdict.
func (s *runtimeTasks) recordLeft() {
	o := &s.outcome
	if s.cutting && o.verdict == "" && !s.findLost() && !s.findStuck(true) {
		s.stopping = false
		s.engine.cutNow()
	}
	if s.owners.cycle {
		s.addWaiters()
	}
	switch {
	case o.verdict != verdict.Deadlock && o.verdict != verdict.Leak && o.verdict != verdict.Livelock && !o.cut:
		return
	case len(s.lost) > 0:
		for _, t := range s.lost {
			o.tasks = append(o.tasks, s.stateOf(t))
		}
	case s.interrupted != nil:
		o.tasks = append(o.tasks, s.stateOf(s.interrupted))
		return
	default:
		for _, t := range s.tasks {
			if !t.ended {
				o.tasks = append(o.tasks, s.stateOf(t))
			}
		}
		if o.verdict == verdict.Leak {
			o.tasks = append(o.tasks, s.coroutines()...)
		}
	}
	_, pending := s.runtime.NextTimer()
	o.test, o.partial = true, o.verdict == verdict.Deadlock && len(s.lost) > 0 && (len(s.lost) < s.alive || pending)
	o.summary = summarize(*o)
	if o.verdict != verdict.Timeout && !o.cut {
		s.judge()
	}
}

// stateOf returns where a task is stopped. It is called on the root, or on the stack of another
// task.
func (s *runtimeTasks) stateOf(t *task) TaskState {
	h := &t.real
	p := s.stackOf(t)
	setEntry(t, p.frames)
	state := TaskState{
		Path: t.path(), Name: t.name(), Entry: t.entry, Kind: t.Op.Kind, Since: h.since, Stack: p.frames, Call: p.call, moved: 2*t.moved >= s.Step,
	}
	if s.recurrence.livelock {
		state.moved = t.moved >= s.recurrence.from
	}
	op := t.Op
	switch {
	case h.parked:
		op = h.waitingIn()
		state.Kind = op.Kind
		state.Waits = waitsFor(h.reason)
	case t == s.interrupted:
		state.Waits = "runs without end"
	case op.Kind == strategy.Resume:
		state.Waits = "is about to continue"
	default:
		state.Waits = t.describe()
	}
	if (h.parked || h.awaits) && op.Kind != strategy.Syscall { // whose object is all that is outside, and no lock of a file
		state.Object = op.Object
		if op.Kind == strategy.Select && op.Object > 0 {
			for i, o := range h.polls {
				state.Cases = append(state.Cases, ChannelCase{Object: o.id, Send: i < h.sends})
			}
		}
	}
	return state
}

// A wait describes what a goroutine that parks for a reason waits for.
type wait struct {
	text string
	kind strategy.Kind // of its operation; Resume if it has none
}

// waits maps the reasons of a traceback to waits; other reasons are shown as they are.
var waits = map[string]wait{
	"chan receive":            {"waits to receive", strategy.Receive},
	"chan receive (nil chan)": {"waits to receive from a nil channel", strategy.Receive},
	"chan send":               {"waits to send", strategy.Send},
	"chan send (nil chan)":    {"waits to send on a nil channel", strategy.Send},
	"select":                  {"waits in a select", strategy.Select},
	"select (no cases)":       {"waits in a select without cases", strategy.Resume},
	sleeping:                  {"sleeps", strategy.Sleep},
	"sync.Cond.Wait":          {"waits to be woken", strategy.Wait},
	"sync.Mutex.Lock":         {"waits for a lock", strategy.Lock},
	"sync.RWMutex.Lock":       {"waits for the readers of a lock", strategy.Lock},
	"sync.RWMutex.RLock":      {"waits for a lock", strategy.RLock},
	"sync.WaitGroup.Wait":     {"waits for a WaitGroup", strategy.Wait},
	"IO wait":                 {"waits for input or output", strategy.Resume},
	"semacquire":              {"waits for another goroutine that reads or writes the same file", strategy.Lock},
	"file lock":               {"waits for the lock of a file", strategy.Syscall},
	"child process":           {"waits for a child process", strategy.Resume},
}

func waitsFor(reason string) string {
	if w, ok := waits[reason]; ok {
		return w.text
	}
	return "waits: " + reason
}

// waitingIn returns the operation in which the task has parked, without an object if that is
// unknown: not every wait has a point, and what the task announced last may have been done.
//
//go:norace
func (h *realTask) waitingIn() strategy.Op {
	w, known := waits[h.reason]
	switch {
	case h.reason == "sync.Cond.Wait": // it has unlocked since it joined the queue
		return strategy.Op{Kind: strategy.Wait, Object: h.joined}
	case known && h.waitsIn.Kind == w.kind:
		return h.waitsIn
	}
	return strategy.Op{Kind: strategy.Resume}
}
