package sleep

// Decisions are what a variant of JEC decides by a reading of its counters alone: how many
// sleepers are to be woken. They are pure, for those who simulate a pool; the pool that
// runs decides by the same functions. VariantNamed and Variant.Decisions make them.
type Decisions struct{ rules rules }

// Decisions returns the variant's. It reports false if the variant is not one of JEC: the
// other protocols don't count.
func (v Variant) Decisions() (Decisions, bool) {
	c := config{}
	for _, o := range v.Options {
		o(&c)
	}
	return Decisions{c.rules}, c.protocol == jecProtocol
}

// AfterPost is H3: how many sleepers a post wakes, of num jobs, at least one, which worker (or
// nobody, if it is negative) has put into a queue that was empty or not. The pool has that many workers.
// If ahead, the last of them is woken ahead of need.
func (d Decisions) AfterPost(worker, num int, queueWasEmpty bool, c Counters, workers int) (n int, ahead bool) {
	p := posted{max(worker, outside), num, queueWasEmpty}
	n = d.rules.afterPost(p.wanted(c), p, c, workers)
	if ahead = d.rules.wakeAhead(n, p, c); ahead {
		n++
	}
	return n, ahead
}

// AfterFound is C: how many sleepers a worker wakes that has stopped searching and is not
// counted any more. ahead says that it was woken itself by a post that woke one ahead.
func (d Decisions) AfterFound(c Counters, ahead bool) int {
	return d.rules.afterFound(placesTaken(c, ahead), c)
}
