package pool

import (
	"iter"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/sleep"
)

// Results returns an iterator that calls f for each value of seq, in jobs of g, and yields what the
// calls return, in the order of the values. An error is yielded like any result: it is the
// consumer's to end the loop then, and g does not fail.
//
// The loop's body and seq run on the goroutine that ranges over the iterator, an outsider's or a
// job's; a worker runs other jobs while it waits for a result. Results that are ready are yielded
// before the next value is taken from seq. At most twice as many jobs as g's limit, or without one
// four for each worker, are started and not yielded; so memory stays bounded however long seq is.
//
// When the body breaks, returns or panics, g's context is cancelled, jobs that have not begun are
// dropped, and the loop ends when those that have begun are over: nothing is left behind. If f
// panics, the iterator does so with a *PanicError, at that result, in the same way. If f calls
// runtime.Goexit, the result is ErrGoexit. If the pool is closed, it is ErrClosed. In a job of g
// itself the only result is a *DeadlockError.
//
// Cost: that of Group.Go, two allocations and a lock for each value.
func Results[T, R any](g *Group, seq iter.Seq[T], f func(w *Worker, v T) (R, error)) iter.Seq2[R, error] {
	return resultsOf(g, seq, f, true)
}

// ResultsUnordered is Results, except that it yields results as they come.
func ResultsUnordered[T, R any](g *Group, seq iter.Seq[T], f func(w *Worker, v T) (R, error)) iter.Seq2[R, error] {
	return resultsOf(g, seq, f, false)
}

func resultsOf[T, R any](g *Group, seq iter.Seq[T], f func(w *Worker, v T) (R, error), ordered bool) iter.Seq2[R, error] {
	refuseNil(seq == nil)
	refuseNil(f == nil)
	return func(yield func(R, error) bool) {
		if w := g.caller(); w != nil {
			if i := g.beneath(w); i >= 0 {
				var none R
				yield(none, w.deadlock("Results", i, isInGroup))
				return
			}
		}
		r := &results[R]{g: g, ordered: ordered}
		complete := false
		defer func() { r.end(complete) }()
		for v := range seq {
			r.start(func(w *Worker) (R, error) { return f(w, v) })
			if !r.yield(yield, r.ahead()) {
				return
			}
		}
		complete = r.yield(yield, 1)
	}
}

// results are those of one loop. Fields not marked as shared belong to the consumer.
type results[R any] struct {
	g       *Group
	ordered bool
	out     []*result[R] // started and not yielded; in their order if that matters, else as they came
	started int          // and not yielded
	stopped atomic.Bool  // shared: what has not begun is not to begin

	mu     sync.Mutex   // of what follows, which is shared
	active int          // started and not over
	came   []*result[R] // over, and not in out; if order does not matter
	waiter setter       // the consumer's, until another one is over
}

// A result is of one job. It is the consumer's once done is set.
type result[R any] struct {
	done    bool // under the lock
	value   R
	err     error
	outcome outcome
}

// ahead is how many may be started and not yielded.
func (r *results[R]) ahead() int {
	if r.g.gate != nil {
		return max(1, 2*r.g.limit)
	}
	return 4 * r.g.pool.Load().Workers()
}

// start starts a job.
func (r *results[R]) start(f func(w *Worker) (R, error)) {
	one := new(result[R])
	r.mu.Lock()
	r.active++
	r.mu.Unlock()
	r.started++
	if r.ordered {
		r.out = append(r.out, one)
	}
	if err := r.g.start(r.g.caller(), func(w *Worker) error { r.run(w, one, f); return nil }); err != nil {
		one.err = err
		r.over(one)
	}
}

// run is the job.
func (r *results[R]) run(w *Worker, one *result[R], f func(w *Worker) (R, error)) {
	returned := false
	defer func() {
		if !returned {
			v := recover()
			if hooks.Enabled && hooks.Unwinding(v) {
				panic(v)
			}
			one.outcome = outcomeOf(v)
		}
		r.over(one)
	}()
	if !r.stopped.Load() {
		one.value, one.err = f(w)
	}
	returned = true
}

// over notes that a job is over.
func (r *results[R]) over(one *result[R]) {
	r.mu.Lock()
	one.done = true
	r.active--
	if !r.ordered {
		r.came = append(r.came, one)
	}
	s := r.waiter
	r.waiter = nil
	r.mu.Unlock()
	if s != nil {
		s.Set()
	}
}

// yield yields what is ready, and waits for more until less than that many are started and not
// yielded. It reports whether the consumer wants more.
func (r *results[R]) yield(to func(R, error) bool, fewer int) bool {
	for r.started > 0 {
		if !r.isReady() {
			if r.started < fewer {
				return true
			}
			r.wait(r.ready)
			continue
		}
		one := r.out[0]
		r.out[0] = nil
		r.out = r.out[1:]
		r.started--
		if !to(one.value, one.outcome.result(one.err)) {
			return false
		}
	}
	return true
}

// isReady reports whether out begins with a result that is there.
func (r *results[R]) isReady() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ready()
}

// ready is isReady under the lock.
func (r *results[R]) ready() bool {
	if r.ordered {
		return len(r.out) > 0 && r.out[0].done
	}
	if len(r.out) == 0 {
		r.out, r.came = r.came, nil
	}
	return len(r.out) > 0
}

// wait waits until the condition holds, which is called under the lock.
func (r *results[R]) wait(condition func() bool) {
	w := r.g.caller()
	for {
		var outside *sleep.LockLatch
		var inside *sleep.SpinLatch
		r.mu.Lock()
		if condition() {
			r.mu.Unlock()
			return
		}
		if w == nil {
			outside = new(sleep.LockLatch)
			r.waiter = outside
		} else {
			inside = new(sleep.SpinLatch)
			inside.Init(&w.pool.sleep, w.index)
			r.waiter = inside
		}
		r.mu.Unlock()
		if w == nil {
			outside.Wait()
		} else {
			r.g.waitOn(w, inside)
		}
	}
}

// end waits for all that has begun; unless the loop is complete it drops what has not.
func (r *results[R]) end(complete bool) {
	if !complete {
		r.stopped.Store(true)
		if r.g.cancel != nil {
			r.g.cancel(nil)
		}
	}
	r.wait(func() bool { return r.active == 0 })
}
