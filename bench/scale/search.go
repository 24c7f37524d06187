package scale

// search is where a worker is that looks for work. It goes through the queues again and
// again, and nothing comes of that until it meets a job, its latch is set, or it has searched so often
// that the protocol has something to say. So no event is needed for each search, nor for each queue: where it is
// at any time can be computed, and so when it will come by a queue in which a job has appeared.
type search struct {
	at       int // in searchers, if it searches
	on       bool
	from     Time   // when the first of its searches began, or would have
	n        int    // how many
	searches uint64 // the number of the first, in the worker's life
	searched Time   // when it last searched

	place  *place // that it will meet a job at, unless others are faster
	meets  Time   // when; never if there is none
	notice Time   // when it is to look up from its search; never if it need not
	slot   bool   // Tickle: it waits to become the sleepy one
}

// unlimited is more searches than there will be.
const unlimited = 1 << 40

// searchPeriod is one search in vain - every worker's deque, and the injector - and the yield
// after it.
func (s *sim) searchPeriod() Time {
	return Time(len(s.workers))*s.costs.probe + s.costs.load + s.costs.yield
}

// begins is where the worker's search of that number begins.
func (w *worker) begins(number uint64) int {
	x := w.sim.seed<<32 ^ uint64(w.core)<<20 ^ number
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9 // splitmix64
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return int((x ^ x>>31) % uint64(len(w.sim.workers)))
}

// A seeker is where one of those who search is: what is needed to compute when it comes by
// a place, and no more, since there may be thousands, and all are asked about each job.
type seeker struct {
	worker      *worker
	from        Time // when its current search began
	start, next int  // where that one began, and where the next one will
	number      uint64
	limit       Time // when it will be resumed, whatever for: later places are not for it
	bound       bool // for a place
}

// arrival is when the seeker next comes by the place of that index, at now or later.
func (k *seeker) arrival(s *sim, index int) Time {
	if s.now >= k.from+s.period {
		k.advance(s)
	}
	n := len(s.workers)
	steps := index - k.start
	if index == n { // the injector comes last
		steps = n
	} else if steps < 0 {
		steps += n
	}
	if t := k.from + Time(steps)*s.costs.probe; t >= s.now {
		return t
	}
	if index < n {
		if steps = index - k.next; steps < 0 {
			steps += n
		}
	}
	return k.from + s.period + Time(steps)*s.costs.probe
}

// advance goes on to the search in which the seeker is now.
func (k *seeker) advance(s *sim) {
	rounds := (s.now - k.from) / s.period
	k.from += rounds * s.period
	k.number += uint64(rounds)
	k.start, k.next = k.worker.begins(k.number), k.worker.begins(k.number+1)
}

// ends is when the worker has searched n times.
func (w *worker) ends() Time {
	if w.n >= unlimited {
		return never
	}
	return w.from + Time(w.n)*w.sim.period - w.sim.costs.yield
}

// fresh is what a worker's first search takes longer that has not searched for some time: the
// deques that others have written meanwhile have to come over.
func (w *worker) fresh() Time {
	written := 0
	for q := w.sim.newest; q != nil && q.written > w.searched; q = q.older {
		if q != &w.deque {
			written++
		}
	}
	return Time(written) * w.sim.costs.transfer
}

// wrote notes that a deque has been written, and keeps the list of those that have.
func (s *sim) wrote(q *place) {
	q.written = s.now
	if s.newest == q || q == &s.injector {
		return
	}
	if q.newer != nil {
		q.newer.older = q.older
	}
	if q.older != nil {
		q.older.newer = q.newer
	}
	q.newer, q.older = nil, s.newest
	if s.newest != nil {
		s.newest.newer = q
	}
	s.newest = q
}

// lookFor searches n times in vain, yielding between two searches. It returns before that with
// a job, or if the latch is set or it has been told to look up. done is how many searches are over.
func (w *worker) lookFor(l *latch, n int) (j *job, done int) {
	s := w.sim
	if l.state == set {
		return nil, 0
	}
	w.from, w.n = s.now, n
	if w.searched == 0 || s.now-w.searched > s.period {
		w.from += w.fresh()
	}
	w.enter()
	w.choose()
	for {
		w.appoint()
		w.actor.park()
		switch {
		case w.place != nil && s.now == w.meets:
			q, met := w.place, s.now
			w.place, w.meets, q.thief = nil, never, nil
			if q.visible() > 0 {
				q.reserved++
				s.mark(q)
				w.leave()
				s.offer(q)
				j = w.take(q)
				done = w.done(met)
				w.over(done)
				return j, done
			}
			w.appoint()
			w.choose()
		case s.now >= w.notice:
			w.leave()
			done = w.done(s.now)
			w.over(done)
			return nil, done
		case s.now >= w.ends():
			w.leave()
			w.over(n)
			return nil, n
		}
	}
}

// done is how many searches are over.
func (w *worker) done(now Time) int { return int(max(now-w.from, 0) / w.sim.period) }

// over notes that the worker does not search any more.
func (w *worker) over(done int) {
	w.searches += uint64(done) + 1
	w.searched = w.sim.now
	w.notice = never
}

// take takes the job that w has reserved at q.
func (w *worker) take(q *place) *job {
	s := w.sim
	if q == &s.injector {
		q.lock.lock(&w.walker)
		q.size.rmw(&w.walker)
	} else {
		w.actor.wait(s.costs.transfer) // reads the owner's end
		q.line.write(&w.walker)        // CAS on the top
	}
	j := q.oldest()
	q.reserved--
	s.wrote(q)
	s.mark(q)
	if q == &s.injector {
		q.lock.unlock(&w.walker)
	}
	return j
}

// look makes the worker, if it searches, look up before its next search: something that
// it asks for between two of them has changed.
func (w *worker) look() {
	if !w.on {
		return
	}
	w.notice = min(w.notice, w.nextRound())
	w.appoint()
}

// nextRound is when the worker's next search begins.
func (w *worker) nextRound() Time {
	s := w.sim
	if s.now <= w.from {
		return w.from
	}
	period := s.period
	return w.from + (s.now-w.from+period-1)/period*period
}

// appoint says when the worker is to be resumed.
func (w *worker) appoint() {
	t := min(w.meets, w.notice, w.ends())
	k := &w.sim.searchers[w.at]
	k.limit, k.bound = t, w.place != nil
	if t != w.actor.awaits {
		w.actor.at(t)
	}
}

// enter and leave keep the set of those who search.
func (w *worker) enter() {
	s := w.sim
	w.at, w.on = len(s.searchers), true
	s.searchers = append(s.searchers, seeker{worker: w, from: w.from, start: w.begins(w.searches), next: w.begins(w.searches + 1), number: w.searches, limit: w.ends()})
}

func (w *worker) leave() {
	s := w.sim
	last := len(s.searchers) - 1
	s.searchers[w.at] = s.searchers[last]
	s.searchers[w.at].worker.at = w.at
	s.searchers = s.searchers[:last]
	w.on = false
	if q := w.place; q != nil { // somebody else's, then
		w.place, w.meets, q.thief = nil, never, nil
		s.offer(q)
	}
}

// offer finds who will be first to come by a place with a job, of those who search and are not
// bound for another; of those, too, if all are. Who comes by before the line with the job can have
// come over is as good as the first: all of those would wait for it.
func (s *sim) offer(q *place) {
	if q.visible() == 0 || q.thief != nil {
		return
	}
	var first, bound *worker
	when, whenBound := never, never
	soon := s.now + s.costs.transfer
	n := len(s.searchers)
	for range n {
		if s.asked++; s.asked >= n { // from where the last one was found
			s.asked = 0
		}
		k := &s.searchers[s.asked]
		switch t := k.arrival(s, q.index); {
		case t >= k.limit:
		case k.bound:
			if t < whenBound {
				bound, whenBound = k.worker, t
			}
		case t < when:
			first, when = k.worker, t
		}
		if when <= soon {
			break
		}
	}
	switch {
	case first != nil:
		first.goes(q, when)
	case bound != nil:
		bound.goes(q, whenBound)
	}
}

// choose finds where the worker will meet a job, if others are not faster.
func (w *worker) choose() {
	var nearest *place
	k := &w.sim.searchers[w.at]
	when := k.limit
	w.sim.eachVisible(func(q *place) {
		if q.thief == w {
			return
		}
		if t := k.arrival(w.sim, q.index); t < when && (q.thief == nil || t < q.thief.meets) {
			nearest, when = q, t
		}
	})
	if nearest != nil {
		w.goes(nearest, when)
	}
}

// goes sends the worker to a place instead of where it was to go, which is then for others;
// and whoever was to go there goes elsewhere.
func (w *worker) goes(q *place, when Time) {
	other, left := q.thief, w.place
	q.thief, w.place, w.meets = w, q, when
	if left != nil {
		left.thief = nil
	}
	w.appoint()
	if other != nil {
		other.place, other.meets = nil, never
		other.appoint()
		other.choose()
	}
	if left != nil {
		w.sim.offer(left)
	}
}
