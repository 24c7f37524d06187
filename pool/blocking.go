package pool

import (
	"github.com/rouse-go/rouse/hooks"
)

// Blocking calls f, which may block for long: in a system call, on a channel, on a lock. Meanwhile
// a spare worker takes w's place, so that the pool has as many workers at work as before; it rests
// when f has returned, after the job that it then has in hand.
//
// What w has in its deque can be stolen while f blocks. Broadcasts reach w only afterwards. f may
// use w, and Blocking within Blocking is just a call. A spare worker is a worker like any other,
// with an Index from Pool.Workers() up.
//
// If all spares are in use (WithSpares says how many there may be), Blocking still calls f, and the
// pool has one worker less meanwhile. Stats.SparesMissing counts that.
//
// f must not wait for a job that w runs on top of, or that such a job waits for: those continue
// only when f has returned. The pool detects this for Future.Wait only.
//
// Cost: a spare woken, or its goroutine started, a microsecond or two. f's panics and Goexit pass
// through.
func (w *Worker) Blocking(f func()) {
	w.check("Worker.Blocking")
	refuseNil(f == nil)
	if w.blocks.Load() { // and so keeps nothing private
		f()
		return
	}
	in := w.pool.standIn()
	w.block()
	defer func() {
		w.unblock()
		in.end()
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
	} else {
		w.unlist()
	}
}

// unblock ends that.
func (w *Worker) unblock() {
	w.list()
	w.blocks.Store(false)
	w.pool.blocked.Add(-1)
	w.keepFew()
}

// blockedHasJob reports whether a worker that blocks has a job in its deque.
func (p *Pool) blockedHasJob() bool {
	if p.blocked.Load() == 0 {
		return false
	}
	found := false
	p.victims(func(w *Worker) bool {
		found = w.blocks.Load() && !w.deque.isEmpty()
		return !found
	})
	return found
}
