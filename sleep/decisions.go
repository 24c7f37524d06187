package sleep

// Decisions are the pure part of a variant of JEC: how many sleepers to wake, given a reading of
// the counters. Simulations of a pool use them; a running pool calls the same functions.
type Decisions struct{ rules rules }

// Decisions returns those of the variant, or false if it is not a variant of JEC.
func (v Variant) Decisions() (Decisions, bool) {
	c := newConfig(v.Options)
	return Decisions{c.rules}, c.protocol == jecProtocol
}

// AfterPost is H3: how many sleepers to wake after num jobs, at least one, were put into a queue
// that was empty or not. worker is the queue's owner, or negative for the injector; the pool has
// that many workers. If ahead, the last sleeper is woken ahead of need.
func (d Decisions) AfterPost(worker, num int, queueWasEmpty bool, c Counters, workers int) (n int, ahead bool) {
	p := posted{max(worker, outside), num, queueWasEmpty}
	n = d.rules.afterPost(p.wanted(c), p, c, workers)
	if ahead = d.rules.wakeAhead(n, p, c); ahead {
		n++
	}
	return n, ahead
}

// AfterFound is C: how many sleepers a worker wakes that has stopped searching and no longer
// counts as inactive. ahead: the post that woke it has woken another ahead of need.
func (d Decisions) AfterFound(c Counters, ahead bool) int {
	return d.rules.afterFound(replacements(c, ahead), c)
}
