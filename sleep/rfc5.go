package sleep

import (
	"runtime"

	"github.com/rouse-go/rouse/hooks"
)

// RFC5 is the protocol of rayon's RFC 5 as it was written: counters of idle and sleeping
// workers, no jobs event counter, no last look. A post that counts on an idle worker which is
// about to sleep is lost; README.md, "RFC 5", says what comes of it. It is for experiments only.
type RFC5 struct {
	counters atomicCounters // the JEC stays 0
	parking
	rounds   uint32
	noSleepy bool
}

// WithRFC5 chooses RFC5.
func WithRFC5() Option { return func(c *config) { c.protocol = rfc5Protocol } }

// WithoutSleepy leaves the state SLEEPY out of RFC5's latch: "fewer compare-and-exchange
// operations but potentially more locks". (Its appendix A.)
func WithoutSleepy() Option { return func(c *config) { c.noSleepy = true } }

func newRFC5(workers int, c config) *RFC5 {
	s := &RFC5{parking: newParking(workers + c.spares), rounds: uint32(c.rounds), noSleepy: c.noSleepy}
	s.counters.init(c.widths, 0)
	return s
}

// board: nobody need be told if nobody sleeps.
func (s *RFC5) board() board {
	return board{boardWord: boardWord{&s.counters.value, true}, mask: uint64(s.counters.sleepingMask)}
}

func (s *RFC5) jobDone() {}

// StartLooking is V1: the worker is idle, and counts as such.
func (s *RFC5) StartLooking(worker int, idle *IdleState) {
	hooks.At(pointIdleEnter)
	s.counters.addInactive()
	hooks.At(pointIdleEntered)
	idle.worker = worker
	idle.wakeFully()
}

// WorkFound is V2: it is not idle any more. Nobody takes its place.
func (s *RFC5) WorkFound(*IdleState) {
	hooks.At(pointFoundDecPre)
	s.counters.subInactive()
	hooks.At(pointFoundDecPost)
}

// NoWorkFound is V3: so many searches, then sleep.
func (s *RFC5) NoWorkFound(idle *IdleState, latch *CoreLatch, _ Injected) {
	if idle.rounds < s.rounds {
		idle.rounds++
		runtime.Gosched()
		return
	}
	s.sleep(idle.worker, latch)
	idle.rounds = 0
}

// sleep is V4, the appendix.
func (s *RFC5) sleep(worker int, latch *CoreLatch) {
	if !s.noSleepy && !latch.getSleepy() {
		return
	}
	p := &s.parkers[worker]
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

// post is V5: if there are not enough idle workers, it picks sleeping ones.
func (s *RFC5) post(seen uint64, _, num int, _ bool) {
	hooks.At(pointPostCounters)
	c := s.counters.unpack(word(seen))
	n := min(max(num-c.Idle(), 0), c.Sleeping)
	hooks.At(pointPostDecide)
	for i := range s.parkers {
		if n == 0 {
			return
		}
		hooks.At(pointWakeScan)
		if s.wake(i) {
			n--
		}
	}
}

// wake is V6: it notifies a worker that sleeps. Only the worker itself says that it does not any
// more: until it does, it may be picked again.
func (s *RFC5) wake(worker int) bool {
	p := &s.parkers[worker]
	p.mu.Lock()
	defer p.mu.Unlock()
	hooks.At(pointWakeLock)
	if !p.blocked || p.private {
		return false
	}
	p.told = true
	p.notify()
	HandOver()
	return true
}

// NotifyLatchSet is V6 for the owner of a latch that was SLEEPING.
func (s *RFC5) NotifyLatchSet(worker int) {
	s.wakePrivate(worker)
	s.wake(worker)
}

// Counters returns one consistent reading of the counters. One atomic load.
func (s *RFC5) Counters() Counters { return s.counters.unpack(word(s.counters.value.Load())) }
