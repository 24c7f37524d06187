package pool

import (
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/sleep"
)

// Blocking calls f, which may block for long: in a system call, on a channel, on a lock. Meanwhile
// a spare worker takes w's place, so that the pool has as many workers at work as before; it ends
// when f has returned, after the job that it then has in hand.
//
// What w has in its deque can be stolen while f blocks. Broadcasts reach w only afterwards. f may
// use w, and Blocking within Blocking is just a call. A spare worker is a worker like any other,
// with an Index from Pool.Workers() up.
//
// The number of spares is limited (WithSpares); when all are in use, Blocking still calls f, and
// the pool has one worker less meanwhile.
//
// f must not wait for a job that w runs on top of, or that such a job waits for: those continue
// only when f has returned. The pool detects this for Future.Wait only.
//
// Cost: a goroutine started, and one woken, a few microseconds. f's panics and Goexit pass through.
func (w *Worker) Blocking(f func()) {
	w.check("Worker.Blocking")
	refuseNil(f == nil)
	if w.blocks.Load() { // and so keeps nothing private
		f()
		return
	}
	spare := w.pool.spares.start(w.pool)
	w.block()
	defer func() {
		w.unblock()
		if spare != nil {
			spare.SetAndTickle()
		}
	}()
	f()
}

// block is P: from now on the jobs in w's deque count as injected. An internal post may have been
// missed, since w would come to the job itself; now it will not until f returns, which may wait for
// that very job.
func (w *Worker) block() {
	w.shareAll() // R7
	w.pool.blocked.Add(1)
	w.blocks.Store(true) // P1
	w.keepFew()
	hooks.At(pointBlockSaid)
	if n := w.deque.len(); n > 0 {
		w.pool.sleep.NewInjectedJobs(n, false) // P2
	}
}

// unblock ends that.
func (w *Worker) unblock() {
	w.blocks.Store(false)
	w.pool.blocked.Add(-1)
	w.keepFew()
}

// blockedHasJob reports whether a worker that blocks has a job in its deque.
func (p *Pool) blockedHasJob() bool {
	if p.blocked.Load() == 0 {
		return false
	}
	for _, w := range *p.all.Load() {
		if w.blocks.Load() && !w.deque.isEmpty() {
			return true
		}
	}
	return false
}

// defaultSpares is how many spare workers a pool has at most, unless its counters are too narrow.
const defaultSpares = 64

// spares are the workers that stand in for others that block. They are made when they are first
// needed, and kept.
type spares struct {
	max  int
	mu   sync.Mutex
	idle []*Worker // those without a goroutine

	starts atomic.Uint64 // goroutines given
}

// A standIn is one activation of a spare worker.
type standIn struct {
	worker *Worker
	until  sleep.OnceLatch
}

// SetAndTickle ends the spare.
func (s *standIn) SetAndTickle() {
	hooks.At(pointSpareRetire)
	w := s.worker
	s.until.SetAndTickleOne(&w.pool.sleep, w.index)
}

// start gives a spare worker a goroutine; nil if there is none left. A job of the pool that is not
// over keeps the pool alive.
func (s *spares) start(p *Pool) *standIn {
	s.mu.Lock()
	var w *Worker
	if n := len(s.idle); n > 0 {
		w = s.idle[n-1]
		s.idle = s.idle[:n-1]
	} else if all := *p.all.Load(); len(all) < len(p.workers)+s.max {
		w = p.newWorker(len(all))
		more := append(all[:len(all):len(all)], w)
		p.all.Store(&more)
	}
	s.mu.Unlock()
	if w == nil {
		return nil
	}
	hooks.At(pointSpareStart)
	s.starts.Add(1)
	in := &standIn{worker: w}
	w.until = &in.until
	w.waiting.Store(uint32(notWaiting))
	p.running.Add(1)
	w.start()
	return in
}

// retire is called at the end of a spare's goroutine: it leaves its deque's jobs to the others, and
// may be started again.
func (w *Worker) retire() {
	for j := w.deque.pop(); j != nil; j = w.deque.pop() {
		w.pool.inject(j)
	}
	s := &w.pool.spares
	s.mu.Lock()
	s.idle = append(s.idle, w)
	s.mu.Unlock()
}
