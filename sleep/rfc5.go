package sleep

import (
	"runtime"

	"github.com/rouse-go/rouse/hooks"
)

// rfc5 is the protocol of rayon's RFC 5 as written: counters of idle and sleeping workers, no jobs
// event counter, no final check. It loses a post that counts on an idle worker about to sleep
// (VARIANTS.md, "RFC 5"), so it is for experiments only.
type rfc5 struct {
	counters atomicCounters // the JEC stays 0
	parking
	rounds   uint32
	noSleepy bool
}

func newRFC5(workers int, c *config) *rfc5 {
	s := &rfc5{parking: newParking(workers, c.spares), rounds: uint32(c.rounds), noSleepy: c.noSleepy}
	s.counters.init(c.widths, 0)
	return s
}

// postFilter: a post is skipped if no worker sleeps.
func (s *rfc5) postFilter() postFilter {
	return postFilter{filterWord: filterWord{&s.counters.value, true}, mask: uint64(s.counters.sleepingMask)}
}

func (s *rfc5) jobDone() {}

// StartLooking is V1: the worker counts as idle.
func (s *rfc5) StartLooking(worker int, idle *IdleState) {
	hooks.At(pointIdleEnter)
	s.counters.addInactive()
	hooks.At(pointIdleEntered)
	idle.worker = worker
	idle.wakeFully()
}

// WorkFound is V2: the worker is no longer idle, and wakes no other in its place.
func (s *rfc5) WorkFound(*IdleState) {
	hooks.At(pointFoundDecPre)
	s.counters.subInactive()
	hooks.At(pointFoundDecPost)
}

// NoWorkFound is V3: a fixed number of searches, then sleep.
func (s *rfc5) NoWorkFound(idle *IdleState, latch *CoreLatch, _ Injected) {
	if idle.rounds < s.rounds {
		idle.rounds++
		runtime.Gosched()
		return
	}
	s.sleep(idle.worker, latch)
	idle.rounds = 0
}

// sleep is V4, the RFC's appendix.
func (s *rfc5) sleep(worker int, latch *CoreLatch) {
	if !s.noSleepy && !latch.getSleepy() {
		return
	}
	p := s.own(worker)
	hooks.At(pointLockPre)
	p.mu.Lock()
	defer p.mu.Unlock()
	hooks.At(pointLockPost)
	if s.noSleepy && !latch.markSleeping() || !s.noSleepy && !latch.fallAsleep() {
		return
	}
	s.counters.addSleeping()
	hooks.At(pointRegistered)
	p.blockOnce()
	s.counters.subSleeping()
	hooks.At(pointWoken)
	latch.wakeUp()
}

// post is V5: if there are not enough idle workers, it wakes sleeping ones.
func (s *rfc5) post(seen uint64, _, num int, _ bool) {
	hooks.At(pointPostCounters)
	c := s.counters.unpack(word(seen))
	n := min(max(num-c.Idle(), 0), c.Sleeping)
	hooks.At(pointPostDecide)
	for i := range s.places() {
		if n == 0 {
			return
		}
		hooks.At(pointWakeScan)
		if s.wake(i) {
			n--
		}
	}
}

// wake is V6: it notifies a sleeping worker. Only the worker itself clears blocked: until then it
// may be chosen again.
func (s *rfc5) wake(worker int) bool {
	p := s.parker(worker)
	if p == nil {
		return false // it has never slept
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	hooks.At(pointWakeLock)
	if !p.blocked || p.private {
		return false
	}
	p.notified = true
	p.notify()
	HandOver()
	return true
}

// NotifyLatchSet is V6 for the owner of a latch that was SLEEPING.
func (s *rfc5) NotifyLatchSet(worker int) {
	s.wakePrivate(worker)
	s.wake(worker)
}

func (s *rfc5) Counters() Counters { return s.counters.unpack(word(s.counters.value.Load())) }
