package pool

import (
	"math/bits"
	stdatomic "sync/atomic" // not the drop-in: what is counted is no part of a schedule

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

// ordersWaiting is how many orders may wait for spares that are at rest early.
const ordersWaiting = 64

// spares are the workers that stand in for others that block, and that run jobs that block. A spare
// is made when it is first needed. When it has nothing to do it rests on its goroutine, where it
// waits for orders: those at rest are alike, and have one channel, so that a job's start and end
// touch little of the memory of a spare that has long been blocked. The goroutine ends when it has
// not been needed for spareRest. The worker is kept.
type spares struct {
	max    int
	orders chan orders

	_    [64]byte         // a cache line of what each use and each rest writes
	free atomic.Int64     // spares at rest, less the orders on their way
	low  atomic.Int64     // the least of that, about, since the timer was started, or last fired
	used stdatomic.Uint64 // times that a spare was set to work
	_    [40]byte

	ticking atomic.Bool // the timer runs, or its function does
	closed  atomic.Bool

	mu      sync.Mutex // of what follows, and of each change of the two above
	timer   *time.Timer
	without []*Worker // spares without a goroutine
	missing uint64    // times that all were in use

	// listed has a bit for each spare from which there may be something to steal. Only the spare
	// writes its bit. So the cost of a search grows with the spares at work, not with those that
	// block.
	listed []atomic.Uint64
}

func (s *spares) init(most int) {
	s.max = most
	s.orders = make(chan orders, ordersWaiting)
	s.listed = make([]atomic.Uint64, (most+63)/64)
}

// orders are what a spare is to do next. Without either, its goroutine is to end.
type orders struct {
	in  *standIn // to stand in until that ends
	job *job     // to run that, which may block
}

// A standIn is one activation of a spare worker in another's place. Nil stands for none.
type standIn struct {
	until sleep.OnceLatch
	spare *Worker // the one that it is, which says so before it sleeps
}

// end ends it.
func (s *standIn) end() {
	if s != nil {
		if hooks.Enabled { // what is left of an empty call takes a place on the stack
			hooks.At(pointSpareRetire)
		}
		s.until.SetAndTickleOne(s, 0)
	}
}

// NotifyLatchSet wakes the spare, which sleeps.
func (s *standIn) NotifyLatchSet(int) { s.spare.pool.sleep.NotifyLatchSet(s.spare.index) }

// standIn has a spare take the place of a worker that is about to block; nil if all are in use. A
// job of the pool that is not over keeps the pool alive.
func (p *Pool) standIn() *standIn {
	in := new(standIn)
	if !p.spares.use(p, orders{in: in}) {
		return nil
	}
	return in
}

// goBlocking has a spare run a job that may block, and reports whether there is one. Without, the
// job has to call Worker.Blocking, which is a mere call on a spare. The job has a reference to the
// pool.
func (p *Pool) goBlocking(j *job) bool { return p.spares.use(p, orders{job: j}) }

// use has a spare follow these orders, and reports false if all are in use.
func (s *spares) use(p *Pool, o orders) bool {
	var w *Worker // that has no goroutine
	if !s.claim() {
		if w = s.take(p); w == nil {
			return false
		}
	}
	s.used.Add(1)
	hooks.At(pointSpareStart)
	if w == nil {
		s.order(o)
	} else {
		p.running.Add(1)
		w.waiting.Store(uint32(notWaiting))
		w.first = o
		w.start()
	}
	return true
}

// claim makes one spare less free, whichever that is, and reports false if none is. The caller is to
// give orders.
func (s *spares) claim() bool {
	for {
		n := s.free.Load()
		if n == 0 {
			return false
		}
		if s.free.CompareAndSwap(n, n-1) {
			if n-1 < s.low.Load() {
				s.low.Store(n - 1)
			}
			return true
		}
	}
}

// order gives a spare that was claimed its orders. It waits only for spares at rest early, to look
// for theirs, and those wait for no one that gives orders.
func (s *spares) order(o orders) {
	for range hooks.Notify(pointSpareNotify) {
		sendOrders(s.orders, o)
		if !hooks.Enabled {
			break
		}
	}
}

// take takes a spare without a goroutine, or a new one; nil if all have one.
func (s *spares) take(p *Pool) *Worker {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.without) - 1; n >= 0 {
		w := s.without[n]
		s.without = s.without[:n]
		return w
	}
	all := *p.all.Load()
	if len(all) >= len(p.workers)+s.max {
		s.missing++
		return nil
	}
	w := p.newSpare(len(all))
	all = append(all, w) // in the same array if it has room: readers know theirs by its length
	p.all.Store(&all)
	return w
}

// newSpare makes worker i, a spare. Unless it stands in it counts as blocking.
func (p *Pool) newSpare(i int) *Worker {
	w := p.newWorkerWith(i, min(p.dequeCapacity, spareDeque))
	w.unlisted = true
	w.blocks.Store(true)
	p.blocked.Add(1)
	w.keepFew()
	return w
}

// serve is what a spare does on its goroutine: it follows orders until it is to end.
func (w *Worker) serve() {
	s := &w.pool.spares
	if w.busy && w.in == nil { // a job has called Goexit, on the last goroutine
		w.ranBlocking()
		w.runBlocking(w.next)
	}
	for {
		if !w.busy {
			o := w.first
			if w.first = (orders{}); o == w.first {
				w.atRest.Store(true)
				o = receiveOrders(s.orders)
				w.atRest.Store(false)
			}
			switch {
			case o.job != nil:
				w.runBlocking(o.job)
			case o.in != nil:
				w.busy, w.in, o.in.spare = true, o.in, w
				w.unblock()
			default:
				return
			}
		}
		if w.in != nil {
			w.waitUntil(&w.in.until.CoreLatch, waitsForJobs)
			w.in = nil
			w.giveAway()
			w.block()
			w.publish()
		}
		w.payBack()
		w.busy = false
		if !w.early && !s.rest(w.pool) {
			return
		}
		w.early = false
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

// rest makes a spare free: it has orders now, or will. It reports false if the spare is to end
// without.
func (s *spares) rest(p *Pool) bool {
	s.free.Add(1)
	switch { // after the write: close and ticked write, and then look for who is free
	case s.closed.Load():
		return !s.claim() // then close has, and it gives orders
	case !s.ticking.Load():
		s.tick(p)
	}
	return true
}

// restEarly makes w, if it is a spare whose job is over, free before others learn of that end: what
// they then start gets this spare, or another, without a new one.
func (w *Worker) restEarly() {
	if w != nil {
		w.early = w.pool.spares.rest(w.pool)
	}
}

// ended is called at the end of a spare's goroutine: the spare may be started again.
func (s *spares) ended(w *Worker) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.without = append(s.without, w)
}

// tick starts the timer unless it runs. It counts as a worker that has not ended, so that Close
// waits for its function. The caller is a worker that has not ended.
func (s *spares) tick(p *Pool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ticking.Load() || s.closed.Load() {
		return
	}
	s.ticking.Store(true)
	s.low.Store(s.free.Load())
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
	s.dismiss(s.low.Load())
	s.mu.Lock()
	s.low.Store(s.free.Load())
	s.ticking.Store(false)
	stopped := s.free.Load() == 0 || s.closed.Load() // after the write: see rest
	if !stopped {
		s.ticking.Store(true)
		s.timer.Reset(spareRest)
	}
	s.mu.Unlock()
	if stopped {
		p.workerEnded()
	}
}

// dismiss ends the goroutines of n spares at rest, of those that have waited longest, or of as many as
// there are.
func (s *spares) dismiss(n int64) {
	for ; n > 0 && s.claim(); n-- {
		s.order(orders{})
	}
}

// close ends the goroutines of all spares at rest. The others end when they have nothing to do.
func (s *spares) close(p *Pool) {
	s.mu.Lock()
	s.closed.Store(true)
	stopped := s.ticking.Load() && s.timer.Stop()
	s.mu.Unlock()
	s.dismiss(s.free.Load())
	if stopped {
		p.workerEnded()
	}
}

// stats returns how often spares were used, and missing.
func (s *spares) stats() (used, missing uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used.Load(), s.missing
}

// given returns how many orders are on their way to spares at rest.
func (s *spares) given(all []*Worker) (n int) {
	for _, w := range all {
		if w.atRest.Load() {
			n++
		}
	}
	return n - int(s.free.Load())
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
