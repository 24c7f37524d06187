package pool

import (
	"math/bits"
	"slices"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/hooks/time"
	"github.com/rouse-go/rouse/sleep"
)

// defaultSpares is how many spare workers a pool has at most, unless its counters are too narrow.
const defaultSpares = 1 << 15

// spareRest is how long a spare that is not needed keeps its goroutine, at least; twice that at most.
const spareRest = time.Second

// spareDeque is the most that a spare's deque has room for at first: there may be thousands, and
// few ever push a job.
const spareDeque = 8

// spares are the workers that stand in for others that block, and that run jobs that block. A spare
// is made when it is first needed. When it has nothing to do it rests on its goroutine, to be used
// again, the last one first; the goroutine ends when it has not been needed for spareRest. The
// worker is kept.
type spares struct {
	max int

	mu      sync.Mutex
	resting []*Worker // with a goroutine, the longest at rest first
	without []*Worker // without a goroutine
	unused  int       // of those at rest, since the timer last fired
	timer   *time.Timer
	ticking bool // the timer runs, or its function does
	closed  bool
	used    uint64 // times that one was set to work
	missing uint64 // times that all were in use

	// listed has a bit for each spare from which there may be something to steal. Only the spare
	// writes its bit. So the cost of a search grows with the spares at work, not with those that
	// block.
	listed []atomic.Uint64
}

func (s *spares) init(most int) {
	s.max = most
	s.listed = make([]atomic.Uint64, (most+63)/64)
}

// orders are what a spare is to do next. Without either, its goroutine is to end.
type orders struct {
	until *sleep.OnceLatch // to stand in until then
	job   *job             // to run that, which may block
}

// A standIn is one activation of a spare worker in another's place. The zero value is none.
type standIn struct {
	spare *Worker
	until *sleep.OnceLatch
}

// end ends it.
func (s standIn) end() {
	if s.spare != nil {
		if hooks.Enabled { // what is left of an empty call takes a place on the stack
			hooks.At(pointSpareRetire)
		}
		s.until.SetAndTickleOne(&s.spare.pool.sleep, s.spare.index)
	}
}

// standIn has a spare take the place of a worker that is about to block; none if all are in use. A
// job of the pool that is not over keeps the pool alive.
func (p *Pool) standIn() standIn {
	until := new(sleep.OnceLatch)
	return standIn{p.spares.use(p, orders{until: until}), until}
}

// goBlocking has a spare run a job that may block, and reports whether there is one. Without, the
// job has to call Worker.Blocking, which is a mere call on a spare. The job has a reference to the
// pool.
func (p *Pool) goBlocking(j *job) bool { return p.spares.use(p, orders{job: j}) != nil }

// use has a spare follow these orders, and returns it; nil if all are in use.
func (s *spares) use(p *Pool, o orders) *Worker {
	s.mu.Lock()
	w, rested := s.take(p)
	if w == nil {
		s.missing++
		s.mu.Unlock()
		return nil
	}
	s.used++
	s.mu.Unlock()
	hooks.At(pointSpareStart)
	if !rested {
		p.running.Add(1)
		w.waiting.Store(uint32(notWaiting))
		w.start()
	}
	w.order(o)
	return w
}

// take takes a spare that is at rest, or else one without a goroutine, or a new one. The caller holds
// the lock.
func (s *spares) take(p *Pool) (w *Worker, rested bool) {
	if n := len(s.resting) - 1; n >= 0 {
		w = s.resting[n]
		s.resting = s.resting[:n]
		s.unused = min(s.unused, n)
		return w, true
	}
	if n := len(s.without) - 1; n >= 0 {
		w = s.without[n]
		s.without = s.without[:n]
		return w, false
	}
	all := *p.all.Load()
	if len(all) >= len(p.workers)+s.max {
		return nil, false
	}
	w = p.newSpare(len(all))
	all = append(all, w) // in the same array if it has room: readers know theirs by its length
	p.all.Store(&all)
	return w, false
}

// newSpare makes worker i, a spare. Unless it stands in it counts as blocking.
func (p *Pool) newSpare(i int) *Worker {
	w := p.newWorkerWith(i, min(p.dequeCapacity, spareDeque))
	w.orders = make(chan orders, 1)
	w.unlisted = true
	w.blocks.Store(true)
	p.blocked.Add(1)
	w.keepFew()
	return w
}

// order gives a spare that rests, or is about to start, its orders. It does not block.
func (w *Worker) order(o orders) {
	for range hooks.Notify(pointSpareNotify) {
		sendOrders(w.orders, o)
		if !hooks.Enabled {
			break
		}
	}
}

// serve is what a spare does on its goroutine: it follows orders until it is to end.
func (w *Worker) serve() {
	if w.busy && w.until == nil { // a job has called Goexit, on the last goroutine
		w.ranBlocking()
		w.runBlocking(w.next)
	}
	for {
		if !w.busy {
			o := receiveOrders(w.orders)
			switch {
			case o.job != nil:
				w.runBlocking(o.job)
			case o.until != nil:
				w.busy, w.until = true, o.until
				w.unblock()
			default:
				return
			}
		}
		if w.until != nil {
			w.waitUntil(&w.until.CoreLatch, waitsForJobs)
			w.until = nil
			w.giveAway()
			w.block()
			w.publish()
		}
		w.payBack()
		w.busy = false
		if !w.rests.Load() && !w.pool.spares.rest(w) {
			return
		}
		w.rests.Store(false)
	}
}

// runBlocking runs the job that a spare is to run. The spare has nobody's place, so nothing stands
// in for it. A job that waits for j's end to begin (Group.SetLimit) is run next, without another
// spare.
func (w *Worker) runBlocking(j *job) {
	w.busy = true
	for ; j != nil; j = w.next {
		w.serves, w.next = j, nil
		w.execute(j)
	}
	w.serves = nil
	if w.unlisted {
		w.published.jobs.Store(w.counts.jobs) // as of most: these are thousands
		return
	}
	w.ranBlocking()
}

// ranBlocking is runBlocking when the job is over, and has used w.
func (w *Worker) ranBlocking() {
	w.giveAway()
	w.unlist()
	w.publish()
}

// giveAway leaves the jobs in the deque to the workers.
func (w *Worker) giveAway() {
	for j := w.deque.pop(); j != nil; j = w.deque.pop() {
		w.pool.inject(j)
	}
}

// rest puts a spare among those at rest, and returns false if its goroutine is to end instead.
func (s *spares) rest(w *Worker) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.resting = append(s.resting, w)
	s.tick(w.pool)
	return true
}

// restEarly puts w, if it is a spare whose job is over, at rest before others learn of that end: what
// they then start gets this spare, whose orders wait until it looks for them.
func (w *Worker) restEarly() {
	if w != nil {
		w.rests.Store(true) // first: it is shown as at rest when it has nothing left to do
		w.rests.Store(w.pool.spares.rest(w))
	}
}

// ended is called at the end of a spare's goroutine: the spare may be started again.
func (s *spares) ended(w *Worker) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.without = append(s.without, w)
}

// tick starts the timer unless it runs. It counts as a worker that has not ended, so that Close
// waits for its function. The caller holds the lock, and is a worker that has not ended.
func (s *spares) tick(p *Pool) {
	if s.ticking {
		return
	}
	s.ticking, s.unused = true, len(s.resting)
	p.running.Add(1)
	if s.timer == nil {
		s.timer = time.AfterFunc(spareRest, func() { s.ticked(p) })
	} else {
		s.timer.Reset(spareRest)
	}
}

// ticked ends the goroutines of the spares that were not needed since the last time. While none is
// at rest the timer stands still.
func (s *spares) ticked(p *Pool) {
	s.mu.Lock()
	s.dismiss(s.unused)
	s.unused = len(s.resting)
	s.ticking = s.unused > 0
	if s.ticking {
		s.timer.Reset(spareRest)
	}
	stopped := !s.ticking
	s.mu.Unlock()
	if stopped {
		p.workerEnded()
	}
}

// dismiss ends the goroutines of the n spares that have been at rest for longest. The caller holds
// the lock.
func (s *spares) dismiss(n int) {
	for _, w := range s.resting[:n] {
		w.order(orders{})
	}
	s.resting = slices.Delete(s.resting, 0, n)
}

// close ends the goroutines of all spares at rest. The others end when they have nothing to do.
func (s *spares) close(p *Pool) {
	s.mu.Lock()
	s.closed = true
	s.dismiss(len(s.resting))
	s.unused = 0
	stopped := s.ticking && s.timer.Stop()
	s.mu.Unlock()
	if stopped {
		p.workerEnded()
	}
}

// stats returns how often spares were used, and missing.
func (s *spares) stats() (used, missing uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used, s.missing
}

// atRest returns the spares that have nothing to do, and a goroutine.
func (s *spares) atRest() map[*Worker]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	rest := make(map[*Worker]bool, len(s.resting))
	for _, w := range s.resting {
		if !w.rests.Load() {
			rest[w] = true
		}
	}
	return rest
}

// isSpare reports whether w is a spare worker.
func (w *Worker) isSpare() bool { return w.index >= len(w.pool.workers) }

// list makes a spare known to thieves, and to workers that fall asleep; other workers always are.
// It has kept nothing from those that did not know of it, so the request is met.
func (w *Worker) list() {
	if !w.unlisted {
		return
	}
	w.unlisted = false
	w.request.Store(met)
	w.pool.spares.listing(w, true)
}

// unlist ends that. Nothing can be stolen from w, and it keeps nothing private.
func (w *Worker) unlist() {
	if !w.unlisted && w.isSpare() {
		w.unlisted = true
		w.pool.spares.listing(w, false)
	}
}

func (s *spares) listing(w *Worker, on bool) {
	i := w.index - len(w.pool.workers)
	if bit := uint64(1) << (i % 64); on {
		s.listed[i/64].Or(bit)
	} else {
		s.listed[i/64].And(^bit)
	}
}

// victims calls f with each worker from which there may be something to steal, until f returns
// false.
func (p *Pool) victims(f func(w *Worker) bool) {
	for _, w := range p.workers {
		if !f(w) {
			return
		}
	}
	p.listedSpares(f)
}

// listedSpares is victims for the spares.
func (p *Pool) listedSpares(f func(w *Worker) bool) {
	all := *p.all.Load()
	n := len(all) - len(p.workers) // a spare is among all before it is listed
	for i := 0; i < n; i += 64 {
		for set := p.spares.listed[i/64].Load(); set != 0; set &= set - 1 {
			spare := i + bits.TrailingZeros64(set)
			if spare >= n { // made since
				break
			}
			if !f(all[len(p.workers)+spare]) {
				return
			}
		}
	}
}
