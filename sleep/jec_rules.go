package sleep

// rules are where JEC's decisions are not rayon's: the alternatives that the RFC
// lists, and what its README says where the code goes further. They are measured against
// rayon's, which are the zero value; none is asked where nobody sleeps.
type rules struct {
	idleness idleness // is anybody there who will come for the job?
	blocks   bool     // wakes until the number of those awake is a power of two
	everyJob bool     // each post moves the JEC, and an announcement does not
	literal  bool     // as the README says it
}

// An idleness is a way to judge whether there are idle workers.
type idleness uint8

const (
	byCounter    idleness = iota // rayon's: one idle worker for each job, unless the queue was not empty
	byTwo                        // as many idle workers as there are jobs, and two at least
	byLocalQueue                 // an empty queue says that somebody is there
	bySpinners                   // Go's: one idle worker is enough, for any number of jobs
)

// WithIdleByLocalQueue judges whether there are idle workers by the queue that a worker
// posts to: if it was empty, there are, and nobody is woken. Jobs from outside are judged by the
// counters. (RFC 5, "Judging idle threads by looking at the local queue".)
func WithIdleByLocalQueue() Option { return func(c *config) { c.rules.idleness = byLocalQueue } }

// WithTwoIdle wakes so many workers that two are idle, at least. (RFC 5, "Possible sources
// of missed hazards".)
func WithTwoIdle() Option { return func(c *config) { c.rules.idleness = byTwo } }

// WithSpinners wakes one worker, and only if nobody is looking for work; a worker that finds a
// job and was the last to look wakes another. (Go's scheduler; RFC 5, "Related work".)
func WithSpinners() Option { return func(c *config) { c.rules.idleness = bySpinners } }

// WithBlocks wakes, when it wakes at all, so many that the number of workers awake is
// a power of two. (RFC 5, "Waking blocks of threads at once".)
func WithBlocks() Option { return func(c *config) { c.rules.blocks = true } }

// WithEveryJob makes each post move the jobs event counter, and not only the first after an
// announcement. (The README: "turns out to be too expensive".)
func WithEveryJob() Option { return func(c *config) { c.rules.everyJob = true } }

// WithLiteralREADME goes by rayon's README where its code goes further (sleep/README.md,
// "rayon's README and rayon's code"). It strands jobs: it is for experiments only.
func WithLiteralREADME() Option { return func(c *config) { c.rules.literal = true } }

// posted says what a post is about.
type posted struct {
	worker, num   int
	queueWasEmpty bool
}

// wanted is H3: how many sleepers a post wakes. A queue that was not empty says that the
// idle workers, if there are any, do not keep up. Otherwise each idle worker is good for one job.
func (p posted) wanted(c Counters) int {
	if p.queueWasEmpty {
		return min(max(p.num-c.Idle(), 0), c.Sleeping)
	}
	return min(p.num, c.Sleeping)
}

// placesTaken is C: how many sleepers take the place of a worker that is not idle any more:
// two, or one if the post that woke the worker has woken one ahead.
func placesTaken(c Counters, ahead bool) int {
	if ahead {
		return min(c.Sleeping, 1)
	}
	return min(c.Sleeping, 2)
}

// wakeAhead is H3 still: a post from outside that wakes one sleeper, n, wakes another, if there is
// one, ahead of the first that finds work, which then wakes one less (C). So no more are woken,
// and the second hands over the first (README.md, "From woken to running"). Alternatives to
// rayon's rules stay as they are.
func (r rules) wakeAhead(n int, p posted, c Counters) bool {
	return r == rules{everyJob: r.everyJob} && p.worker == outside && n == 1 && c.Sleeping > 1
}

// afterPost is H3: how many sleepers a post wakes, where rayon's rule says n.
func (r rules) afterPost(n int, p posted, c Counters, workers int) int {
	switch {
	case r.idleness == byLocalQueue && p.worker != outside:
		n = 0
		if !p.queueWasEmpty {
			n = p.num
		}
	case r.idleness == byTwo:
		n = max(p.num, 2) - c.Idle()
	case r.idleness == bySpinners:
		n = 1 - c.Idle()
	case r.literal:
		n = p.num - c.Idle()
	}
	if n > 0 && r.blocks {
		awake := workers - c.Sleeping
		n = powerOfTwo(awake+n) - awake
	}
	return min(max(n, 0), c.Sleeping)
}

// afterFound is C: how many sleepers take the place of a worker that is not idle any more,
// where rayon's rule says n.
func (r rules) afterFound(n int, c Counters) int {
	switch {
	case r.literal, r.idleness == bySpinners && c.Idle() > 0:
		return 0
	case r.idleness == bySpinners:
		return min(n, 1)
	}
	return n
}

// powerOfTwo returns the smallest power of two that is not less than n.
func powerOfTwo(n int) int {
	p := 1
	for p < n {
		p *= 2
	}
	return p
}

// look is ReadJob, F7.
func (r rules) look(jobs Injected) bool {
	if i, ok := jobs.(interface{ HasJobInInjector() bool }); ok && r.literal {
		return i.HasJobInInjector()
	}
	return jobs.HasInjectedJob()
}
