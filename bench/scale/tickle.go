package scale

import "github.com/rouse-go/rouse/sleep"

// tickle is Tickle: sleep/tickle.go, step by step.
type tickle struct {
	sim     *sim
	word    word
	sleepy  *worker // at most one
	asleep  bool    // the state says that some sleep
	lock    lock
	waiting []*worker // inside their wait
	offered *worker   // who is the next to see that nobody is sleepy
	broken  broken
}

func newTickle(s *sim) *tickle {
	return &tickle{sim: s, word: newWord(len(s.workers) + 1)}
}

// roundsUntilAsleep is how many searches in vain a sleepy worker makes.
const roundsUntilAsleep = sleep.DefaultRoundsUntilSleepy

func (p *tickle) sharedWord() *word { return &p.word }

func (p *tickle) sleepers() int { return len(p.waiting) }

// idle is U1 to U3.
func (p *tickle) idle(w *worker, l *latch) *job {
	marked := false
	found := func(rounds int, j *job) *job { // U2
		w.woken = false
		if marked {
			l.wakeUp(w)
		}
		if rounds > roundsUntilSleepy {
			p.tickle(&w.walker)
		}
		return j
	}
	for rounds := 0; ; {
		if l.state == set {
			return found(rounds, nil)
		}
		n := 1
		switch {
		case rounds < roundsUntilSleepy && marked:
			n = roundsUntilSleepy - rounds
		case rounds > roundsUntilSleepy && rounds < roundsUntilSleepy+roundsUntilAsleep:
			n = roundsUntilSleepy + roundsUntilAsleep - rounds
		}
		j, done := w.lookFor(l, n)
		if j != nil {
			return found(rounds, j)
		}
		if !marked {
			marked = l.becomes(w, sleeping)
		}
		switch {
		case rounds < roundsUntilSleepy:
			rounds += done
		case rounds == roundsUntilSleepy: // U4
			w.actor.wait(p.sim.costs.yield)
			if j := p.becomeSleepy(w, l); j != nil {
				return found(rounds, j)
			}
			if p.sleepy == w {
				rounds++
			}
			continue
		case rounds < roundsUntilSleepy+roundsUntilAsleep:
			rounds += done
			p.word.load(&w.walker)
			if p.sleepy != w {
				rounds = 0
			}
		default: // U5
			p.sleep(w)
			rounds = 0
			continue
		}
		w.actor.wait(p.sim.costs.yield)
	}
}

// becomeSleepy is U4, again after each search, until it is w, who then is the sleepy one,
// or has found a job, or its latch is set.
func (p *tickle) becomeSleepy(w *worker, l *latch) *job {
	for l.state != set {
		p.word.load(&w.walker)
		if p.sleepy == nil {
			if p.word.cas(&w.walker, p.word.version) {
				p.sleepy = w
				return nil
			}
			continue
		}
		w.slot = true
		j, _ := w.lookFor(l, unlimited)
		w.slot = false
		if p.offered == w {
			p.offered = nil
		}
		if j != nil || l.state == set {
			p.offer()
			return j
		}
	}
	return nil
}

// offer makes the first of those who wait to become sleepy look up, if nobody is.
func (p *tickle) offer() {
	if p.sleepy != nil || p.offered != nil {
		return
	}
	when := never
	for i := range p.sim.searchers {
		if w := p.sim.searchers[i].worker; w.slot {
			if t := w.nextRound(); t < when {
				p.offered, when = w, t
			}
		}
	}
	if p.offered != nil {
		p.offered.look()
	}
}

// nobody makes nobody the sleepy one: who was sees it after its search.
func (p *tickle) nobody() {
	if w := p.sleepy; w != nil {
		p.sleepy = nil
		w.look()
	}
	p.offer()
}

// sleep is U5.
func (p *tickle) sleep(w *worker) {
	for {
		p.word.load(&w.walker)
		if p.sleepy != w && !p.broken.noSecondLook {
			return
		}
		p.lock.lock(&w.walker)
		if p.word.cas(&w.walker, p.word.version) && (p.sleepy == w || p.broken.noSecondLook) {
			p.asleep = true
			p.nobody()
			p.waiting = append(p.waiting, w)
			p.lock.unlock(&w.walker)
			w.sleep()
			p.lock.lock(&w.walker)
			p.lock.unlock(&w.walker)
			return
		}
		p.lock.unlock(&w.walker)
	}
}

// tickle is U6.
func (p *tickle) tickle(w *walker) {
	p.word.load(w)
	if p.sleepy == nil && !p.asleep {
		return
	}
	p.word.rmw(w) // the swap
	asleep := p.asleep
	p.asleep = false
	p.nobody()
	if !asleep {
		return
	}
	p.lock.lock(w)
	takes := p.sim.costs.notify
	for _, v := range p.waiting {
		w.actor.wait(takes)
		takes = p.sim.costs.notifyNext
		p.sim.wake(v, w, true)
	}
	p.waiting = p.waiting[:0]
	p.lock.unlock(w)
}

// post is U6: wherever the job is, whoever sleeps.
func (p *tickle) post(w *walker, _, _ int, _ bool) {
	if !p.broken.noWakes {
		p.tickle(w)
	}
}

// jobDone is U6.
func (p *tickle) jobDone(w *walker) { p.tickle(w) }

// latchSet is U6.
func (p *tickle) latchSet(w *walker, _ *worker) { p.tickle(w) }
