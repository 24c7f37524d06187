package sleep

import (
	"fmt"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
)

// A Strategy is a protocol by which the workers of one pool fall asleep and are woken:
// *JEC, *Tickle or *RFC5. All methods may be called by any goroutine at any time, but for
// those that speak for a worker (StartLooking, WorkFound, NoWorkFound, WaitPrivately), which
// that worker calls.
type Strategy interface {
	// NotifyLatchSet is K: the latch that this worker may sleep on has been set, or a
	// job has been put where only this worker looks. It wakes the worker from a private
	// sleep, too.
	Waker

	// StartLooking says that the worker has run out of work and starts to search.
	// WorkFound must follow, once. idle is the worker's, for the calls until then.
	StartLooking(worker int, idle *IdleState)
	// WorkFound says that the worker stops searching: it has found a job, or its latch
	// is set.
	WorkFound(idle *IdleState)
	// NoWorkFound says that the worker has searched everywhere in vain. It yields the
	// processor, or blocks until somebody wakes the worker. latch is what the worker waits
	// for; a strategy may ask jobs one last time before it blocks.
	NoWorkFound(idle *IdleState, latch *CoreLatch, jobs Injected)
	// WaitPrivately blocks a worker that may run some jobs only, and so is no use to a
	// poster, until its latch is set or somebody calls NotifyLatchSet for it. It may
	// return early. jobs, unless nil, is asked one last time before the worker blocks.
	WaitPrivately(worker int, latch *CoreLatch, jobs Injected)

	// Counters returns one consistent reading of what the strategy counts. Whatever that is,
	// those that sleep are among the inactive: Sleeping <= Inactive <= number of workers. RFC5
	// has no JEC, which is 0, and Tickle doesn't count who looks for work: its Idle is 0.
	Counters() Counters
	// Parker says how that worker sleeps. It takes a lock that nobody holds for long but
	// at a hook point.
	Parker(worker int) ParkerState

	// board is where posters look before they call post.
	board() board
	// post tells of num new jobs, at least one, in a queue that was empty or not. seen is
	// what the board said, which was not quiet. worker is whose queue it is, or outside.
	post(seen uint64, worker, num int, queueWasEmpty bool)
	// jobDone tells of the end of a job. Only strategies whose board says so want to know.
	jobDone()
}

// outside is where injected jobs come from: no worker.
const outside = -1

// A board is the word that a poster reads, and what it says when nobody need be told.
// It is what makes a post into a busy pool one load and one comparison, whatever the strategy.
type board struct {
	boardWord
	mask, quiet uint64 // quiet: word & mask == quiet
	sleepers    uint64 // nobody sleeps: word & sleepers == 0; 0: it does not say so, or who falls asleep takes no last look
	lookers     uint64 // nobody looks for work, nor sleeps: word & lookers == 0
	jobEnds     bool   // the ends of jobs are to be told, too
}

// A boardWord is what is read of a board.
type boardWord struct {
	word   *atomic.Uint64
	seqCst bool // the load is declared to be; otherwise fences stand where it matters
}

func (b *boardWord) load() uint64 {
	if hooks.Enabled && b.seqCst {
		return memory.LoadUint64(b.word, memory.SeqCst)
	}
	return memory.LoadUint64(b.word, memory.Relaxed)
}

// neverQuiet makes every job a post that goes through the strategy.
func (b *board) neverQuiet() { b.mask, b.quiet, b.sleepers = 0, 1, 0 }

// A Sleep is what a pool has: its strategy, and the short way past it for posts that
// concern nobody. New makes one. It may be copied; the copies are one.
type Sleep struct {
	Strategy
	at board
}

func newSleep(s Strategy) *Sleep { return &Sleep{s, s.board()} }

// Injected is what a worker looks at one last time before it blocks.
type Injected interface {
	// HasInjectedJob reports whether a job waits that only this worker (its own
	// broadcasts) or any worker (the injector) may have to take. It is called
	// with the worker's sleep lock held and must not block.
	HasInjectedJob() bool
}

// PushFence stands between the pushing of an injected job and NewInjectedJobs: in
// the eyes of every other goroutine, PushJob comes before ReadSleepers. In Go it is
// empty, if PushJob is an atomic or inside a lock, as SleepFence is and for the same
// reason. It costs nothing and does not block.
func PushFence() { memory.Fence(memory.SeqCst) }

// NewInjectedJobs is H, for jobs that were put into the injector: num of them, at
// least one, into a queue that was empty or not. The caller has pushed the jobs and passed
// PushFence. It does not block, but for the sleep locks of those that it wakes; one
// load if nobody sleeps or is about to.
func (s *Sleep) NewInjectedJobs(num int, queueWasEmpty bool) {
	s.newJobs(outside, num, queueWasEmpty)
}

// NewInternalJobs is H, for jobs that a worker put into its own deque. A wakeup
// may be missed here, by JEC only if its counter has rolled over: that costs parallelism
// only, since the worker itself will come to the job. One load if nobody sleeps or is about to.
func (s *Sleep) NewInternalJobs(worker, num int, queueWasEmpty bool) {
	s.newJobs(worker, num, queueWasEmpty)
}

// Lookers reports whether anybody looks for work or sleeps, and whether anybody sleeps. By the time it
// returns somebody may; who sleeps then has looked for jobs from outside since (F7). A worker may keep jobs to itself while nobody
// sleeps (README.md, "Private jobs"). Of a strategy that does not say who sleeps, or takes no such look, somebody always
// does. One load.
func (s *Sleep) Lookers() (anybody, asleep bool) {
	if s.at.sleepers == 0 {
		return true, true
	}
	seen := memory.LoadUint64(s.at.word, memory.SeqCst)
	return seen&s.at.lookers != 0, seen&s.at.sleepers != 0
}

// Quiet reports whether a post would concern nobody. By the time it returns it may. One load.
func (s *Sleep) Quiet() bool { return s.at.load()&s.at.mask == s.at.quiet }

// newJobs is H1 as far as all strategies go: who finds the board quiet is done.
//
// Every post comes here. The hooks are guarded by Enabled, though they are empty
// without: what is left of an inlined empty call counts against the inliner's
// budget, and this function has none to spare.
func (s *Sleep) newJobs(worker, num int, queueWasEmpty bool) {
	if hooks.Enabled {
		hooks.At(pointPostLoad)
	}
	seen := s.at.load()
	if seen&s.at.mask != s.at.quiet {
		s.Strategy.post(seen, worker, num, queueWasEmpty)
	} else if hooks.Enabled {
		hooks.At(pointPostCounters)
	}
}

// JobDone tells that a worker has run a job that was in a queue, to a strategy that
// wants to know (Tickle). It does not block, but for locks.
func (s *Sleep) JobDone() {
	if s.at.jobEnds {
		s.Strategy.jobDone()
	}
}

// IdleState is what a worker remembers while it looks for work.
type IdleState struct {
	worker int
	rounds uint32
	// jec is the counter's value when this worker announced that it is sleepy;
	// announced says that there is one. (rayon uses a dummy value instead; here
	// the width is a parameter, and every value is a real one.) JEC's alone.
	jec       uint64
	announced bool
	// woken: the worker has slept, and not looked for work since. JEC's alone.
	woken bool
	// ahead: the post that woke the worker has woken another, who takes its place among those
	// that look for work. JEC's alone.
	ahead bool
	// marked is the latch whose setter is to tickle. Tickle's alone.
	marked *CoreLatch
}

// Woken reports whether the worker has slept since it last looked for work, once: when
// all sleep, it is outsiders who wake them.
func (i *IdleState) Woken() bool {
	woken := i.woken
	i.woken = false
	return woken
}

// wakeFully: back to the first search.
func (i *IdleState) wakeFully() { i.rounds, i.announced = 0, false }

// wakePartly: back to just before the announcement. A job was posted somewhere;
// if this worker doesn't find it, it need not search for long.
func (i *IdleState) wakePartly(roundsUntilSleepy uint32) {
	i.rounds, i.announced = roundsUntilSleepy, false
}

// New returns a strategy's state for that many workers, all of them active: JEC's,
// unless an option says otherwise. It returns an error if a parameter is out of its range
// or not one of the strategy's, or if the widths cannot count the workers.
func New(workers int, options ...Option) (*Sleep, error) {
	c := config{widths: ProductionWidths, rounds: DefaultRoundsUntilSleepy, roundsMore: DefaultRoundsUntilAsleep}
	for _, o := range options {
		o(&c)
	}
	if err := c.check(workers); err != nil {
		return nil, fmt.Errorf("sleep: %w", err)
	}
	var s *Sleep
	switch c.protocol {
	case rfc5Protocol:
		s = newSleep(newRFC5(workers, c))
	case tickleProtocol:
		s = newSleep(newTickle(workers, c))
	default:
		s = newSleep(newJEC(workers, c))
	}
	if c.oneByOne {
		s = newSleep(oneByOne{*s})
	}
	if c.dummyFlag {
		s = newSleep(newDummyFlag(s, workers+c.spares))
	}
	return s, nil
}
