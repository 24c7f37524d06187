package sleep

import (
	"runtime"
	"time" // not the drop-in: no decision depends on how long a worker has slept

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
	"github.com/rouse-go/rouse/hooks/sync"
)

// tickle is the older sleep protocol of rayon, up to 1.7: one worker at a time is sleepy, workers
// fall asleep one by one, and every event - a job posted, a job done, a latch set - wakes all of
// them. VARIANTS.md, "Tickle", has the steps.
//
// In rayon every setter of a latch tickles. Here it does so only if the owner has marked the latch,
// which it does after its first failed search: before that, it will look at the latch again anyway.
type tickle struct {
	state             atomic.Uint64 // a tickleState
	parking                         // for private sleep only
	roundsUntilSleepy uint32
	roundsUntilAsleep uint32
	swaps             bool // a tickle does not look before it swaps

	mu       sync.Mutex // rayon's data
	tickled  sync.Cond  // rayon's tickle
	sleepers []*sleeper // by worker; those of spares are added when they first sleep
	wakes    uint64     // broadcasts so far
}

// A tickleState is whether workers are asleep (bit 0), and which worker is sleepy (its number plus
// one, in the bits above; 0 is none).
type tickleState = uint64

const (
	awake    tickleState = 0
	sleeping tickleState = 1
)

func sleepy(worker int) tickleState { return tickleState(worker+1) << 1 }

// A sleeper is how one worker sleeps, for dumps. Guarded by mu.
type sleeper struct {
	asleep        bool
	before        uint64 // broadcasts when it fell asleep
	sleeps, wakes uint64
	slept         time.Duration
	since         time.Time
}

func newTickle(workers int, c *config) *tickle {
	s := &tickle{
		parking:           newParking(workers, c.spares),
		roundsUntilSleepy: uint32(c.rounds),
		roundsUntilAsleep: uint32(c.rounds + max(c.rounds, 1)), // at least one search more, for correctness
		swaps:             c.swaps,
	}
	s.tickled.L = &s.mu
	s.sleeper(workers - 1)
	return s
}

// postFilter: a post is skipped if all workers are awake, and none is sleepy.
func (s *tickle) postFilter() postFilter {
	f := postFilter{filterWord: filterWord{&s.state, true}, mask: ^uint64(0), skip: awake, jobEnds: true}
	if s.swaps {
		f.passAll()
	}
	return f
}

// StartLooking is U1: nothing is counted.
func (s *tickle) StartLooking(worker int, idle *IdleState) { idle.worker, idle.rounds = worker, 0 }

// WorkFound is U2: a worker that was sleepy announces that it no longer is.
func (s *tickle) WorkFound(idle *IdleState) {
	if idle.marked != nil {
		idle.marked.wakeUp()
		idle.marked = nil
	}
	if idle.rounds > s.roundsUntilSleepy {
		hooks.At(pointTickleFound)
		s.tickle()
	}
	idle.rounds = 0
}

// NoWorkFound is U3.
func (s *tickle) NoWorkFound(idle *IdleState, latch *CoreLatch, _ Injected) {
	if idle.marked == nil && latch.markSleeping() {
		idle.marked = latch
	}
	switch {
	case idle.rounds < s.roundsUntilSleepy:
		runtime.Gosched()
		idle.rounds++
	case idle.rounds == s.roundsUntilSleepy:
		runtime.Gosched()
		if s.getSleepy(idle.worker) {
			idle.rounds++
		}
	case idle.rounds < s.roundsUntilAsleep:
		runtime.Gosched()
		idle.rounds++
		if !s.stillSleepy(idle.worker) {
			idle.rounds = 0
		}
	default:
		s.sleep(idle.worker)
		idle.rounds = 0
	}
}

// getSleepy is U4: the worker becomes the sleepy one, unless another is.
func (s *tickle) getSleepy(worker int) bool {
	for {
		old := memory.LoadUint64(&s.state, memory.Acquire)
		if old > sleeping {
			return false
		}
		if !hooks.Fail(pointTickleSleepyCASWindow) && memory.CompareAndSwapUint64(&s.state, old, old+sleepy(worker), memory.SeqCst, memory.Relaxed) {
			return true
		}
	}
}

func (s *tickle) stillSleepy(worker int) bool {
	return memory.LoadUint64(&s.state, memory.SeqCst)&^sleeping == sleepy(worker)
}

// sleep is U5: the sleepy worker waits for a tickle, unless there has been one.
func (s *tickle) sleep(worker int) {
	for {
		old := memory.LoadUint64(&s.state, memory.Acquire)
		if old&^sleeping != sleepy(worker) {
			return
		}
		hooks.At(pointTickleSleepLock)
		s.mu.Lock()
		// Under the lock: a notification comes under it, too, and so after this worker waits.
		if !hooks.Fail(pointTickleSleepCASWindow) && memory.CompareAndSwapUint64(&s.state, old, sleeping, memory.SeqCst, memory.Relaxed) {
			hooks.At(pointTickleSleepWait)
			s.wait(worker)
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
	}
}

// sleeper returns the worker's. The caller holds the lock.
func (s *tickle) sleeper(worker int) *sleeper {
	for len(s.sleepers) <= worker {
		s.sleepers = append(s.sleepers, new(sleeper))
	}
	return s.sleepers[worker]
}

// wait waits once: after a spurious wake the worker searches again.
func (s *tickle) wait(worker int) {
	me := s.sleeper(worker)
	me.asleep, me.before, me.since = true, s.wakes, time.Now()
	me.sleeps++
	if hooks.Enabled && hooks.Fail(pointTickleWait) {
		s.mu.Unlock()
		s.mu.Lock()
	} else {
		s.tickled.Wait()
	}
	if me.before != s.wakes {
		me.wakes++
	}
	me.asleep = false
	me.slept += time.Since(me.since)
}

// tickle is U6: no worker is sleepy any more, and all sleepers wake.
func (s *tickle) tickle() {
	if hooks.Enabled {
		hooks.At(pointTickleLoad)
	}
	if s.swaps || memory.LoadUint64(&s.state, memory.SeqCst) != awake {
		s.tickleCold()
	}
}

// tickleCold is tickle where the state was not awake.
func (s *tickle) tickleCold() {
	hooks.At(pointTickleSwap)
	old := memory.SwapUint64(&s.state, awake, memory.Release)
	if old&sleeping == 0 {
		return
	}
	hooks.At(pointTickleLock)
	s.mu.Lock()
	s.wakes++
	for range hooks.Notify(pointTickleNotify) {
		s.tickled.Broadcast()
		if !hooks.Enabled {
			break
		}
	}
	s.mu.Unlock()
	HandOver()
}

// post is U6 for a job that is in its queue.
func (s *tickle) post(_ uint64, _, _ int, _ bool) { s.tickleCold() }

// jobDone is U6 for a job that is done, which may have set a latch.
func (s *tickle) jobDone() { s.tickle() }

// NotifyLatchSet is U6 for a marked latch.
func (s *tickle) NotifyLatchSet(worker int) {
	s.wakePrivate(worker)
	s.tickle()
}

// Counters takes a lock. Searching workers are not counted: only sleepers are inactive.
func (s *tickle) Counters() (c Counters) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.sleepers {
		if s.sleepers[i].asleep && s.sleepers[i].before == s.wakes {
			c.Sleeping++
		}
	}
	c.Inactive = c.Sleeping
	return c
}

// Parker: Wakes are the waits that a tickle has ended, Spurious the others.
func (s *tickle) Parker(worker int) ParkerState {
	p := s.parking.Parker(worker)
	s.mu.Lock()
	defer s.mu.Unlock()
	if worker >= len(s.sleepers) {
		return p // a spare that has never slept
	}
	me := s.sleepers[worker]
	p.Sleeps += me.sleeps
	p.Wakes += me.wakes
	p.Parked += me.slept
	over := me.sleeps
	if me.asleep {
		over--
		p.Asleep, p.Notified = true, me.before != s.wakes
		p.Parked += time.Since(me.since)
	}
	p.Spurious += over - me.wakes
	return p
}
