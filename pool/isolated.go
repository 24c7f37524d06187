package pool

import (
	"runtime"

	"github.com/rouse-go/rouse/sleep"
)

// Isolated calls f. While f runs, a wait on this stack - of a Join, a Scope, a Future, a run in
// another pool, a loop - runs no job but those that it waits for. So f may hold a lock over a wait
// although unrelated jobs want that lock, and nothing that takes hours ends up on top of a short
// wait.
//
// The jobs that f starts inherit this: a worker that steals one runs it isolated, too. A Join then
// runs its b or nothing, a Scope its own jobs or nothing. Jobs of one scope may still run on top of
// each other, if the wait is the scope's own.
//
// A worker that finds nothing it may run sleeps until what it waits for is done, and a spare takes
// its place, as in Blocking. That is what isolation costs: a wait that would have stolen starts a
// goroutine instead, a few microseconds. If all spares are in use, or there are none (WithSpares),
// it sleeps all the same; pools that run into each other isolated may then wait for each other for
// good. YieldNow and YieldLocal do nothing.
//
// f runs on w, on the calling goroutine; its panics and Goexit pass through.
func (w *Worker) Isolated(f func(w *Worker)) {
	w.check("Worker.Isolated")
	refuseNil(f == nil)
	w.shareAll() // R7: what was forked before is not isolated
	was, open := w.isolated, w.forks.top
	w.isolated = true
	defer func() {
		defer func() { w.isolated = was }() // deferred: what settle runs may call Goexit
		w.settle(open)                      // the joins that a panic has left behind
	}()
	f(w)
}

// privateRounds is how often an isolated wait looks again before it sleeps.
const privateRounds = 32

// waitPrivately is waitUntil for an isolated wait: it runs only jobs of own, if that is not nil.
// The worker does not count as inactive meanwhile, since it could not run what is posted.
func (w *Worker) waitPrivately(latch *sleep.CoreLatch, reason waitReason, own *fifo) {
	w.shareAll() // R7
	for rounds := 0; !latch.Probe(); rounds++ {
		if j := own.pop(); j != nil {
			w.execute(j)
			rounds = 0
		} else if rounds < privateRounds {
			runtime.Gosched()
		} else {
			w.sleepPrivately(latch, reason, own)
		}
	}
}

// waitOutPrivately is waitPrivately, also when a job that runs meanwhile calls Goexit.
func (w *Worker) waitOutPrivately(latch *sleep.CoreLatch, reason waitReason, own *fifo) {
	if latch.Probe() {
		return
	}
	defer w.waitOutPrivately(latch, reason, own)
	w.waitPrivately(latch, reason, own)
}

// sleepPrivately blocks until the latch is set, or own may have got a job.
func (w *Worker) sleepPrivately(latch *sleep.CoreLatch, reason waitReason, own *fifo) {
	w.publish()
	w.latch.Store(latch)
	w.waiting.Store(uint32(reason))
	w.showWait(reason)
	w.Blocking(func() { w.pool.sleep.WaitPrivately(w.index, latch, own) })
	w.hideWait(reason)
	w.waiting.Store(uint32(notWaiting))
}

// setAside gives a job that the worker may not run while it waits isolated to the others.
func (w *Worker) setAside(j *job) { w.pool.inject(j) }
