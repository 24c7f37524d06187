package real

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/internal/splitmix"
)

// A task that spins may wait for a timer, or for time to pass; but it may also be in a bounded loop that only reads
// and yields, such as one that logs at a level that is off. No time passes on account of that, since a time-out would
// be hit because of a loop that takes no time at all. So if only tasks that spin can continue, they first run on
// alone, each for as many rounds as a loop may have that polls, and then for as long as the execution has patience,
// which is less if all is seen to be as it was before. Then some time passes if they have asked for it, and if not,
// the next timer fires. If that is not seen, the firing is early, as a task may have worked: unless the steps of the
// loops have taken as long, as those of work do (see workTime).

const (
	// patientYields is how often a task yields in a row, without a step that can have changed something,
	// until it may be waiting: in a loop that looks at plain variables under a lock.
	patientYields = 100
	// fewStates is how many states of a task that yields are compared: a loop that waits may have some
	// rounds that are not like the last.
	fewStates = 4
	// patientSteps bounds the steps, or yields, for which tasks run on, all together; so does the limit of steps,
	// divided by patientShare. Those of a task that has come back to an earlier state count recurringCost times. A
	// task that begins to wait gets a waitShare-th of what is left, divided by the number of tasks that can continue.
	patientSteps  = 1 << 21
	patientShare  = 4
	recurringCost = 8
	waitShare     = 4
	// recurringSpins is the number of steps, or yields, after which such a task is waiting.
	recurringSpins = 1 << 16
	// mostWords bounds the words of which the whole is compared in an execution: a few tenths of a
	// second.
	mostWords = 1 << 24
	// The time that passes grows by a hurry-th of itself each time in a row.
	hurry = 8
)

// runSpinnersOn lets the tasks run alone that are held back and have not yet done so for long, since no other task
// can continue: a bounded loop ends before a timer fires. It reports whether there are any.
//
//go:norace
func (s *Tasks) runSpinnersOn() bool {
	if s.SoloSteps >= s.MaxSteps {
		return false
	}
	hurries := s.hurries()
	for _, t := range s.Spinners {
		s.beginWait(t)
	}
	kept := 0
	for _, t := range s.Spinners {
		if r := t.Spin; r.Endless && (!hurries || of(t).spins || s.spare <= 0 && !s.worksOn(t)) {
			s.Spinners[kept] = t
			kept++
		} else {
			s.runOnAlone(t)
		}
	}
	resumed := kept < len(s.Spinners)
	s.Spinners = s.Spinners[:kept]
	return resumed
}

// mayWorkOn reports whether a task that spins has not been seen to come back to an earlier state, and does not ask for
// the time: it may work.
//
//go:norace
func (s *Tasks) mayWorkOn() bool {
	clock := s.clockObject()
	for _, t := range s.tasks {
		if (t.Spinning || t.IsEnabled()) && !of(t).recurs && !t.Spin.RepeatsRead(clock, false) {
			return true
		}
	}
	return false
}

// runOnAlone lets t, which was held back, continue alone.
//
//go:norace
func (s *Tasks) runOnAlone(t *core.Task) {
	t.Spinning = false
	t.Spin.Again(true)
	s.beginWait(t)
	of(t).looked = s.looks(t)
	s.Enable(t)
}

// RunsAlone is called when t begins to run alone.
//
//go:norace
func (s *Tasks) RunsAlone(t *core.Task) {
	h := of(t)
	s.beginWait(t)
	h.looked, h.compared, h.whole, h.recurs = s.looks(t), 0, 0, false
}

// beginWait begins a wait of t, if a step has changed something since the last one began. The steps that a task
// runs on are counted for as long as its wait lasts, and no task gets the share of another.
//
//go:norace
func (s *Tasks) beginWait(t *core.Task) (begun bool) {
	h := of(t)
	if h.progress == s.Progress {
		return false
	}
	h.progress, h.yielded, h.ranOn, h.compared, h.whole, h.recurs, h.spins = s.Progress, 0, 0, 0, 0, false, false
	h.share = max(s.spare/(waitShare*s.Contenders()), 1)
	s.beginWork()
	return true
}

// hurries reports whether time would pass if no task ran on: a timer is pending, or a task that is held back has
// asked for the time.
//
//go:norace
func (s *Tasks) hurries() bool {
	_, pending := s.runtime.NextTimer()
	return pending || s.anyReadsTime()
}

// RunsOn reports whether t, which has run alone for as long as a polling loop may, runs on all the same: time
// would pass otherwise, and t is not seen to come back to an earlier state. If other tasks can continue, or are
// held back, they get their turn.
//
//go:norace
func (s *Tasks) RunsOn(t *core.Task) bool {
	h := of(t)
	if t.Spin.Long > 0 {
		return false
	}
	if s.others(t) {
		h.spins = h.spins || s.isSpent(t, t.Spin.Steps, 4*t.Spin.N)
		return false
	}
	if s.looks(t) == h.looked && !s.hurries() {
		return false
	}
	h.spins = h.spins || s.isSpent(t, 1, 4*t.Spin.N)
	return !h.spins && (len(s.Spinners) == 0 || h.ranOn < recurringSpins)
}

// isSpent counts some more of the steps, or yields, for which t runs on, and reports whether these are enough.
//
//go:norace
func (s *Tasks) isSpent(t *core.Task, steps, states int) bool {
	h := of(t)
	h.ranOn += steps
	if s.recurs(t, states) {
		if h.ranOn >= recurringSpins {
			return true
		}
		steps *= recurringCost
	}
	s.spare -= steps
	h.share -= steps
	return h.share <= 0 && !s.worksOn(t)
}

// work holds since when, in steps and in time, nothing has changed but the time.
type work struct {
	progress, step int
	time           int64
}

// beginWork begins to count the time that loops work for, if a step has changed something since it began last.
//
//go:norace
func (s *Tasks) beginWork() {
	if s.work.progress != s.Progress {
		s.work = work{s.Progress, s.Step, s.runtime.Now()}
	}
}

// worked returns the time up to which loops that may work have worked since beginWork, if each has a
// processor.
//
//go:norace
func (s *Tasks) worked() int64 {
	return s.work.time + workTime*int64((s.Step-s.work.step)/s.Contenders())
}

// worksOn reports whether t is to run on, as it may work, until it has done so for so long that the next timer is not early.
//
//go:norace
func (s *Tasks) worksOn(t *core.Task) bool {
	if of(t).recurs {
		return false
	}
	at, pending := s.runtime.NextTimer()
	return pending && s.worked() < at && at <= s.work.time+workTime*int64(s.more/s.Contenders())
}

// passedFor is called when time has passed on account of loops, and mayWork is whether these may have worked. More
// time than work would have taken is early then.
//
//go:norace
func (s *Tasks) passedFor(mayWork bool) {
	if mayWork && s.runtime.Now() > s.worked() {
		s.Late++
	} else if mayWork {
		s.more = max(s.more-(s.Step-s.work.step), 0)
	}
}

// others reports whether a task other than t can continue.
//
//go:norace
func (s *Tasks) others(t *core.Task) bool {
	for _, other := range s.All() {
		if w := core.TaskOf(other); w != t && !w.Pseudo {
			return true
		}
	}
	return false
}

// recurs reports whether t, which is at a point, has come back to its state at the first of the last calls, and all
// else to what it was when t first did so. It compares up to most states, and then as many again.
//
//go:norace
func (s *Tasks) recurs(t *core.Task, most int) bool {
	h := of(t)
	if h.recurs || h.compared > 2*most || h.compared > most && h.whole == 0 {
		return h.recurs
	}
	state := s.state(t)
	if h.compared++; h.compared == 1 {
		h.state = state
	} else if state == h.state {
		whole, known := s.whole(t)
		if !known {
			h.compared = 2*most + 1
		}
		h.recurs = known && whole == h.whole
		h.whole = whole
	}
	return h.recurs
}

// whole returns a hash of all that tasks can use, of which tasks can continue, and of what t, which is at a point, is
// about to do. It is never 0. Once it is not known, it is not computed again in the execution, as that takes time.
//
//go:norace
func (s *Tasks) whole(t *core.Task) (whole uint64, known bool) {
	if s.words == 0 {
		return 0, false
	}
	most := min(s.words, wholeWords)
	whole, left := s.runtime.Whole(most)
	if left == 0 {
		s.words = 0
		return 0, false
	}
	s.words -= most - left
	whole = s.about(t, whole)
	for _, other := range s.tasks {
		if other.IsEnabled() || other.Spinning {
			whole = splitmix.Mix(whole, uint64(of(other).number))
		}
	}
	return whole | 1, true
}

// state returns a hash of what t, which is at a point, can use next, and of what it is about to
// do.
//
//go:norace
func (s *Tasks) state(t *core.Task) uint64 { return s.about(t, s.runtime.State()) }

// about adds to a state what t is about to do.
//
//go:norace
func (s *Tasks) about(t *core.Task, state uint64) uint64 {
	return splitmix.Mix(state, uint64(of(t).number)<<32|uint64(t.Op.Object)<<8|uint64(t.Op.Kind))
}

// yields is called when t is about to yield. If it has read, it lets others run first. If all tasks that
// can continue only wait in loops, time passes.
//
//go:norace
func (s *Tasks) yields(t *core.Task) {
	h := of(t)
	if looks := s.looks(t); s.beginWait(t) {
		h.looked = looks
	} else if looks != h.looked {
		t.Spin.Read(s.clockObject(), false)
		h.looked = looks
	}
	if t.Spin.N > 0 {
		t.Repeating = true
	}
	if h.yielded++; h.yielded < patientYields {
		return
	}
	if h.spins = h.spins || s.isSpent(t, 1, fewStates); !h.spins {
		return
	}
	for _, other := range s.All() {
		if w := core.TaskOf(other); !w.Pseudo && (of(w).progress != s.Progress || !of(w).spins) {
			return
		}
	}
	if len(s.Spinners) > 0 && s.runSpinnersOn() { // no time passes on account of a task that may be in a bounded loop
		return
	}
	if s.keepsPace(true) {
		return
	}
	s.fair.round.fresh = false
	mayWork := s.mayWorkOn()
	switch _, pending := s.runtime.NextTimer(); {
	case s.passTime():
	case pending && s.mayAdvance():
		s.Forced++
		s.fireDue()
	default: // nothing that they could wait for: a livelock
		return
	}
	s.passedFor(mayWork)
	s.passes()
}

// passTime lets some time pass if a task that spins has asked for it, more each time in a row: it waits for time to
// pass, and not for a timer that may be far away. It reports whether a task can continue.
//
//go:norace
func (s *Tasks) passTime() bool {
	if !s.anyReadsTime() {
		return false
	}
	if s.Progress > s.polled {
		s.poll = 0
	}
	s.poll, s.polled = min(max(s.poll+s.poll/hurry, core.PollStep), hour), s.Step
	s.letPass(s.poll)
	return !s.NoneEnabled()
}

// looks counts how often t has asked for the time, or looked at the channel of a timer.
//
//go:norace
func (s *Tasks) looks(t *core.Task) int { return s.runtime.LooksOf(of(t).number) }

// ReadsTime is called when t is held back. If it has asked for the time in its loop, it has read the
// clock object.
//
//go:norace
func (s *Tasks) ReadsTime(t *core.Task) {
	if r := t.Spin; (r.Endless || s.SoloSteps >= s.MaxSteps) && s.looks(t) != of(t).looked {
		r.Read(s.clockObject(), false)
	}
}

// anyReadsTime reports whether a task that spins has asked for the time since the time moved.
//
//go:norace
func (s *Tasks) anyReadsTime() bool {
	clock := s.clockObject()
	for _, t := range s.Spinners {
		if t.Spin.RepeatsRead(clock, false) {
			return true
		}
	}
	for _, t := range s.All() {
		if core.TaskOf(t).Spin.RepeatsRead(clock, false) {
			return true
		}
	}
	return false
}

// clockObject returns the object that a task reads when it asks for the time.
//
//go:norace
func (s *Tasks) clockObject() *core.Object { return s.Objects.At(unsafe.Pointer(&s.time)) }

// movedClock lets tasks continue that spin on the time.
//
//go:norace
func (s *Tasks) movedClock() {
	s.clockObject().Writes++
	if len(s.Spinners) > 0 {
		s.RecheckSpinners()
	}
}
