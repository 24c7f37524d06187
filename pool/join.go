package pool

import (
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/sleep"
)

// Join runs a and b, b possibly on another worker at the same time, and returns when both are done.
// It waits by running other jobs.
//
// b may begin while a runs, or not until a has returned: do not rely on either. (While all workers
// are busy, w keeps b to itself; a worker that falls idle then gets it when w next forks or ends a
// half of a join, not while it computes.) In particular a must not wait for b by other means, nor
// hold a lock over a Join, Scope or Worker.Run that b may want: b may run on top of it, on the same
// goroutine. Each gets the handle of the worker that it runs on.
//
// If a or b panics, so does Join, with a's panic if both do; the other one runs nevertheless. It
// panics with the value itself, or, if b was run as a job (by another worker, or by this one while
// a waited), with a *PanicError around it: a recover within the job must expect either. The job's
// waiter gets a *PanicError. If b ends by Goexit as a job, Join calls Goexit.
//
// Join sets no defer, since that would cost every fork. So if a panics, b is over when the panic
// reaches the job that called Join, which may be later than deferred functions in between run; if
// the panic is recovered before that, when the Join, Scope or job around it ends. A join whose
// panic is recovered is remembered until then (some 100 bytes): a long job that recovers many puts
// each into a Scope.
//
// Cost: the closures are allocated, b's and the variables that it shares with others; Fn and the
// function Join need none. A b that is stolen costs one allocation more.
func (w *Worker) Join(a, b func(w *Worker)) {
	w.check("Worker.Join")
	refuseNil(a == nil)
	refuseNil(b == nil)
	i := w.forks.top
	t, ok := w.frame(i).(*closureJoin)
	if !ok {
		t = newFrame(w, func() *closureJoin { return new(closureJoin) })
	}
	t.f = b
	w.fork(i)
	if w.mayKeep(i) {
		w.kept()
	} else {
		w.keepLess()
	}
	a(w)
	if w.isMine(&t.joinTask) || w.join(&t.joinTask) {
		w.takeBack(i)
		t.f = nil // t stays, but need not keep this
		b(w)
		w.joined(i)
	}
}

// JoinContext is Join for functions that want to know whether they have migrated: b has if it was
// stolen, and so runs on another worker than w. a never has. A loop that splits its range splits
// further where a part has migrated, since that means that a worker was out of work.
func (w *Worker) JoinContext(a, b func(w *Worker, migrated bool)) {
	w.check("Worker.JoinContext")
	refuseNil(a == nil)
	refuseNil(b == nil)
	i := w.forks.top
	t, ok := w.frame(i).(*contextJoin)
	if !ok {
		t = newFrame(w, func() *contextJoin { return &contextJoin{owner: w} })
	}
	t.f = b
	w.open(i)
	a(w, false)
	if w.reclaim(&t.joinTask) {
		t.f = nil
		b(w, false)
		w.joined(i)
	}
}

// A joinTask is what the b of every join has: see frame.
type joinTask struct {
	job
	runner
	place   int // on the stack of forks
	end     int // of that stack while t is its newest, and private; 0 once t is shared. Both are its owner's
	latch   sleep.SpinLatch
	outcome outcome // valid once the latch is set
}

func (t *joinTask) join() *joinTask { return t }

func (t *joinTask) finish(w *Worker, o outcome) {
	if hooks.Enabled {
		t.life.touch(w, aJoin, "ends it")
	}
	t.outcome = o
	t.latch.Set()
}

// closureJoin is the b of Worker.Join.
type closureJoin struct {
	joinTask
	f func(w *Worker)
}

func (t *closureJoin) run(w *Worker) {
	t.begin(w)
	f := t.f
	t.f = nil
	f(w)
}

// contextJoin is the b of Worker.JoinContext.
type contextJoin struct {
	joinTask
	f     func(w *Worker, migrated bool)
	owner *Worker // always the same: a frame is one worker's
}

func (t *contextJoin) run(w *Worker) {
	t.begin(w)
	f := t.f
	t.f = nil
	f(w, w != t.owner)
}

// await returns true if it has popped t, which is shared, from the worker's own deque, unrun; false
// once t is done. Jobs above t - what a left behind - are run on the way, or, if the wait is
// isolated, given to the others. There is nothing below t in the deque: the thief of t has stolen
// that before.
func (t *joinTask) await(w *Worker) bool {
	if hooks.Enabled {
		t.life.touch(w, aJoin, "waits for it")
	}
	for !t.latch.Probe() {
		j := w.takeLocal()
		switch j {
		case &t.job:
			return true
		case nil:
			w.followsJoin = t
			w.waitUntil(&t.latch.CoreLatch, waitsForJoin)
			w.followsJoin = nil
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
