package scale

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
)

// A walker takes steps on a core of its own: a worker, or somebody outside.
type walker struct {
	sim   *sim
	actor *actor
	core  int
}

// A job is a node of the work: forks put more of them into deques.
type job struct {
	body  func(w *worker)
	latch *latch // set when it is done; nil if nobody waits for it
	runs  int
}

// A place is where thieves find jobs: a worker's deque, or the injector.
type place struct {
	index    int
	jobs     []*job
	reserved int     // the oldest ones, which thieves are about to take
	thief    *worker // who will be here first, of those who are on their way
	line     line    // of a deque: its top
	written  Time    // by its owner or a thief
	newer    *place  // the deque that was written after this one
	older    *place
	lock     lock // the injector's
	size     word // the injector's
}

// visible is how many jobs nobody has reserved.
func (q *place) visible() int { return len(q.jobs) - q.reserved }

// oldest takes a job from the thieves' end.
func (q *place) oldest() *job {
	j := q.jobs[0]
	q.jobs = q.jobs[1:]
	return j
}

// A protocol is a way to sleep.
type protocol interface {
	// post is G3: somebody tells of num new jobs in a queue that was empty or not.
	post(w *walker, worker, num int, queueWasEmpty bool)
	// jobDone is the end of a job that was in a queue.
	jobDone(w *walker)
	// idle is A4 to A6: the worker has run out of work. It returns a job, or nil if the
	// latch is set.
	idle(w *worker, l *latch) *job
	// latchSet is K.
	latchSet(w *walker, owner *worker)
	// sharedWord is the one that posters look at.
	sharedWord() *word
	// sleepers is how many workers sleep, by the protocol's own account.
	sleepers() int
}

// A sim is one run: a pool, its work and the machine.
type sim struct {
	clock
	costs    costs
	seed     uint64
	random   *rand.Rand // of those outside
	protocol protocol
	workers  []*worker
	injector place
	outside  *walker
	late     Time // how much longer than said a leaf takes at most
	quick    bool // who posts from outside makes room for whom it wakes: it waits then

	searchers []seeker // those who go through the queues
	asked     int      // who of them has last been found a job
	newest    *place   // the deque that was written last
	period    Time     // searchPeriod
	visible   []uint64 // places with visible jobs: a bit for each
	jobs      []*job   // all there have been
	began     Time     // when counting did
	before    int      // jobs that were posted before that
	done      Time     // when the last job so far was
	counts
}

// counts are what a run is measured by. All are of all workers together.
type counts struct {
	Wakes, Wasted, Sleeps int
	Posts                 int
	PostTime, PostMost    Time
	Parked, Useful, Extra Time // asleep; inside jobs; burnt beside all that takes time
	busy                  int  // workers inside a leaf
	most                  int
	nearly, full          Time // when nine tenths, and all, of the workers first were
}

func newSim(workers int, c costs, seed uint64) *sim {
	s := &sim{costs: c, seed: seed, random: rand.New(rand.NewPCG(seed, 0))}
	s.injector = place{index: workers, size: newWord(workers + 1), line: line{owner: shared}}
	s.visible = make([]uint64, workers/64+1)
	for i := range workers {
		w := &worker{walker: walker{sim: s, core: i}}
		w.notice, w.meets = never, never
		w.home.owner = w
		w.deque.index = i
		w.deque.line.owner = i
		s.workers = append(s.workers, w)
	}
	s.period = s.searchPeriod()
	return s
}

// begin starts the workers, and lets them fall asleep.
func (s *sim) begin(ctx context.Context) error {
	for _, w := range s.workers {
		w.actor = s.start(func(*actor) { w.waitUntil(&w.home) })
	}
	if err := s.settle(ctx); err != nil {
		return err
	}
	s.reset()
	return nil
}

// reset begins to count anew.
func (s *sim) reset() {
	s.counts = counts{busy: s.busy}
	s.began, s.before = s.now, len(s.jobs)
	for _, w := range s.workers {
		if w.asleep {
			w.since = s.now
		}
	}
	s.protocol.sharedWord().Traffic = Traffic{}
	s.injector.lock.Traffic = Traffic{}
}

// count returns the counts up to now.
func (s *sim) count() counts {
	c := s.counts
	for _, w := range s.workers {
		if w.asleep {
			c.Parked += s.now - w.since
		}
	}
	return c
}

// settle runs until everybody waits for somebody else: in a pool that loses nothing, until
// all sleep and there is nothing to do.
func (s *sim) settle(ctx context.Context) error {
	for until := s.now; !s.run(until); until += 10 * millisecond {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if until > 1000*second {
			return fmt.Errorf("%d workers: some never come to rest", len(s.workers))
		}
	}
	return nil
}

// check is the oracle, when nothing happens any more: each job has run once, and all workers sleep.
func (s *sim) check() error {
	lost, twice := 0, 0
	for _, j := range s.jobs {
		switch {
		case j.runs == 0:
			lost++
		case j.runs > 1:
			twice++
		}
	}
	if lost > 0 || twice > 0 {
		return fmt.Errorf("%d workers, seed %d: of %d jobs %d were lost, %d ran twice", len(s.workers), s.seed, len(s.jobs), lost, twice)
	}
	if n := s.protocol.sleepers(); n != len(s.workers) {
		return fmt.Errorf("%d workers, seed %d: nothing happens, and %d of them sleep", len(s.workers), s.seed, n)
	}
	return nil
}

// newJob makes a job, which check then knows.
func (s *sim) newJob(latch *latch, body func(w *worker)) *job {
	j := &job{body: body, latch: latch}
	s.jobs = append(s.jobs, j)
	return j
}

// inject is G': w, who is no worker, posts a job.
func (s *sim) inject(w *walker, j *job) {
	q := &s.injector
	q.size.load(w)
	wasEmpty := len(q.jobs) == 0 // G1'
	q.lock.lock(w)
	q.size.rmw(w)
	s.put(q, j) // G2': PushJob
	q.lock.unlock(w)
	s.post(w, outsider, wasEmpty) // G3'
}

// outsider is who posts through the injector.
const outsider = -1

// post is G3.
func (s *sim) post(w *walker, worker int, wasEmpty bool) {
	began := s.now
	s.protocol.post(w, worker, 1, wasEmpty)
	took := s.now - began
	s.Posts++
	s.PostTime += took
	s.PostMost = max(s.PostMost, took)
}

// put puts a job where thieves see it.
func (s *sim) put(q *place, j *job) {
	q.jobs = append(q.jobs, j)
	s.wrote(q)
	s.mark(q)
	if q.thief == nil {
		s.offer(q)
	}
}

// mark keeps the set of places with visible jobs.
func (s *sim) mark(q *place) {
	bit := uint64(1) << (q.index % 64)
	if q.visible() > 0 {
		s.visible[q.index/64] |= bit
	} else {
		s.visible[q.index/64] &^= bit
	}
}

// eachVisible calls f for all places with visible jobs.
func (s *sim) eachVisible(f func(q *place)) {
	for i, set := range s.visible {
		for ; set != 0; set &= set - 1 {
			f(s.place(i*64 + bits.TrailingZeros64(set)))
		}
	}
}

func (s *sim) place(index int) *place {
	if index == len(s.workers) {
		return &s.injector
	}
	return &s.workers[index].deque
}
