package sleep

import (
	"runtime"
	"time" // not the drop-in: nothing is decided by how long somebody has slept

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
	"github.com/rouse-go/rouse/hooks/sync"
)

// Tickle is the older sleep protocol of rayon, up to 1.7: one worker at a time is sleepy,
// workers fall asleep one by one, and whatever happens - a job posted, a job done, a latch
// set - wakes all of them. README.md, "Tickle", has the steps.
//
// There everybody who sets a latch tickles. Here a setter tells only who has marked its
// latch, and a worker marks it when it first finds nothing: who has not yet done so will look at
// the latch again before it grows sleepy.
type Tickle struct {
	state             atomic.Uint64 // a tickleState
	parking                         // for private sleep only
	roundsUntilSleepy uint32
	roundsUntilAsleep uint32
	swaps             bool // a tickle does not look before it swaps

	mu       sync.Mutex // rayon's data
	tickled  sync.Cond  // rayon's tickle
	sleepers []sleeper  // by worker
	wakes    uint64     // broadcasts so far
}

// A tickleState says in one word whether workers are asleep (bit 0), and which worker is
// sleepy (its number plus one, in the bits above), if one is.
type tickleState = uint64

const (
	awake    tickleState = 0
	sleeping tickleState = 1
)

func sleepy(worker int) tickleState { return tickleState(worker+1) << 1 }

// A sleeper is how one worker sleeps, for dumps. Guarded by the lock of Tickle.
type sleeper struct {
	asleep        bool
	before        uint64 // broadcasts when it fell asleep
	sleeps, wakes uint64
	slept         time.Duration
	since         time.Time
}

// WithTickle chooses Tickle.
func WithTickle() Option { return func(c *config) { c.protocol = tickleProtocol } }

// WithSwappingTickle makes each tickle a swap, without a look first whether there is
// anybody to be tickled. (Tickle's README: the memory model would ask for less then, "it
// didn't perform as well".)
func WithSwappingTickle() Option { return func(c *config) { c.swaps = true } }

func newTickle(workers int, c config) *Tickle {
	n := workers + c.spares
	s := &Tickle{
		parking:           newParking(n),
		roundsUntilSleepy: uint32(c.rounds),
		roundsUntilAsleep: uint32(c.rounds + c.roundsMore),
		swaps:             c.swaps,
		sleepers:          make([]sleeper, n),
	}
	s.tickled.L = &s.mu
	return s
}

// board: nobody need be told if all are awake, and nobody is sleepy.
func (s *Tickle) board() board {
	b := board{boardWord: boardWord{&s.state, true}, mask: ^uint64(0), quiet: awake, jobEnds: true}
	if s.swaps {
		b.neverQuiet()
	}
	return b
}

// StartLooking is U1: nothing is counted.
func (s *Tickle) StartLooking(worker int, idle *IdleState) { idle.worker, idle.rounds = worker, 0 }

// WorkFound is U2: a worker that was sleepy tells the others that it is not any more.
func (s *Tickle) WorkFound(idle *IdleState) {
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
func (s *Tickle) NoWorkFound(idle *IdleState, latch *CoreLatch, _ Injected) {
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
func (s *Tickle) getSleepy(worker int) bool {
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

func (s *Tickle) stillSleepy(worker int) bool {
	return memory.LoadUint64(&s.state, memory.SeqCst)&^sleeping == sleepy(worker)
}

// sleep is U5: the sleepy worker waits for a tickle, unless there has been one.
func (s *Tickle) sleep(worker int) {
	for {
		old := memory.LoadUint64(&s.state, memory.Acquire)
		if old&^sleeping != sleepy(worker) {
			return
		}
		hooks.At(pointTickleSleepLock)
		s.mu.Lock()
		// Under the lock: whoever finds somebody asleep notifies under it, and so
		// after this worker waits.
		if !hooks.Fail(pointTickleSleepCASWindow) && memory.CompareAndSwapUint64(&s.state, old, sleeping, memory.SeqCst, memory.Relaxed) {
			hooks.At(pointTickleSleepWait)
			s.wait(worker)
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
	}
}

// wait waits once: a wake without a tickle does no harm, as the worker searches then.
func (s *Tickle) wait(worker int) {
	me := &s.sleepers[worker]
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

// tickle is U6: the sleepy worker is not sleepy any more, and all that sleep wake up.
func (s *Tickle) tickle() {
	if hooks.Enabled {
		hooks.At(pointTickleLoad)
	}
	if s.swaps || memory.LoadUint64(&s.state, memory.SeqCst) != awake {
		s.tickleCold()
	}
}

// tickleCold is tickle where the state was not awake.
func (s *Tickle) tickleCold() {
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
func (s *Tickle) post(_ uint64, _, _ int, _ bool) { s.tickleCold() }

// jobDone is U6 for a job that is done, which may have set a latch.
func (s *Tickle) jobDone() { s.tickle() }

// NotifyLatchSet is U6 for a latch that somebody waits for.
func (s *Tickle) NotifyLatchSet(worker int) {
	s.wakePrivate(worker)
	s.tickle()
}

// Counters returns how many workers sleep. Nobody counts those who look for work: the
// inactive ones are those that sleep, and no more. It takes a lock.
func (s *Tickle) Counters() (c Counters) {
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

// Parker says how that worker sleeps: Wakes are the waits that a tickle has ended,
// Spurious the others.
func (s *Tickle) Parker(worker int) ParkerState {
	p := s.parking.Parker(worker)
	s.mu.Lock()
	defer s.mu.Unlock()
	me := &s.sleepers[worker]
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
