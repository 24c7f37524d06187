package sleep

import (
	"fmt"
	"runtime"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/memory"
)

// DefaultRoundsUntilSleepy is how many searches in vain a worker makes before it
// announces that it is sleepy. One more search follows, then it sleeps. (rayon:
// ROUNDS_UNTIL_SLEEPY.)
const DefaultRoundsUntilSleepy = 32

// Injected is what a worker looks at one last time before it blocks.
type Injected interface {
	// HasInjectedJob reports whether a job waits that only this worker (its own
	// broadcasts) or any worker (the injector) may have to take. It is called
	// with the worker's sleep lock held and must not block.
	HasInjectedJob() bool
}

// JEC is rayon's sleep protocol for one pool. All methods may be called by any
// goroutine at any time, but for those that speak for a worker (StartLooking,
// WorkFound, NoWorkFound), which that worker calls.
type JEC struct {
	counters          atomicCounters
	parkers           []parker
	roundsUntilSleepy uint32
}

// An Option changes a parameter of New.
type Option func(*config)

type config struct {
	widths     Widths
	initialJEC uint64
	rounds     int
}

// WithWidths sets the widths of the counters; default ProductionWidths.
func WithWidths(w Widths) Option { return func(c *config) { c.widths = w } }

// WithInitialJEC sets where the jobs event counter starts, modulo its width;
// default 0. A start near the maximum makes it roll over soon.
func WithInitialJEC(jec uint64) Option { return func(c *config) { c.initialJEC = jec } }

// WithRoundsUntilSleepy sets how many searches in vain precede the announcement;
// default DefaultRoundsUntilSleepy.
func WithRoundsUntilSleepy(n int) Option { return func(c *config) { c.rounds = n } }

// New returns the protocol's state for that many workers, all of them active.
// It returns an error if a parameter is out of its range, or if the widths
// cannot count the workers.
func New(workers int, options ...Option) (*JEC, error) {
	c := config{widths: ProductionWidths, rounds: DefaultRoundsUntilSleepy}
	for _, o := range options {
		o(&c)
	}
	if err := c.widths.check(); err != nil {
		return nil, fmt.Errorf("sleep: %w", err)
	}
	if most := c.widths.MaxWorkers(); workers < 1 || workers > most {
		return nil, fmt.Errorf("sleep: %d workers: want 1 to %d (the widths of the counters allow no more)", workers, most)
	}
	if c.rounds < 0 || c.rounds > 1<<20 {
		return nil, fmt.Errorf("sleep: %d rounds until sleepy: want 0 to %d", c.rounds, 1<<20)
	}
	s := &JEC{parkers: make([]parker, workers), roundsUntilSleepy: uint32(c.rounds)}
	s.counters.init(c.widths, c.initialJEC)
	for i := range s.parkers {
		s.parkers[i].cond.L = &s.parkers[i].mu
	}
	return s, nil
}

// IdleState is what a worker remembers while it looks for work. It lives on the
// worker's stack.
type IdleState struct {
	worker int
	rounds uint32
	// jec is the counter's value when this worker announced that it is sleepy;
	// announced says that there is one. (rayon uses a dummy value instead; here
	// the width is a parameter, and every value is a real one.)
	jec       uint64
	announced bool
}

// wakeFully: back to the first search.
func (i *IdleState) wakeFully() { i.rounds, i.announced = 0, false }

// wakePartly: back to just before the announcement. A job was posted somewhere;
// if this worker doesn't find it, it need not search for long.
func (i *IdleState) wakePartly(roundsUntilSleepy uint32) {
	i.rounds, i.announced = roundsUntilSleepy, false
}

// StartLooking is A4: the worker has run out of work and starts to search.
// WorkFound must follow, once.
func (s *JEC) StartLooking(worker int) IdleState {
	hooks.At(pointIdleEnter)
	s.counters.addInactive() // C1
	hooks.At(pointIdleEntered)
	return IdleState{worker: worker}
}

// WorkFound is C: the worker stops searching, because it found a job or because
// its latch is set. It wakes up to two sleepers, in both cases: a poster may have
// counted on this worker, which was idle, and have woken nobody. Without that, a
// worker that leaves because of its latch can strand a job for good.
func (s *JEC) WorkFound() {
	hooks.At(pointFoundDecPre)
	n := s.counters.subInactive() // C2
	hooks.At(pointFoundDecPost)
	if n == 0 {
		return
	}
	for range hooks.Notify(pointFoundWake) {
		s.wakeAny(n)
		if !hooks.Enabled {
			break
		}
	}
}

// NoWorkFound is E: the worker has searched everywhere in vain. It yields the
// processor, or announces that it is sleepy, or sleeps until somebody wakes it.
// latch is what the worker waits for; jobs is asked one last time before the
// worker blocks.
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
		if c.isSleepy(old) { // another worker's announcement serves this one, too
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
	found := jobs.HasInjectedJob() // ReadJob
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
		hooks.At(pointWoken)
	}

	// F9: awake, at the first search again. The latch goes back to UNSET before
	// the lock is given up.
	idle.wakeFully()
	latch.wakeUp()
}

// sleepFence is SleepFence: IncSleepers comes before ReadJob in the eyes of
// every other goroutine. In Go it is empty: both are seq-cst atomics already
// (README.md, "Fences"). It has a name, and a hook point on either side, because
// the proof needs it.
func sleepFence() { memory.Fence(memory.SeqCst) }

// PushFence stands between the pushing of an injected job and NewInjectedJobs: in
// the eyes of every other goroutine, PushJob comes before ReadSleepers. In Go it is
// empty, if PushJob is an atomic or inside a lock, as SleepFence is and for the same
// reason. It costs nothing and does not block.
func PushFence() { memory.Fence(memory.SeqCst) }

// NewInjectedJobs is H, for jobs that were put into the injector: num of them, at
// least one, into a queue that was empty or not. The caller has pushed the jobs and passed
// PushFence.
func (s *JEC) NewInjectedJobs(num int, queueWasEmpty bool) { s.newJobs(num, queueWasEmpty) }

// NewInternalJobs is H, for jobs that a worker put into its own deque. A wakeup
// may be missed here if the JEC has rolled over: that costs parallelism only,
// since the worker itself will come to the job.
func (s *JEC) NewInternalJobs(num int, queueWasEmpty bool) { s.newJobs(num, queueWasEmpty) }

func (s *JEC) newJobs(num int, queueWasEmpty bool) {
	c := s.counters.unpack(s.postJobs()) // H1: ReadSleepers
	if c.Sleeping == 0 {                 // H2
		return
	}
	// H3: a queue that was not empty says that the idle workers, if there are any,
	// do not keep up. Otherwise each idle worker is good for one job.
	n := min(num, c.Sleeping)
	if queueWasEmpty {
		n = min(max(num-c.Idle(), 0), c.Sleeping)
	}
	hooks.At(pointPostDecide)
	s.wakeAny(n) // H4
}

// postJobs is H1: it makes the JEC odd, if it is even, so that sleepy workers
// look again. The word it returns is one consistent reading of all counters.
//
// Every post comes here. The hooks are guarded by Enabled, though they are empty
// without: what is left of an inlined empty call counts against the inliner's
// budget, and this function has none to spare.
func (s *JEC) postJobs() word {
	c := &s.counters
	for {
		if hooks.Enabled {
			hooks.At(pointPostLoad)
		}
		old := c.load()
		new := old
		if c.isSleepy(old) {
			new = c.withJEC(old, hooks.Value(pointPostWrite, c.jec(old)+1))
			if hooks.Enabled && hooks.Fail(pointPostCASWindow) || !c.cas(old, new) { // C4
				continue
			}
		}
		if hooks.Enabled {
			hooks.At(pointPostCounters)
		}
		return new
	}
}

// wakeAny is I: it wakes up to n sleepers, those of lowest index first. It is the
// slow way out of every post, and stays out of line.
//
//go:noinline
func (s *JEC) wakeAny(n int) {
	if n <= 0 {
		return
	}
	for i := range s.parkers {
		hooks.At(pointWakeScan)
		if s.wakeSpecific(i, false) {
			if n--; n == 0 {
				return
			}
		}
	}
}

// wakeSpecific is J: it wakes worker i if that is blocked. The lock makes sure
// that a worker on its way to sleep is either not yet blocked, and will look at
// its queues or its latch once more, or already waits. Who sleeps privately is not
// for posts to wake, and holds no unit of the counter.
func (s *JEC) wakeSpecific(i int, private bool) bool {
	p := &s.parkers[i]
	p.mu.Lock()
	defer p.mu.Unlock()
	hooks.At(pointWakeLock)
	if !p.blocked || p.private && !private {
		return false
	}
	p.blocked = false
	p.wakes++
	for range hooks.Notify(pointWakeNotify) {
		p.cond.Signal()
		if !hooks.Enabled {
			break
		}
	}
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
func (s *JEC) NotifyLatchSet(worker int) { s.wakeSpecific(worker, true) }

// Counters returns one consistent reading of the counters. One atomic load.
func (s *JEC) Counters() Counters { return s.counters.unpack(word(s.counters.value.Load())) }

// Parker says how that worker sleeps. It takes the worker's sleep lock, which
// nobody holds for long but at a hook point.
func (s *JEC) Parker(worker int) ParkerState {
	p := &s.parkers[worker]
	p.mu.Lock()
	defer p.mu.Unlock()
	return ParkerState{
		Asleep:   p.parked,
		Notified: p.parked && !p.blocked,
		Private:  p.parked && p.private,
		Sleeps:   p.sleeps, Wakes: p.wakes, Spurious: p.spurious,
		Parked: p.asleep(),
	}
}
