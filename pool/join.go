package pool

import "github.com/rouse-go/rouse/sleep"

// Join runs a and b, b possibly on another worker at the same time, and returns
// when both are done. It waits by running other jobs.
//
// b may begin while a runs, or not until a has returned: do not rely on either. In
// particular a must not wait for b by other means, nor hold a lock over a Join,
// Scope or Worker.Run that b may want: b may run on top of it, on the same
// goroutine. Each gets the handle of the worker that it runs on.
//
// If a or b panics, so does Join, with a's panic if both do; the other one runs
// nevertheless. It panics with the value itself, or, if b was run as a job (by
// another worker, or by this one while a waited), with a *PanicError around it:
// who recovers within the job must expect either. Whoever waits for the job gets a
// *PanicError. If b ends by Goexit as a job, Join calls Goexit.
//
// Join sets no defer, since that would cost every fork. So if a panics, b is over
// when the panic reaches the job that called Join, which may be later than deferred
// functions in between run; if the panic is recovered before that, when the Join,
// Scope or job around it ends. A join whose panic is recovered is remembered until
// then (some 100 bytes): a long job that recovers many puts each into a Scope.
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
	if w.joins != t { // a has recovered the panics of joins, and left those behind
		w.settle(t)
	}
	w.joins = t.outer
	if mine {
		t.f = nil // a deque's slot may keep t for a while, but need not keep this
		b(w)
		if w.joins != t.outer { // so has b
			w.settle(t.outer)
		}
		return
	}
	o := t.outcome
	t.outcome = outcome{}
	o.resume()
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
