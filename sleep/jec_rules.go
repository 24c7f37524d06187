package sleep

// rules are where a variant of JEC decides differently from rayon, whose rules are the zero value:
// the alternatives of RFC 5, and those of rayon's README. They are asked only while a worker
// sleeps.
type rules struct {
	idleness idleness // how a post judges whether an idle worker will take the job
	blocks   bool     // wakes until the number of workers awake is a power of two
	everyJob bool     // each post moves the JEC, an announcement only reads it (README: "too expensive")
	literal  bool     // as in rayon's README, where rayon's code does more: jobs may be stranded
}

// idleness is a way to judge whether there are enough idle workers.
type idleness uint8

const (
	byCounter    idleness = iota // rayon: one idle worker for each job, unless the queue was not empty
	byTwo                        // as many idle workers as jobs, and at least two (RFC 5, "missed hazards")
	byLocalQueue                 // an empty deque means that there are (RFC 5, "the local queue")
	bySpinners                   // Go: one idle worker is enough for any number of jobs (RFC 5, "Related work")
)

// posted describes one post.
type posted struct {
	worker, num   int
	queueWasEmpty bool
}

// wanted is H3: how many sleepers a post wakes. If the queue was not empty, the idle workers do not
// keep up; otherwise each idle worker takes one job.
func (p posted) wanted(c Counters) int {
	if p.queueWasEmpty {
		return min(max(p.num-c.Idle(), 0), c.Sleeping)
	}
	return min(p.num, c.Sleeping)
}

// replacements is C: how many sleepers replace a worker that is no longer idle: two, or one if the
// post that woke the worker also woke another.
func replacements(c Counters, ahead bool) int {
	if ahead {
		return min(c.Sleeping, 1)
	}
	return min(c.Sleeping, 2)
}

// wakeAhead is H3, too: a post from outside that wakes one sleeper, n, wakes a second ahead of the
// first that finds work, which then wakes one less (C). So no more are woken, and waking the second
// hands over the first (docs/wake-latency.md). Not with changed rules.
func (r rules) wakeAhead(n int, p posted, c Counters) bool {
	return r == rules{everyJob: r.everyJob} && p.worker == outside && n == 1 && c.Sleeping > 1
}

// afterPost is H3: how many sleepers a post wakes, where rayon's rule gives n.
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

// afterFound is C: how many sleepers replace a worker that is no longer idle, where rayon's rule
// gives n.
func (r rules) afterFound(n int, c Counters) int {
	switch {
	case r.literal, r.idleness == bySpinners && c.Idle() > 0:
		return 0
	case r.idleness == bySpinners:
		return min(n, 1)
	}
	return n
}

// powerOfTwo returns the smallest power of two that is at least n.
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
