package pool

import (
	stdatomic "sync/atomic" // not the drop-in: what watches a schedule must not take part in it

	"github.com/rouse-go/rouse/sleep"
)

// Jobs on top of others may wait for each other's in a cycle through several workers (README.md,
// "Cycles of waits"). Each idle worker publishes its topmost wait, if that is for one job, and then
// follows such waits from worker to worker; coming back to itself it has found a deadlock, if no
// job on the way is over. One of the futures' waits is then given up, and returns a *DeadlockError.
//
//

// An awaited job is one that a single wait may be for.
type awaited interface {
	runsOn() *Worker // nil: on none yet
	over() bool
}

// A runner notes which worker has begun a job.
type runner struct{ worker stdatomic.Pointer[Worker] }

func (r *runner) runsOn() *Worker { return r.worker.Load() }
func (r *runner) begin(w *Worker) { r.worker.Store(w) }

func (t *promise) over() bool  { return t.Ready() }
func (t *runTask) over() bool  { return t.state.Load() >= runDone }
func (t *joinTask) over() bool { return t.latch.Probe() }

// A followed wait is for one job.
type followed struct {
	job   awaited
	latch *sleep.SpinLatch         // of a wait for a future, which may be given up; or nil
	never stdatomic.Pointer[cycle] // it has been, because of that
}

// A shownWait is a worker's topmost wait, for others to follow while it is idle. At most one of the
// two is set, or none.
type shownWait struct {
	wait stdatomic.Pointer[followed]
	join stdatomic.Pointer[joinTask] // which allocates nothing
}

// follow returns the job that the worker's topmost wait is for, nil if none is known.
func (s *shownWait) follow() (awaited, *followed) {
	if f := s.wait.Load(); f != nil {
		return f.job, f
	}
	if t := s.join.Load(); t != nil {
		return t, nil
	}
	return nil, nil
}

// showWait shows what w, which is about to idle, waits for, and looks for a cycle.
func (w *Worker) showWait(reason waitReason) {
	switch reason {
	case waitsForFuture, waitsForRun:
		w.shown.wait.Store(w.follows)
	case waitsForJoin:
		w.shown.join.Store(w.followsJoin)
	default:
		return
	}
	w.breakCycle()
}

func (w *Worker) hideWait(reason waitReason) {
	switch reason {
	case waitsForFuture, waitsForRun:
		w.shown.wait.Store(nil)
	case waitsForJoin:
		w.shown.join.Store(nil)
	}
}

// maxCycle is how many workers a cycle may have to be found.
const maxCycle = 64

// inCycle reports whether w's wait is part of a cycle, and calls visit, if not nil, with each job
// on it that is waited for, from w's on, with the wait for it, and with the worker that has begun
// it. What visit has noted counts only if it is true.
func (w *Worker) inCycle(visit func(j awaited, f *followed, on *Worker)) bool {
	waiter := w
	for range maxCycle {
		j, f := waiter.shown.follow()
		if j == nil || f != nil && f.never.Load() != nil {
			return false
		}
		if waiter = j.runsOn(); waiter == nil {
			return false
		}
		if visit != nil {
			visit(j, f, waiter)
		}
		if waiter == w {
			return true
		}
	}
	return false
}

// A cycle is what one of its waits, which has been given up, is to know of it.
type cycle struct {
	beneath awaited // the job on the waiter's own stack
	on      *Worker // where the job is that it has waited for
}

// breakCycle gives up a wait of the cycle that w's is part of, if it is.
func (w *Worker) breakCycle() {
	if !w.inCycle(nil) {
		return
	}
	var jobs []awaited
	var given *followed
	var c cycle
	if !w.inCycle(func(j awaited, f *followed, on *Worker) {
		if given == nil && f != nil && f.latch != nil {
			given, c.on = f, on
			if len(jobs) > 0 {
				c.beneath = jobs[len(jobs)-1]
			}
		}
		jobs = append(jobs, j)
	}) || given == nil {
		return
	}
	for _, j := range jobs {
		if j.over() {
			return
		}
	}
	if c.beneath == nil { // the first wait is w's own, and the last job on w's stack
		c.beneath = jobs[len(jobs)-1]
	}
	if given.never.CompareAndSwap(nil, &c) {
		given.latch.Set()
	}
}

// gaveUp returns the error of w's wait for a future that has been given up.
func (w *Worker) gaveUp(c *cycle, entry string) error {
	for i := len(w.stack) - 1; i > 0; i-- {
		if is(w.stack[i], c.beneath) {
			return w.deadlock(entry, i, mustEndFirst+c.on.name())
		}
	}
	return w.deadlock(entry, 0, mustEndFirst+c.on.name())
}

// is reports whether a task is that job.
func is(t task, j awaited) bool {
	switch t := t.(type) {
	case frame:
		return t.join() == j
	case *runTask:
		return t == j
	case promised:
		return t.promised() == j
	}
	return false
}
