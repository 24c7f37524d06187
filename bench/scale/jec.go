package scale

import "github.com/rouse-go/rouse/sleep"

// jec is JEC with the decisions of one of its variants: sleep/jec.go, step by step.
type jec struct {
	sim       *sim
	decisions sleep.Decisions
	word      word
	counters  sleep.Counters
	spread    bool // an idea: scans for sleepers don't all begin at worker 0
	broken    broken
}

// broken are ways to get it wrong, for tests of the oracle.
type broken struct {
	noSecondLook bool // sleeps without a look at the counter, or into the injector
	noWakes      bool // posts wake nobody
}

func newJEC(s *sim, d sleep.Decisions) *jec {
	return &jec{sim: s, decisions: d, word: newWord(len(s.workers) + 1)}
}

func (p *jec) sharedWord() *word { return &p.word }

func (p *jec) sleepers() int { return min(p.counters.Sleeping, p.counters.Inactive) }

func (p *jec) jobDone(*walker) {}

// idle is A4 to A6.
func (p *jec) idle(w *worker, l *latch) *job {
	w.ahead = false
	p.word.rmw(&w.walker) // A4: C1
	p.counters.Inactive++
	for rounds := 0; ; {
		// E: so many searches that D comes after the last; one after D; then F.
		j, _ := w.lookFor(l, roundsUntilSleepy-rounds+1) // A5, B
		if j == nil && l.state != set {
			announced := p.announceSleepy(w) // D
			w.actor.wait(p.sim.costs.yield)
			j, _ = w.lookFor(l, 1)
			if j == nil && l.state != set {
				rounds = p.sleep(w, l, announced) // F
			}
		}
		if j != nil || l.state == set {
			p.workFound(w) // C; A6 if the latch is set
			return j
		}
	}
}

// roundsUntilSleepy is how many searches in vain make a worker sleepy.
const roundsUntilSleepy = sleep.DefaultRoundsUntilSleepy

// workFound is C.
func (p *jec) workFound(w *worker) {
	w.woken = false
	p.word.rmw(&w.walker) // C2
	p.counters.Inactive--
	p.wakeAny(&w.walker, p.decisions.AfterFound(p.counters, w.ahead), false)
}

// announceSleepy is D.
func (p *jec) announceSleepy(w *worker) (jec uint64) {
	for {
		p.word.load(&w.walker)
		if p.counters.JEC%2 == 0 {
			return p.counters.JEC
		}
		if p.word.cas(&w.walker, p.word.version) { // C4
			p.counters.JEC++
			return p.counters.JEC
		}
	}
}

// sleep is F. It returns the rounds to go on with.
func (p *jec) sleep(w *worker, l *latch, announced uint64) (rounds int) {
	if !l.becomes(w, sleepy) { // F1
		return roundsUntilSleepy
	}
	w.parker.lock(&w.walker)     // F2
	if !l.becomes(w, sleeping) { // F3
		w.parker.unlock(&w.walker)
		return 0
	}
	for { // F4, F5
		p.word.load(&w.walker) // C6
		if p.counters.JEC != announced && !p.broken.noSecondLook {
			l.wakeUp(w)
			w.parker.unlock(&w.walker)
			return roundsUntilSleepy // one search, then D again
		}
		if p.word.cas(&w.walker, p.word.version) { // C5: IncSleepers
			p.counters.Sleeping++
			break
		}
	}
	p.sim.injector.size.load(&w.walker) // F7: ReadJob
	if len(p.sim.injector.jobs) > 0 && !p.broken.noSecondLook {
		p.word.rmw(&w.walker) // C3
		p.counters.Sleeping--
	} else {
		w.blocked = true // F8
		w.parker.unlock(&w.walker)
		w.sleep()
		w.parker.lock(&w.walker)
	}
	l.wakeUp(w) // F9
	w.parker.unlock(&w.walker)
	return 0
}

// post is H.
func (p *jec) post(w *walker, worker, num int, queueWasEmpty bool) {
	p.word.load(w) // H1
	for p.counters.JEC%2 == 0 {
		if p.word.cas(w, p.word.version) { // C4
			p.counters.JEC++
			break
		}
		p.word.load(w)
	}
	seen := p.counters      // ReadSleepers
	if seen.Sleeping == 0 { // H2
		return
	}
	n, ahead := p.decisions.AfterPost(worker, num, queueWasEmpty, seen, len(p.sim.workers)) // H3
	p.wakeAny(w, n, ahead)                                                                  // H4
}

// wakeAny is I: from worker 0 on, or, if the scans are spread, from any.
func (p *jec) wakeAny(w *walker, n int, ahead bool) {
	workers := p.sim.workers
	start := 0
	if p.spread {
		start = p.sim.random.IntN(len(workers))
	}
	for asked := 0; asked < len(workers) && n > 0 && !p.broken.noWakes; {
		i := (start + asked) % len(workers)
		passed := p.pass(w, i, min(scanAtOnce, len(workers)-asked, len(workers)-i))
		if asked += passed; passed > 0 {
			continue
		}
		if p.wakeSpecific(w, workers[i], true, ahead) {
			n--
		}
		asked++
	}
}

// scanAtOnce is how many workers a scan passes before it looks at what others do.
const scanAtOnce = 128

// pass goes by workers that are not blocked, and whose lock nobody holds, from i on, by most of
// them at most. It takes the lock of each.
func (p *jec) pass(w *walker, i, most int) (passed int) {
	c := &p.sim.costs
	var takes Time
	for _, v := range p.sim.workers[i : i+most] {
		if v.blocked || v.parker.held || v.parker.line.free > p.sim.now {
			break
		}
		if v.parker.owner != w.core {
			takes += c.transfer
		}
		takes += 2 * c.rmw
		v.parker.owner = w.core
		passed++
	}
	w.actor.wait(takes)
	return passed
}

// wakeSpecific is J.
func (p *jec) wakeSpecific(w *walker, v *worker, forWork, ahead bool) bool {
	v.parker.lock(w)
	if !v.blocked {
		v.parker.unlock(w)
		return false
	}
	v.blocked, v.ahead = false, ahead
	w.actor.wait(p.sim.costs.notify)
	p.sim.wake(v, w, forWork)
	p.word.rmw(w) // C3
	p.counters.Sleeping--
	v.parker.unlock(w)
	return true
}

// latchSet is K.
func (p *jec) latchSet(w *walker, owner *worker) { p.wakeSpecific(w, owner, false, false) }
