package sleep

import (
	"runtime"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/memory"
)

// jec is rayon's sleep protocol, the default.
type jec struct {
	counters atomicCounters
	parking
	workers           int // without spares
	roundsUntilSleepy uint32
	rules             rules // zero for rayon's
}

func newJEC(workers int, c *config) *jec {
	s := &jec{parking: newParking(workers, c.spares), workers: workers, roundsUntilSleepy: uint32(c.rounds), rules: c.rules}
	s.counters.init(c.widths, c.initialJEC)
	return s
}

// postFilter: a post is skipped if no worker sleeps, and none has announced that it is sleepy since
// the last post.
func (s *jec) postFilter() postFilter {
	c := &s.counters
	f := postFilter{
		filterWord: filterWord{word: &c.value},
		mask:       uint64(c.oneJEC | c.sleepingMask),
		skip:       uint64(c.oneJEC),
		sleepers:   uint64(c.sleepingMask),
		inactive:   uint64(c.inactiveMask << c.inactiveShift),
	}
	if s.rules.everyJob {
		f.passAll()
	}
	return f
}

func (s *jec) jobDone() {} // a worker that waits for a job has a latch

// StartLooking is A4.
func (s *jec) StartLooking(worker int, idle *IdleState) {
	hooks.At(pointIdleEnter)
	s.counters.addInactive() // C1
	hooks.At(pointIdleEntered)
	idle.worker = worker
	idle.woken, idle.ahead = false, false
	idle.wakeFully()
}

// WorkFound is C. In both cases, a job found or the latch set, it wakes up to two sleepers: a
// poster may have counted on this worker, which was idle, and have woken none. Without that, a
// worker that leaves because of its latch can strand a job for good. The post that woke this worker
// may have woken one of the two already (H4).
func (s *jec) WorkFound(idle *IdleState) {
	hooks.At(pointFoundDecPre)
	c := s.counters.subInactive() // C2
	n := replacements(c, idle.ahead)
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

// NoWorkFound is E: the worker yields the processor, or announces that it is sleepy, or sleeps
// until it is woken.
func (s *jec) NoWorkFound(idle *IdleState, latch *CoreLatch, jobs Injected) {
	// The runtime's Gosched, not that of hooks: under control that would be a step, which has no
	// effect but multiplies the schedules.
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

// announceSleepy is D: it makes the JEC even, if it is odd, and returns it. Any later post makes it
// odd, and so different.
func (s *jec) announceSleepy() uint64 {
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
func (s *jec) sleep(idle *IdleState, latch *CoreLatch, jobs Injected) {
	// F1: the latch becomes SLEEPY. If it is set, the caller's next probe sees it.
	if !latch.getSleepy() {
		return
	}

	// F2: the sleep lock, held from here to the wait, so that no notification can come between this
	// worker's last look and its wait.
	p := s.own(idle.worker)
	hooks.At(pointLockPre)
	p.mu.Lock()
	defer p.mu.Unlock()
	hooks.At(pointLockPost)

	// F3: the latch becomes SLEEPING, under the lock: a setter notifies from here on, and can do so
	// only once this worker waits or has turned back.
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

	// F7: the final check. Even if the JEC has rolled over to the remembered value, a job from
	// outside must not be missed.
	hooks.At(pointFinalCheckPre)
	found := s.rules.look(jobs) // ReadJob
	if !found {
		hooks.At(pointFinalCheckPost)
	} else if hooks.Fail(pointFinalCheckPost) {
		found = false
	}
	if found {
		s.counters.subSleeping() // C3: no waker did it
	} else {
		hooks.At(pointBlockPre)
		p.block() // F8
		idle.woken, idle.ahead = true, p.ahead
		hooks.At(pointWoken)
	}

	// F9: awake, back to the first search. The latch goes back to UNSET before the lock is given
	// up.
	idle.wakeFully()
	if found && s.rules.literal {
		idle.wakePartly(s.roundsUntilSleepy)
	}
	latch.wakeUp()
}

// sleepFence is SleepFence: to every other goroutine, IncSleepers comes before ReadJob. In Go it is
// empty, since both are sequentially consistent atomics (README.md, "Fences"); the proof needs the
// place.
func sleepFence() { memory.Fence(memory.SeqCst) }

// post is H for a post that was not skipped.
func (s *jec) post(seen uint64, worker, num int, queueWasEmpty bool) {
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

// postJobs is H1: it makes the JEC odd, if it is even, so that sleepy workers search again, and
// returns the word then, one consistent reading of all counters. seen is the last value read.
func (s *jec) postJobs(seen word) word {
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

// wakeAny is I: it wakes up to n sleepers, those of lowest index first; if ahead, the last of them
// ahead of need. It is the slow path of every post, and stays out of line.
//
//go:noinline
func (s *jec) wakeAny(n int, ahead bool) {
	if n <= 0 {
		return
	}
	woken := 0
	for i := range s.places() {
		hooks.At(pointWakeScan)
		if s.wakeSpecific(i, false, ahead) {
			if woken++; woken == n {
				break
			}
		}
	}
	// Each wake hands over the worker woken before it. The last is handed over unless it was woken
	// for that purpose only.
	if woken > 0 && !(ahead && woken == n) {
		HandOver()
	}
}

// wakeSpecific is J: it wakes worker i if that is blocked. Under the lock, a worker on its way to
// sleep is either not yet blocked, and will look at its queues or its latch once more, or already
// waits. A worker that sleeps privately holds no unit of the counter, and no post wakes it. ahead
// is passed to the worker. The caller hands over the worker that it has woken.
func (s *jec) wakeSpecific(i int, private, ahead bool) bool {
	p := s.parker(i)
	if p == nil {
		return false // it has never slept
	}
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
	// The waker counts, not the sleeper: a post before the sleeper runs again must not take it for
	// asleep.
	s.counters.subSleeping() // C3
	return true
}

func (s *jec) NotifyLatchSet(worker int) {
	if s.wakeSpecific(worker, true, false) {
		HandOver()
	}
}

func (s *jec) Counters() Counters { return s.counters.unpack(word(s.counters.value.Load())) }
