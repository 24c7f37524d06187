package sleep

import (
	"runtime"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/memory"
)

// JEC is rayon's sleep protocol, the default.
type JEC struct {
	counters atomicCounters
	parking
	workers           int // without spares
	roundsUntilSleepy uint32
	rules             rules // where they are not rayon's: see jec_rules.go
}

// newJEC returns the protocol's state, by options that have been checked.
func newJEC(workers int, c config) *JEC {
	s := &JEC{parking: newParking(workers + c.spares), workers: workers, roundsUntilSleepy: uint32(c.rounds), rules: c.rules}
	s.counters.init(c.widths, c.initialJEC)
	return s
}

// board: nobody need be told if nobody sleeps, nor has announced that it is sleepy since
// the last post.
func (s *JEC) board() board {
	c := &s.counters
	b := board{boardWord: boardWord{word: &c.value}, mask: uint64(c.oneJEC | c.sleepingMask), quiet: uint64(c.oneJEC),
		sleepers: uint64(c.sleepingMask), lookers: uint64(c.inactiveMask << c.inactiveShift)}
	if s.rules.everyJob {
		b.neverQuiet()
	}
	return b
}

func (s *JEC) jobDone() {} // who waits for a job has a latch

// StartLooking is A4.
func (s *JEC) StartLooking(worker int, idle *IdleState) {
	hooks.At(pointIdleEnter)
	s.counters.addInactive() // C1
	hooks.At(pointIdleEntered)
	idle.worker = worker
	idle.woken, idle.ahead = false, false
	idle.wakeFully()
}

// WorkFound is C: the worker stops searching, because it found a job or because
// its latch is set. It wakes up to two sleepers, in both cases: a poster may have
// counted on this worker, which was idle, and have woken nobody. Without that, a
// worker that leaves because of its latch can strand a job for good. Of two, the post that
// woke this worker may have woken one already (H4).
func (s *JEC) WorkFound(idle *IdleState) {
	hooks.At(pointFoundDecPre)
	c := s.counters.subInactive() // C2
	n := placesTaken(c, idle.ahead)
	if s.rules != (rules{}) {
		n = s.rules.afterFound(n, c)
	}
	hooks.At(pointFoundDecPost)
	if n == 0 {
		return
	}
	for range hooks.Notify(pointFoundWake) {
		s.wakeAny(n, false)
		if !hooks.Enabled {
			break
		}
	}
}

// NoWorkFound is E: the worker yields the processor, or announces that it is sleepy, or
// sleeps until somebody wakes it.
func (s *JEC) NoWorkFound(idle *IdleState, latch *CoreLatch, jobs Injected) {
	// Gosched is the runtime's, not that of hooks: under control that would be a step,
	// which does nothing and multiplies the schedules that there are.
	switch {
	case idle.rounds < s.roundsUntilSleepy:
		idle.rounds++
		runtime.Gosched()
	case !idle.announced:
		idle.jec, idle.announced = s.announceSleepy(), true
		runtime.Gosched()
	default:
		s.sleep(idle, latch, jobs)
	}
}

// announceSleepy is D: it makes the JEC even, if it is odd, and returns it. Any
// job posted from here on makes it odd, and so different.
func (s *JEC) announceSleepy() uint64 {
	c := &s.counters
	for {
		hooks.At(pointSleepyLoad)
		old := c.load()
		if c.isSleepy(old) || s.rules.everyJob { // another worker's announcement serves this one, too
			hooks.At(pointSleepyDone)
			return c.jec(old)
		}
		new := c.withJEC(old, hooks.Value(pointSleepyWrite, c.jec(old)+1))
		if !hooks.Fail(pointSleepyCASWindow) && c.cas(old, new) { // C4
			hooks.At(pointSleepyDone)
			return c.jec(new)
		}
	}
}

// sleep is F.
func (s *JEC) sleep(idle *IdleState, latch *CoreLatch, jobs Injected) {
	// F1: the latch becomes SLEEPY. If it is set, the caller's next probe sees it.
	if !latch.getSleepy() {
		return
	}

	// F2: the sleep lock. It is held from here to the wait, so that nobody can
	// notify this worker between its last look and its wait.
	p := &s.parkers[idle.worker]
	hooks.At(pointLockPre)
	p.mu.Lock()
	defer p.mu.Unlock()
	hooks.At(pointLockPost)

	// F3: the latch becomes SLEEPING, under the lock: whoever sets it from here on
	// notifies, and can do so only once this worker waits or has turned back.
	if !latch.fallAsleep() {
		idle.wakeFully()
		return
	}

	// F4, F5: the JEC check and sleeping++ are one CAS.
	for {
		now := s.counters.load() // C6
		seen := s.counters.withJEC(now, hooks.Value(pointJECCheck, s.counters.jec(now)))
		if s.counters.jec(seen) != idle.jec {
			idle.wakePartly(s.roundsUntilSleepy)
			latch.wakeUp()
			return
		}
		if !hooks.Fail(pointCASWindow) && s.counters.trySleeping(now) { // C5: IncSleepers
			break
		}
	}

	// F6: IncSleepers before ReadJob.
	hooks.At(pointRegistered)
	sleepFence()
	hooks.At(pointFenced)

	// F7: the final check. The JEC may have rolled over to the remembered value; a
	// job that came from outside must not be missed all the same.
	hooks.At(pointFinalCheckPre)
	found := s.rules.look(jobs) // ReadJob
	if !found {
		hooks.At(pointFinalCheckPost)
	} else if hooks.Fail(pointFinalCheckPost) {
		found = false
	}
	if found {
		s.counters.subSleeping() // C3: nobody woke this worker, so it unregisters itself
	} else {
		hooks.At(pointBlockPre)
		p.block() // F8
		idle.woken, idle.ahead = true, p.ahead
		hooks.At(pointWoken)
	}

	// F9: awake, at the first search again. The latch goes back to UNSET before
	// the lock is given up.
	idle.wakeFully()
	if found && s.rules.literal {
		idle.wakePartly(s.roundsUntilSleepy)
	}
	latch.wakeUp()
}

// sleepFence is SleepFence: IncSleepers comes before ReadJob in the eyes of
// every other goroutine. In Go it is empty: both are seq-cst atomics already
// (README.md, "Fences"). It has a name, and a hook point on either side, because
// the proof needs it.
func sleepFence() { memory.Fence(memory.SeqCst) }

// post is H, from where the board was not quiet.
func (s *JEC) post(seen uint64, worker, num int, queueWasEmpty bool) {
	c := s.counters.unpack(s.postJobs(word(seen))) // H1: ReadSleepers
	if c.Sleeping == 0 {                           // H2
		return
	}
	p := posted{worker, num, queueWasEmpty}
	n := p.wanted(c) // H3
	if s.rules != (rules{}) {
		n = s.rules.afterPost(n, p, c, s.workers)
	}
	ahead := s.rules.wakeAhead(n, p, c)
	if ahead {
		n++
	}
	if hooks.Enabled {
		hooks.At(pointPostDecide)
	}
	s.wakeAny(n, ahead) // H4
}

// postJobs is H1: it makes the JEC odd, if it is even, so that sleepy workers
// look again. seen is the word as the board showed it. The word that is returned is one
// consistent reading of all counters.
func (s *JEC) postJobs(seen word) word {
	c := &s.counters
	for old := seen; ; {
		new := old
		if c.isSleepy(old) || s.rules.everyJob {
			new = c.withJEC(old, hooks.Value(pointPostWrite, c.jec(old)+1))
			if hooks.Fail(pointPostCASWindow) || !c.cas(old, new) { // C4
				hooks.At(pointPostLoad)
				old = c.load()
				continue
			}
		}
		hooks.At(pointPostCounters)
		return new
	}
}

// wakeAny is I: it wakes up to n sleepers, those of lowest index first; if ahead, the last of
// them ahead of need. It is the slow way out of every post, and stays out of line.
//
//go:noinline
func (s *JEC) wakeAny(n int, ahead bool) {
	if n <= 0 {
		return
	}
	woken := 0
	for i := range s.parkers {
		hooks.At(pointWakeScan)
		if s.wakeSpecific(i, false, ahead) {
			if woken++; woken == n {
				break
			}
		}
	}
	// Each that is woken hands over the one before it. The last is to run at once, too,
	// unless it is there for that only.
	if woken > 0 && !(ahead && woken == n) {
		HandOver()
	}
}

// wakeSpecific is J: it wakes worker i if that is blocked. The lock makes sure
// that a worker on its way to sleep is either not yet blocked, and will look at
// its queues or its latch once more, or already waits. Who sleeps privately is not
// for posts to wake, and holds no unit of the counter. ahead is for the worker to know. The
// caller hands over whom it has woken.
func (s *JEC) wakeSpecific(i int, private, ahead bool) bool {
	p := &s.parkers[i]
	p.mu.Lock()
	defer p.mu.Unlock()
	hooks.At(pointWakeLock)
	if !p.blocked || p.private && !private {
		return false
	}
	p.blocked, p.ahead = false, ahead
	p.notify()
	if p.private {
		return true
	}
	hooks.At(pointWakeDec)
	// The waker counts, not the sleeper: who posts before the sleeper runs again
	// should not take it for asleep.
	s.counters.subSleeping() // C3
	return true
}

// NotifyLatchSet is K: the latch that this worker may sleep on has been set, or a
// job has been put where only this worker looks.
// It wakes the worker from a private sleep, too.
func (s *JEC) NotifyLatchSet(worker int) {
	if s.wakeSpecific(worker, true, false) {
		HandOver()
	}
}

// Counters returns one consistent reading of the counters. One atomic load.
func (s *JEC) Counters() Counters { return s.counters.unpack(word(s.counters.value.Load())) }
