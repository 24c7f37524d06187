package pool

import (
	"fmt"
	"path"
	"runtime"
	"strings"

	"github.com/rouse-go/rouse/sleep"
)

// A DeadlockError is what a wait in a job returns if it could never end: it waits for a job that is
// suspended beneath it on the same goroutine, or for what such a job keeps from happening. See
// "Waiting" in the package documentation; a wait within Worker.Isolated avoids it.
//
// The entries that return it document when. A future's wait returns it also if the future's job is
// on another worker, and waits there, directly or through futures, runs and joins, for a job
// beneath. Cycles through scopes, groups, broadcasts, closes, or anything outside the pool are not detected
// and last for good; chaos.Explore reports them as deadlocks.
type DeadlockError struct {
	Entry   string // the wait: "Future.Await"
	Worker  string // that runs it: "worker 1 of x"
	Job     string // the job that waits: its function, file and line
	Beneath string // the job beneath; "" if it is the one that waits
	Why     string // why the wait needs the end of that job: "is the job that it waits for"
}

func (e *DeadlockError) Error() string {
	if e.Beneath == "" {
		return fmt.Sprintf("pool: %s in %s would never return: that job itself, on %s, %s", e.Entry, e.Job, e.Worker, e.Why)
	}
	return fmt.Sprintf("pool: %s in %s would never return: %s, suspended beneath it on %s, %s; want a wait within Worker.Isolated there, or none here",
		e.Entry, e.Job, e.Beneath, e.Worker, e.Why)
}

// The reasons of a DeadlockError.
const (
	isWaitedFor     = "is the job that it waits for"
	isInGroup       = "is a job of the group that it waits for"
	isWaitedForBy   = "is a job that the other pool waits for"
	holdsOther      = "has a scope in the other pool, which cannot end before that"
	mustEndFirst    = "must end before the awaited job can, which is suspended on "
	isWaitedForOnly = "is a job that a worker of that pool waits for isolated, and so does not come to its share of the broadcast"
)

// deadlock is the error of a wait by w for a task that is at index i of those on w's stack.
func (w *Worker) deadlock(entry string, i int, why string) error {
	jobs := 0 // from that on; a scope belongs to the job beneath it
	for _, t := range w.stack[i+1:] {
		if _, scope := t.(*scopeBody); !scope {
			jobs++
		}
	}
	names := jobsOnStack()
	e := &DeadlockError{Entry: entry, Worker: w.name(), Job: names[0], Why: why}
	if jobs > 0 {
		e.Beneath = names[min(jobs, len(names)-1)]
	}
	return e
}

// beneath returns the index of the promise's job on w's stack, and -1 if it is not there: it is not
// over then until what is on top of it is.
func (w *Worker) beneath(t *promise) int {
	for i := len(w.stack) - 1; i >= 0; i-- {
		if is(w.stack[i], t) {
			return i
		}
	}
	return -1
}

// closeNeverEnds returns the error of w's wait for the end of the other pool, if something on w's
// stack keeps that from ending.
func (w *Worker) closeNeverEnds(other *Pool) error {
	for i := len(w.stack) - 1; i >= 0; i-- {
		t := w.stack[i]
		if s, ok := t.(*scopeBody); ok && s.scope.pool == other {
			return w.deadlock("Worker.Close", i, holdsOther)
		}
		waits := false
		eachWaiter(t, func(owner sleep.Waker, _ int, _ bool) { waits = waits || owner == &other.sleep })
		if waits {
			return w.deadlock("Worker.Close", i, isWaitedForBy)
		}
	}
	return nil
}

// broadcastNeverEnds returns the error of w's wait for a broadcast in a pool one of whose workers
// waits isolated for a job on w's stack.
func (w *Worker) broadcastNeverEnds(entry string, in *Pool) error {
	if in == nil {
		return nil
	}
	for i := len(w.stack) - 1; i >= 0; i-- {
		waits := false
		eachWaiter(w.stack[i], func(owner sleep.Waker, worker int, isolated bool) {
			itself := in == w.pool && worker == w.index
			waits = waits || isolated && owner == &in.sleep && worker < len(in.workers) && !itself
		})
		if waits {
			return w.deadlock(entry, i, isWaitedForOnly)
		}
	}
	return nil
}

// eachWaiter calls f with each worker, and its pool's sleep, that is known to wait for the task, or
// to be about to, and whether its wait is isolated.
func eachWaiter(t task, f func(owner sleep.Waker, worker int, isolated bool)) {
	switch t := t.(type) {
	case frame:
		owner, worker := t.join().latch.Owner()
		f(owner, worker, t.join().isolated)
	case *runTask:
		if l, ok := t.latch.(*sleep.SpinLatch); ok {
			owner, worker := l.Owner()
			f(owner, worker, t.isolated)
		}
	case *broadcastTask:
		if l, ok := t.latch.(*sleep.SpinLatch); ok {
			owner, worker := l.Owner()
			f(owner, worker, t.broadcast.isolated)
		}
	case *scopeTask:
		t.scope.eachWaiter(f)
	case *scopeTaskN:
		t.scope.eachWaiter(f)
	case *groupTask:
		t.group.eachWaiter(f)
	case promised:
		q := &t.promised().waiters
		q.mu.Lock()
		defer q.mu.Unlock()
		eachOwner(q.list, f)
	}
}

// eachOwner calls f with each worker among the waiters.
func eachOwner(list []setter, f func(owner sleep.Waker, worker int, isolated bool)) {
	for _, s := range list {
		if l, ok := s.(*sleep.SpinLatch); ok {
			owner, worker := l.Owner()
			f(owner, worker, false) // or isolated: that is not known
		}
	}
}

func (s *Scope) eachWaiter(f func(owner sleep.Waker, worker int, isolated bool)) {
	if owner, worker := s.latch.Owner(); owner != nil {
		f(owner, worker, s.isolated)
	}
}

// jobsOnStack names the jobs on the caller's stack, a worker's, the topmost first: the function of
// each, and where it is now.
func jobsOnStack() (names []string) {
	const here, protect, scope = "github.com/rouse-go/rouse/pool.", "(*Worker).protect", "(*scopeBody).run"
	var pcs []uintptr
	for n := 64; len(pcs) == 0 || len(pcs) == n/4; n *= 4 {
		pcs = make([]uintptr, n)
		pcs = pcs[:runtime.Callers(1, pcs)]
	}
	frames := runtime.CallersFrames(pcs)
	last, above := "a job", ""
	for {
		f, more := frames.Next()
		name, ours := strings.CutPrefix(f.Function, here)
		switch {
		case !ours:
			last = fmt.Sprintf("%s (%s:%d)", f.Function, path.Base(f.File), f.Line)
		case name == protect && above != scope && above != protect+".func1": // not a scope's body, nor its end
			names = append(names, last)
			last = "a job"
		}
		above = name
		if !more {
			return append(names, "a job") // never empty
		}
	}
}
