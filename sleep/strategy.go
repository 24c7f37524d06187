package sleep

import (
	"fmt"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
)

// A Strategy is a protocol by which the workers of one pool fall asleep and are woken. Any
// goroutine may call its methods at any time, except for those that act for a worker (StartLooking,
// WorkFound, NoWorkFound, WaitPrivately): only that worker calls them.
type Strategy interface {
	// NotifyLatchSet is K: the latch that this worker may sleep on was set, or a job was put where
	// only this worker looks. It also ends a private sleep.
	Waker

	// StartLooking: the worker has run out of work and starts to search. WorkFound must follow,
	// once. idle is the worker's own, for the calls until then.
	StartLooking(worker int, idle *IdleState)
	// WorkFound: the worker stops searching, because it found a job or its latch is set.
	WorkFound(idle *IdleState)
	// NoWorkFound: a search of all queues has failed. It yields the processor, or blocks until the
	// worker is woken. latch is what the worker waits for; the strategy may ask jobs one last time
	// before it blocks.
	NoWorkFound(idle *IdleState, latch *CoreLatch, jobs Injected)
	// WaitPrivately is Q, for a worker that may run certain jobs only, and so is no use to a
	// poster: it takes no part in the counters, and no post wakes it. It blocks until the latch is
	// set or NotifyLatchSet is called for the worker, and may return early: callers loop, and look
	// for jobs in between. jobs, unless nil, is asked one last time before the worker blocks;
	// NotifyLatchSet must follow whatever is put there.
	WaitPrivately(worker int, latch *CoreLatch, jobs Injected)

	// Counters returns one consistent reading, with Sleeping <= Inactive <= number of workers. RFC
	// 5 has no JEC (0), Tickle does not count searching workers (Idle is 0).
	Counters() Counters
	// Parker returns how that worker sleeps. It takes a lock that is held briefly, except at a hook
	// point.
	Parker(worker int) ParkerState

	// postFilter is what posters check before they call post.
	postFilter() postFilter
	// post announces num new jobs, at least one, in a queue that was empty or not. seen is the word
	// that passed the filter. worker is the owner of the queue, or outside.
	post(seen uint64, worker, num int, queueWasEmpty bool)
	// jobDone reports the end of a job, if the filter asks for it.
	jobDone()
}

// outside is the owner of the injector: no worker.
const outside = -1

// A postFilter makes a post into a busy pool one load and one comparison, whatever the strategy.
type postFilter struct {
	filterWord
	mask, skip uint64 // a post is skipped if word & mask == skip
	sleepers   uint64 // no worker sleeps if word & sleepers == 0; 0: unknown, or sleepers make no final check
	inactive   uint64 // no worker searches or sleeps if word & inactive == 0
	jobEnds    bool   // the strategy wants jobDone
}

type filterWord struct {
	word   *atomic.Uint64
	seqCst bool // the load is declared so; otherwise there are fences where it matters
}

func (f *filterWord) load() uint64 {
	if hooks.Enabled && f.seqCst {
		return memory.LoadUint64(f.word, memory.SeqCst)
	}
	return memory.LoadUint64(f.word, memory.Relaxed)
}

// passAll lets every post through to the strategy.
func (f *postFilter) passAll() { f.mask, f.skip, f.sleepers = 0, 1, 0 }

// A Sleep is what a pool holds: its strategy and the filter in front of it. New makes one. Copies
// share their state.
type Sleep struct {
	Strategy
	filter postFilter
}

func newSleep(s Strategy) *Sleep { return &Sleep{s, s.postFilter()} }

// Injected is what a worker looks at one last time before it blocks.
type Injected interface {
	// HasInjectedJob reports whether a job waits that this worker may have to take: in its own
	// broadcasts or in the injector. It is called with the worker's sleep lock held and must not
	// block.
	HasInjectedJob() bool
}

// PushFence separates pushing an injected job from NewInjectedJobs: to every other goroutine,
// PushJob comes before ReadSleepers. In Go it is empty if PushJob is an atomic or inside a lock
// (README.md, "Fences").
func PushFence() { memory.Fence(memory.SeqCst) }

// NewInjectedJobs is H for num jobs, at least one, that were put into the injector when it was
// empty or not. The caller has pushed the jobs and passed PushFence. It blocks only on the sleep
// locks of the workers that it wakes; one load if no worker sleeps or is about to.
func (s *Sleep) NewInjectedJobs(num int, queueWasEmpty bool) {
	s.newJobs(outside, num, queueWasEmpty)
}

// NewInternalJobs is H for jobs that a worker put into its own deque. JEC may miss a wakeup here if
// its counter rolls over: that costs parallelism only, since the worker itself will come to the
// job. One load if no worker sleeps or is about to.
func (s *Sleep) NewInternalJobs(worker, num int, queueWasEmpty bool) {
	s.newJobs(worker, num, queueWasEmpty)
}

// Lookers reports whether any worker searches or sleeps, and whether any sleeps. A worker that
// falls asleep later makes a final check first (F7), so that the caller may keep jobs private while
// none sleeps (../pool/README.md, "Private jobs"). A strategy that does not count sleepers, or
// makes no final check, always reports both. One load.
func (s *Sleep) Lookers() (inactive, asleep bool) {
	if s.filter.sleepers == 0 {
		return true, true
	}
	seen := memory.LoadUint64(s.filter.word, memory.SeqCst)
	return seen&s.filter.inactive != 0, seen&s.filter.sleepers != 0
}

// SkipsPosts reports whether a post would be skipped at the moment. One load.
func (s *Sleep) SkipsPosts() bool { return s.filter.load()&s.filter.mask == s.filter.skip }

// newJobs is the part of H1 that all strategies share.
//
// The hooks are guarded by Enabled, though they are empty without it: an inlined empty call counts
// against the inliner's budget, and every post comes here.
func (s *Sleep) newJobs(worker, num int, queueWasEmpty bool) {
	if hooks.Enabled {
		hooks.At(pointPostLoad)
	}
	seen := s.filter.load()
	if seen&s.filter.mask != s.filter.skip {
		s.Strategy.post(seen, worker, num, queueWasEmpty)
	} else if hooks.Enabled {
		hooks.At(pointPostCounters)
	}
}

// JobDone reports that a worker has run a job from a queue. It blocks only on locks.
func (s *Sleep) JobDone() {
	if s.filter.jobEnds {
		s.Strategy.jobDone()
	}
}

// IdleState is what a worker remembers while it looks for work.
type IdleState struct {
	worker int
	rounds uint32

	// Of JEC. jec is the counter's value when this worker announced that it is sleepy, if
	// announced. (rayon marks that by a dummy value; here every value can occur.)
	jec       uint64
	announced bool
	woken     bool // the worker has slept, and not searched since
	ahead     bool // the post that woke this worker also woke another

	marked *CoreLatch // of Tickle: the latch whose setter must tickle
}

// Woken reports, once, whether the worker has slept since its last search: while all sleep, only
// injected jobs wake workers.
func (i *IdleState) Woken() bool {
	woken := i.woken
	i.woken = false
	return woken
}

// wakeFully: back to the first search.
func (i *IdleState) wakeFully() { i.rounds, i.announced = 0, false }

// wakePartly: back to just before the announcement. A job was posted somewhere; if this worker does
// not find it, it need not search for long.
func (i *IdleState) wakePartly(roundsUntilSleepy uint32) {
	i.rounds, i.announced = roundsUntilSleepy, false
}

// New returns the sleep protocol of a pool of that many workers, all of them active: JEC, unless
// the options of a Variant choose another. It returns an error if a parameter is out of its range,
// or if the widths cannot count the workers.
func New(workers int, options ...Option) (*Sleep, error) {
	c := newConfig(options)
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
		s = newSleep(newDummyFlag(s, workers))
	}
	return s, nil
}
