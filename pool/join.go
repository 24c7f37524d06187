package pool

import (
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/sleep"
)

// Join runs a and b, b possibly on another worker at the same time, and returns
// when both are done. It waits by running other jobs.
//
// b may begin while a runs, or not until a has returned: do not rely on either. (While
// all workers are busy, w keeps b to itself; who falls idle then gets it when w next
// forks or ends a half of a join, not while it computes.) In particular a must not wait for b by other means, nor hold a lock over a Join,
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
	if hooks.Enabled {
		w.check("Worker.Join")
	}
	if a == nil || b == nil {
		panic(ErrNoFunction)
	}
	t := &closureJoin{f: b}
	t.task = t
	w.fork(&t.joinTask)
	a(w)
	if w.join(&t.joinTask) {
		t.f = nil // a deque's slot may keep t for a while, but need not keep this
		b(w)
		w.joined(&t.joinTask)
	}
}

// JoinContext is Join for functions that want to know whether they have migrated:
// b has if it was stolen, and so runs on another worker than w. a never has. A
// loop that splits its range splits further where a part has migrated, since that
// says that somebody was out of work.
func (w *Worker) JoinContext(a, b func(w *Worker, migrated bool)) {
	if hooks.Enabled {
		w.check("Worker.JoinContext")
	}
	if a == nil || b == nil {
		panic(ErrNoFunction)
	}
	t := &contextJoin{f: b, owner: w}
	t.task = t
	w.fork(&t.joinTask)
	a(w, false)
	if w.join(&t.joinTask) {
		t.f = nil
		b(w, false)
		w.joined(&t.joinTask)
	}
}

// A joinTask is the b of a join. Each kind of join embeds one in its task, sets
// task, and then is
//
//	w.fork(t)
//	...            // a
//	if w.join(t) { // nobody has taken b
//		...        // b
//		w.joined(t)
//	}
type joinTask struct {
	job
	outer   *joinTask // the join around this one, on the same worker
	latch   sleep.SpinLatch
	outcome outcome // valid once the latch is set
}

// fork begins a join: others may take b from now on, or as soon as somebody wants it.
func (w *Worker) fork(t *joinTask) {
	t.outer = w.joins
	t.latch.Init(&w.pool.sleep, w.index)
	t.isolated = w.isolated
	w.joins = t
	w.counts.joins++
	w.keep(&t.job)
}

// join is called when a has returned. It reports true if nobody has taken b: it
// is the caller's then. Otherwise it returns when b is done, and ends as b did.
func (w *Worker) join(t *joinTask) (mine bool) {
	if w.joins != t { // a has recovered the panics of joins, and left those behind
		w.settle(t) // first: an isolated takeBack would give what is above t to others
	}
	if mine = w.private.newest() == &t.job; mine {
		w.pop()
	} else {
		mine = t.takeBack(w)
	}
	w.joins = t.outer
	if mine {
		return true
	}
	o := t.outcome
	t.outcome = outcome{}
	o.resume()
	return false
}

// joined is called when b, run by the worker that forked it, has returned.
func (w *Worker) joined(t *joinTask) {
	if w.joins != t.outer { // so has b
		w.settle(t.outer)
	}
}

func (t *joinTask) finish(_ *Worker, o outcome) {
	t.outcome = o
	t.latch.Set()
}

// closureJoin is the b of Worker.Join.
type closureJoin struct {
	joinTask
	f func(w *Worker)
}

func (t *closureJoin) run(w *Worker) {
	f := t.f
	t.f = nil
	f(w)
}

// contextJoin is the b of Worker.JoinContext.
type contextJoin struct {
	joinTask
	f     func(w *Worker, migrated bool)
	owner *Worker
}

func (t *contextJoin) run(w *Worker) {
	f := t.f
	t.f = nil
	f(w, w != t.owner)
}

// takeBack returns true if it has popped t from the worker's own deque, unrun;
// false once t is done. Jobs above t - what a left behind - are run on the way,
// or, if the wait is isolated, given to the others. There is nothing below t to be
// met: who has stolen t has stolen that before.
func (t *joinTask) takeBack(w *Worker) bool {
	for !t.latch.Probe() {
		j := w.takeLocal()
		switch j {
		case &t.job:
			return true
		case nil:
			w.waitUntil(&t.latch.CoreLatch, waitsForJoin)
		default:
			if w.isolated {
				w.setAside(j)
			} else {
				w.execute(j)
			}
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
