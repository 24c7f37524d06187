package real

import (
	"fmt"
	"slices"

	"github.com/rouse-go/rouse/chaos/internal/core"
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
func (s *Tasks) endMain() {
	s.mainEnded, s.ended = true, s.runtime.Now()
	s.Limit = min(s.Limit, 2*(s.Step-s.SoloSteps)+mostAfterMain)
	s.calm, s.bears = 0, core.FairSteps
}

// IsFailure reports whether an execution in which no task can continue has failed.
//
//go:norace
func (s *Tasks) IsFailure() bool { return !s.mainEnded || !s.allowLeaks }

// LeavesCoroutines reports whether the test has ended and has left coroutines, which is a failure.
//
//go:norace
func (s *Tasks) LeavesCoroutines() bool {
	if !s.mainEnded || s.allowLeaks {
		return false
	}
	_, _, ok := s.runtime.Coroutine(0)
	return ok
}

// coroutines describes the coroutines that are left, each by the stack on which it was made.
func (s *Tasks) coroutines() (states []core.TaskState) {
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
			path += " of " + s.tasks[maker].Path()
		}
		p := s.newPlace(pcs)
		states = append(states, core.TaskState{Path: path, Kind: strategy.Resume, Waits: "waits for next or stop of iter.Pull", Stack: p.frames, Call: p.call})
	}
}

// Cut is called when the execution has reached its limit. It reports whether that ends it without the
// verdict of a limit: tasks may be left, or some task waits for something that can never happen.
//
//go:norace
func (s *Tasks) Cut() bool {
	if s.mainEnded && s.allowLeaks {
		s.Stopping, s.Left = true, true
		return true
	}
	if s.mainEnded {
		s.FailWith(verdict.Leak, "", "")
		return true
	}
	if !s.atRoot {
		s.cutting = true // the root looks: what is on its stack is known
		s.Stopping = true
		return true
	}
	return s.findLost() || s.findStuck(true)
}

// findLost looks for tasks that have parked and that nothing can wake, beside others that can continue.
// It ends the execution if there are any, and the first task is one of them or has ended.
//
//go:norace
func (s *Tasks) findLost() bool {
	if len(s.lost) > 0 || s.Outcome.Verdict != "" {
		return len(s.lost) > 0
	}
	var stopped []int32
	var locks []uintptr
	for _, t := range s.tasks {
		switch h := of(t); {
		case h.awaits && canLock(t): // it has been stopped before it locks
		case h.awaits:
			stopped, locks = append(stopped, h.number), append(locks, h.word)
		case h.parked && !h.external:
			stopped, locks = append(stopped, h.number), append(locks, 0)
		}
	}
	if len(stopped) == 0 {
		return false
	}
	s.Pools.Forget()
	s.Objects.Forget() // the garbage collector would find them through the engine
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
	s.FailWith(v, "", "")
	return true
}

//go:norace
func (s *Tasks) Panicked(value any, fatal bool, stack []byte) {
	t := s.Running()
	s.settle(t)
	what := "panic"
	if fatal {
		what = "fatal error"
	}
	s.Outcome.Deliberate = s.Outcome.Verdict == "" && isDeliberate(value, fatal, string(stack), s.isOwn)
	s.FailWith(verdict.Panicked, fmt.Sprintf("task %s: %s: %v", t.Path(), what, value), string(stack))
}

// Interrupt has the running task stopped if it is still in that step.
//
//go:norace
func (s *Tasks) Interrupt(step int) bool {
	s.stuckAt = step
	s.runtime.Interrupt()
	return true
}

//go:norace
func (s *Tasks) Interrupted() {
	t := s.Running()
	if s.Step != s.stuckAt {
		s.goesOn = t // it was slow
		return
	}
	s.settle(t)
	s.Disable(t)
	s.FailWith(verdict.Livelock, fmt.Sprintf("task %s runs without end and without an operation that others could see", t.Path()), "")
	s.interrupted = t
}

//go:norace
func (s *Tasks) wokenOutside(t *core.Task) {
	if s.outside.Wakes++; s.outside.Wakes == 1 {
		s.outside.First = of(t).reason + " in " + s.stateOf(t).Place()
	}
}

// recordLeft records the tasks that have not ended, if they are part of the verdict.
func (s *Tasks) recordLeft() {
	o := &s.Outcome
	if s.cutting && o.Verdict == "" && !s.findLost() && !s.findStuck(true) {
		s.Stopping = false
		s.Engine.CutNow()
	}
	if s.owners.cycle {
		s.addWaiters()
	}
	switch {
	case o.Verdict != verdict.Deadlock && o.Verdict != verdict.Leak && o.Verdict != verdict.Livelock && !o.Cut:
		return
	case len(s.lost) > 0:
		for _, t := range s.lost {
			o.Tasks = append(o.Tasks, s.stateOf(t))
		}
	case s.interrupted != nil:
		o.Tasks = append(o.Tasks, s.stateOf(s.interrupted))
		return
	default:
		for _, t := range s.tasks {
			if !t.Ended {
				o.Tasks = append(o.Tasks, s.stateOf(t))
			}
		}
		if o.Verdict == verdict.Leak {
			o.Tasks = append(o.Tasks, s.coroutines()...)
		}
	}
	_, pending := s.runtime.NextTimer()
	o.Test, o.Partial = true, o.Verdict == verdict.Deadlock && len(s.lost) > 0 && (len(s.lost) < s.Alive || pending)
	o.Summary = core.Summarize(*o)
	if o.Verdict != verdict.Timeout && !o.Cut {
		s.Judge()
	}
}

// stateOf returns where a task is stopped. It is called on the root, or on the stack of another
// task.
func (s *Tasks) stateOf(t *core.Task) core.TaskState {
	h := of(t)
	p := s.stackOf(t)
	setEntry(t, p.frames)
	state := core.TaskState{
		Path: t.Path(), Name: t.Name(), Entry: t.Entry, Kind: t.Op.Kind, Since: h.since, Stack: p.frames, Call: p.call, Moved: 2*t.Moved >= s.Step,
		Standard: len(p.frames) > 0 && isStandard(p.frames[0].File),
	}
	if s.recurrence.livelock {
		state.Moved = t.Moved >= s.recurrence.from
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
		state.Waits = t.Describe()
	}
	// The object of a system call is all that is outside, and no lock of a file; that of a sleep is all sleeps.
	if (h.parked || h.awaits) && op.Kind != strategy.Syscall && op.Kind != strategy.Sleep {
		state.Object = op.Object
		if op.Kind == strategy.Select && op.Object > 0 {
			for i, o := range h.polls {
				state.Cases = append(state.Cases, core.ChannelCase{Object: o.ID, Send: i < h.sends})
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
func (h *task) waitingIn() strategy.Op {
	w, known := waits[h.reason]
	switch {
	case h.reason == "sync.Cond.Wait": // it has unlocked since it joined the queue
		return strategy.Op{Kind: strategy.Wait, Object: h.joined}
	case known && h.waitsIn.Kind == w.kind:
		return h.waitsIn
	}
	return strategy.Op{Kind: strategy.Resume}
}
