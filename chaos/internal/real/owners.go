package real

import (
	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// This file finds a deadlock beside tasks that can continue: a ticker keeps the execution running, and can
// reach the locks, so the garbage collector cannot decide (see findLost). What decides is which task holds
// which lock.
//
// A task that waits for a lock is stuck if the lock's owner is stuck, has ended or is the task itself; a writer that
// waits for readers is stuck if one of them is. An owner is known as long as all that have unlocked the lock in this
// execution had locked it: a mutex may be a semaphore, which others unlock. Nor does that prove anything about what
// comes: a watchdog may unlock what it has never unlocked before. So a set of stuck tasks is a deadlock only once it
// has stood for hangTime of virtual time, early firings not counted, and no task has slept for as long, or for half of
// the limit of steps. Should tasks that work keep time from passing, it passes beside them as soon as the set has
// stood for standingSteps.
//
// A wait for a channel, a WaitGroup or a condition has no owner. But a test whose own goroutine has
// been in one wait for longHang, or for hangTime and hangSteps, hangs.

const minute = 60e9 // in nanoseconds

const (
	// hangTime is the time after which go test ends a test that hangs.
	hangTime = 10 * minute
	// longHang is how long a test may wait for a goroutine that counts seconds, which takes no time here, and
	// hangSteps how many steps it may wait if it takes longer than hangTime. hangLooks is how often it must
	// have been seen in that wait: time jumps.
	longHang, hangSteps, hangLooks = 2 * hour, 2_000_000, 16
	// standingSteps is how long tasks that work may keep time from passing beside stuck ones.
	standingSteps = 1 << 14
	// Then there are standingPolls steps between two moves of time, by standingTime at most.
	standingPolls, standingTime = 17, 1e9
	// ownersEvery and ownersSteps are the time and the steps between two looks at owners; later it is what
	// has passed so far, divided by ownersShare.
	ownersEvery, ownersSteps, ownersShare = minute, 1 << 13, 16
)

// owners holds what an execution knows of tasks that are stuck beside others.
type owners struct {
	next   int64 // the time of the next look (see patientTime)
	step   int   // and its step, whichever comes first
	from   int   // the step in which stuck tasks were seen first; 0 if there are none
	passed int   // the step in which time last passed beside them, or from
	worked int64 // how much time has passed by steps of tasks that could continue
	stuck  []*core.Task
	main   standing
	cycle  bool // the verdict is about them
}

// standing holds since when a task has been seen in its current wait.
type standing struct {
	step  int   // in which the wait began
	time  int64 // when it was seen first
	looks int   // how often it was seen; 0 if it was not
}

// seen updates the standing of t.
//
//go:norace
func (at *standing) seen(t *core.Task, now int64) {
	if at.looks == 0 || at.step != of(t).since {
		*at = standing{step: of(t).since, time: now}
	}
	at.looks++
}

// owned records what t has done to a lock.
//
//go:norace
func (s *Tasks) owned(t *core.Task, o *core.Object, kind strategy.Kind) {
	switch kind {
	case strategy.Lock, strategy.TryLock:
		o.Owner = t
	case strategy.Unlock:
		if o.Owner != nil && o.Owner != t {
			o.Handed = true
		}
		o.Owner = nil
	case strategy.RLock, strategy.TryRLock:
		o.Queue = append(o.Queue, t)
	case strategy.RUnlock:
		if !core.Remove(&o.Queue, t) {
			o.Handed = true
		}
	}
}

// patientTime returns the virtual time without what early firings and the steps of tasks that work have
// added to it.
//
//go:norace
func (s *Tasks) patientTime() int64 { return s.runtime.Now() - s.kept - s.owners.worked }

// watchOwners looks for stuck tasks if it is time for that when ahead nanoseconds have passed. It reports
// whether the execution ends.
//
//go:norace
func (s *Tasks) watchOwners(ahead int64) bool {
	w := &s.owners
	now := s.patientTime() + ahead
	if now < w.next && s.Step < w.step || s.isOverlooked() {
		return false
	}
	w.next = now + max(ownersEvery, now/ownersShare)
	w.step = s.Step + max(ownersSteps, s.Step/ownersShare)
	return s.findStuck(false)
}

// findStuck ends the execution if tasks are stuck, or the test hangs, for long enough; atLimit: it has
// reached its limit of steps.
//
//go:norace
func (s *Tasks) findStuck(atLimit bool) bool {
	if s.mainEnded || s.Outcome.Verdict != "" {
		return false
	}
	w, now := &s.owners, s.patientTime()
	if s.findBlocked(); len(w.stuck) == 0 {
		w.from = 0
	} else if w.from == 0 {
		w.from, w.passed = s.Step, s.Step
	}
	for _, t := range w.stuck {
		at := &of(t).standing
		at.seen(t, now)
		of(t).stuck = now-at.time >= hangTime || atLimit && s.Step-at.step >= s.Limit/2
	}
	if s.keepStuck(); len(w.stuck) > 0 && !s.isOverlooked() && (atLimit || !s.sleepsSince(w.from)) {
		w.cycle = true
		s.failStuck()
		return true
	}
	return s.hangs(now, atLimit)
}

// stands makes time pass beside stuck tasks, or gives a turn to a task that has had none since it did.
//
//go:norace
func (s *Tasks) stands() {
	if t := s.overlooked(); t != nil {
		s.turn(t)
		return
	}
	s.letPass(standingTime)
	s.owners.passed = s.Step
}

// overlooked returns a task that can continue, and has not since time has passed beside stuck ones: it may be
// the one that unlocks.
//
//go:norace
func (s *Tasks) overlooked() *core.Task {
	for _, other := range s.All() {
		if t := core.TaskOf(other); !t.Pseudo && t.Moved < s.owners.passed {
			return t
		}
	}
	return nil
}

//go:norace
func (s *Tasks) isOverlooked() bool { return s.owners.from > 0 && s.overlooked() != nil }

// hangs ends the execution if the test's own goroutine has been in one wait for too long.
//
//go:norace
func (s *Tasks) hangs(now int64, atLimit bool) bool {
	main, at := s.tasks[0], &s.owners.main
	if !isBlocked(main) {
		at.looks = 0
		return false
	}
	at.seen(main, now)
	waited, steps := now-at.time, s.Step-at.step
	if waited < hangTime || at.looks < hangLooks || waited < longHang && steps < hangSteps && !atLimit {
		return false
	}
	still := at.step + steps/2
	if s.sleepsSince(still) || !s.outsideIsIdle() {
		return false
	}
	s.owners.stuck = s.owners.stuck[:0]
	for _, t := range s.tasks {
		if t == main || t.Moved <= still && isBlocked(t) {
			s.owners.stuck = append(s.owners.stuck, t)
		}
	}
	s.failStuck()
	return true
}

// isBlocked reports whether t waits for another task.
//
//go:norace
func isBlocked(t *core.Task) bool {
	h := of(t)
	return h.awaits && !canLock(t) || h.parked && !h.external && h.reason != sleeping
}

// outsideIsIdle reports whether nothing outside is about to wake a task: on the root, after some patience.
//
//go:norace
func (s *Tasks) outsideIsIdle() bool {
	if s.runtime.Children() > 0 {
		return false
	}
	return s.externals == 0 || s.atRoot && s.NoneEnabled() && !s.await(int64(s.Grace), int64(s.Grace))
}

// sleepsSince reports whether a task sleeps that has made no step since that one: it may end a wait.
//
//go:norace
func (s *Tasks) sleepsSince(step int) bool {
	for _, t := range s.tasks {
		if t.Moved <= step && of(t).parked && of(t).reason == sleeping {
			return true
		}
	}
	return false
}

// findBlocked finds the tasks that are stuck by the owners of locks.
//
//go:norace
func (s *Tasks) findBlocked() {
	w := &s.owners
	w.stuck = w.stuck[:0]
	for _, t := range s.tasks {
		if of(t).stuck = s.waitsForOwner(t) != nil; of(t).stuck {
			w.stuck = append(w.stuck, t)
		}
	}
	s.keepStuck()
	for _, t := range s.tasks {
		if !of(t).stuck {
			of(t).standing.looks = 0
		}
	}
}

// keepStuck keeps, of the tasks that may be stuck, those whose owner, or one of the readers that they wait
// for, is among them or never unlocks.
//
//go:norace
func (s *Tasks) keepStuck() {
	for changed := true; changed; {
		changed = false
		left := s.owners.stuck[:0]
		for _, t := range s.owners.stuck {
			if of(t).stuck && s.ownerIsStuck(t) {
				left = append(left, t)
			} else {
				of(t).stuck, changed = false, true
			}
		}
		s.owners.stuck = left
	}
}

// waitsForOwner returns the lock that t waits for, if its owners are known.
//
//go:norace
func (s *Tasks) waitsForOwner(t *core.Task) *core.Object {
	h := of(t)
	var o *core.Object
	switch {
	case h.awaits && !canLock(t):
		o = t.Object
	case h.parked && h.reason == drains && h.waitsIn.Kind == strategy.Lock && h.waitsIn.Object > 0:
		o = s.Objects.List[h.waitsIn.Object-1]
	}
	if o == nil || o.Handed {
		return nil
	}
	return o
}

// drains is the reason for which a writer has parked that waits for readers.
const drains = "sync.RWMutex.Lock"

//go:norace
func (s *Tasks) ownerIsStuck(t *core.Task) bool {
	o := s.waitsForOwner(t)
	if of(t).awaits {
		return o.Owner != nil && keepsLocks(o.Owner, t)
	}
	for _, reader := range o.Queue {
		if keepsLocks(reader, t) {
			return true
		}
	}
	return false
}

// keepsLocks reports whether an owner of what t waits for never unlocks.
//
//go:norace
func keepsLocks(owner, t *core.Task) bool { return owner == t || owner.Ended || of(owner).stuck }

// failStuck ends the execution, in which tasks are stuck.
//
//go:norace
func (s *Tasks) failStuck() {
	s.lost = s.lost[:0]
	//lint:ignore S1011 the race detector would see append with all of them
	for _, t := range s.owners.stuck {
		s.lost = append(s.lost, t)
	}
	s.FailWith(verdict.Deadlock, "", "")
}

// addWaiters adds to the tasks that are stuck by the owners of locks those that only they could wake. It is
// called on the root.
func (s *Tasks) addWaiters() {
	var blocked []int32
	var locks []uintptr
	for _, t := range s.tasks {
		switch h := of(t); {
		case h.stuck:
			blocked, locks = append(blocked, h.number), append(locks, Never)
		case h.awaits && !canLock(t):
			blocked, locks = append(blocked, h.number), append(locks, h.word)
		case h.parked && !h.external:
			blocked, locks = append(blocked, h.number), append(locks, 0)
		}
	}
	s.Pools.Forget()
	s.Objects.Forget()
	unreachable := s.runtime.Unreachable(blocked, locks)
	s.lost = s.lost[:0]
	for i, number := range blocked {
		if t := s.tasks[number]; of(t).stuck || unreachable[i] {
			s.lost = append(s.lost, t)
		}
	}
}
