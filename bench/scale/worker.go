package scale

// A worker is one of the pool.
type worker struct {
	walker
	deque place
	home  latch // what it waits for when it has no job; it is never set
	search
	parker lock // its sleep lock: JEC's

	blocked bool // it sleeps, or is about to, and has not been woken
	asleep  bool // it uses no core
	since   Time // when it fell asleep
	woken   bool // by somebody's post, and has found nothing yet
	ahead   bool // by one that woke another ahead of need: JEC's
}

// waitUntil is A: it returns when the latch is set, and runs jobs meanwhile.
func (w *worker) waitUntil(l *latch) {
	for l.state != set { // A1, A2
		j := w.takeLocal() // A3
		if j == nil {
			j = w.sim.protocol.idle(w, l)
		}
		if j != nil {
			w.execute(j)
		}
	}
}

// execute runs a job that was in a queue.
func (w *worker) execute(j *job) {
	w.actor.wait(w.sim.costs.execute)
	j.runs++
	j.body(w)
	if j.latch != nil {
		w.set(j.latch)
	}
	w.sim.done = w.sim.now
	w.sim.protocol.jobDone(&w.walker)
}

// leaf is a job's own work, on its worker's core.
func (w *worker) leaf(d Time) {
	s := w.sim
	s.busy++
	s.most = max(s.most, s.busy)
	if n := len(s.workers); s.busy == n && s.full == 0 {
		s.full = s.now
	} else if 10*s.busy >= 9*n && s.nearly == 0 {
		s.nearly = s.now
	}
	if s.full != 0 && s.nearly == 0 {
		s.nearly = s.full
	}
	if s.late > 0 {
		d += Time(s.random.Int64N(int64(s.late)))
	}
	w.actor.wait(d)
	s.Useful += d
	s.busy--
}

// fork is a join: others may take b while a runs. a and b run on the worker that they are given.
func (w *worker) fork(a, b func(w *worker)) {
	l := &latch{owner: w, line: line{owner: w.core}}
	j := w.sim.newJob(l, b)
	w.push(j)
	a(w)
	for l.state != set {
		switch mine := w.takeLocal(); mine {
		case j:
			j.runs++
			b(w)
			return
		case nil:
			w.waitUntil(l)
		default:
			w.execute(mine)
		}
	}
}

// push is G: each fork is shared, and posted, at once.
func (w *worker) push(j *job) {
	s, q := w.sim, &w.deque
	wasEmpty := q.visible() == 0 // G1
	w.visited()
	q.line.write(&w.walker)
	s.put(q, j)                         // G2
	s.post(&w.walker, w.core, wasEmpty) // G3
}

// takeLocal takes the newest job of the worker's own.
func (w *worker) takeLocal() *job {
	s, q := w.sim, &w.deque
	if q.visible() == 0 {
		w.actor.wait(s.costs.load)
		return nil
	}
	w.visited()
	q.line.write(&w.walker) // claims the job
	if q.visible() == 0 {
		return nil // a thief was faster
	}
	last := len(q.jobs) - 1
	j := q.jobs[last]
	q.jobs = q.jobs[:last]
	s.wrote(q)
	s.mark(q)
	return j
}

// visited takes the line of the worker's deque from it, if a thief has come by since it
// wrote last: those who search come by each deque once in each search.
func (w *worker) visited() {
	s, q := w.sim, &w.deque
	if Time(len(s.searchers))*(s.now-q.written) >= s.period {
		q.line.owner = shared
	}
}

// sleep is F8: the worker uses no core until somebody wakes it.
func (w *worker) sleep() {
	s := w.sim
	if w.woken {
		s.Wasted++
		w.woken = false
	}
	s.Sleeps++
	s.Extra += s.costs.park
	w.asleep, w.since = true, s.now
	w.actor.park()
	w.asleep = false
	s.Parked += s.now - w.since
}

// wake wakes a worker that sleeps: it goes on when the machine has brought it back.
// forWork: and not because of its latch.
func (s *sim) wake(w *worker, by *walker, forWork bool) {
	s.Wakes++
	w.woken = forWork
	latency := s.costs.wake
	if s.quick && by == s.outside {
		latency = s.costs.wakeQuick
	}
	w.actor.at(s.now + latency)
}
