package pool

import "github.com/rouse-go/rouse/sleep"

// Join runs a and b, b possibly on another worker at the same time, and returns
// when both are done. It waits by running other jobs.
//
// b may begin only after a has returned (with one worker it always does), so a
// must not wait for b by other means. Each gets the handle of the worker that it
// runs on.
//
// If a or b panics, so does Join, with a's panic if both do; the other one runs
// nevertheless. It panics with the value itself, or, if b ran on another worker,
// with a *PanicError around it: who recovers within the job must expect either.
// Whoever waits for the job gets a *PanicError. If a panics, b is over when the
// panic reaches the job that called Join, which may be later than deferred
// functions in between run: Join sets no defer, since that would cost every fork.
// If b ends by Goexit on another worker, Join calls Goexit, as if b had run here.
//
// Cost: one allocation beside the closures.
func (w *Worker) Join(a, b func(w *Worker)) {
	if a == nil || b == nil {
		panic(ErrNoFunction)
	}
	t := &joinTask{f: b, outer: w.joins}
	t.task = t
	t.latch.Init(w.pool.sleep, w.index)
	w.joins = t
	w.counts.joins++

	w.push(&t.job)
	a(w)
	mine := t.takeBack(w)
	w.joins = t.outer
	if mine {
		t.f = nil
		b(w)
		return
	}
	t.outcome.resume()
}

// A joinTask is the b of a Join.
type joinTask struct {
	job
	f       func(w *Worker)
	outer   *joinTask // the join around this one, on the same worker
	latch   sleep.SpinLatch
	outcome outcome // valid once the latch is set
}

func (t *joinTask) run(w *Worker) {
	f := t.f
	t.f = nil
	f(w)
}

func (t *joinTask) finish(_ *Worker, o outcome) {
	t.outcome = o
	t.latch.Set()
}

// takeBack returns true if it has popped t from the worker's own deque, unrun;
// false once t is done. Jobs above t - what a left behind - are run on the way.
func (t *joinTask) takeBack(w *Worker) bool {
	for !t.latch.Probe() {
		j := w.takeLocal()
		switch j {
		case &t.job:
			return true
		case nil:
			w.waitUntil(&t.latch.CoreLatch, waitsForJoin)
		default:
			w.execute(j)
		}
	}
	return false
}

// await returns when t is done, wherever it runs.
func (t *joinTask) await(w *Worker) {
	if t.takeBack(w) {
		w.execute(&t.job)
	}
}
