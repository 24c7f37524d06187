package pool

import (
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/pool/internal/contexts"
)

// ForErr is For with a body that returns an error. After the first error no further call begins,
// and ForErr returns when those that have begun are over: with the error of the lowest index, if
// several have failed by then. Which ones those are depends on timing, unless there is only one
// that fails.
//
// With Until(ctx), no call begins after ctx has ended. If calls are left out for that, and none has
// failed, ForErr returns context.Cause(ctx). Panics and Goexit are as in For, and come before
// errors.
//
// Cost: that of For, and two loads for each call.
func ForErr(w *Worker, n int, body func(w *Worker, i int) error, opts ...LoopOption) error {
	w.check("ForErr")
	refuseNil(body == nil)
	var e errLoop
	e.choose(opts)
	return e.run(w, n, func(w *Worker, lo, hi int) (failed error) {
		for i := lo; i < hi && !e.ends(); i++ {
			if err := body(w, i); err != nil {
				e.failed.Store(true)
				return err
			}
		}
		return nil
	}, opts)
}

// MapErr returns f of each element of s, in their order, or nil and an error: the first, as ForErr
// does. See there for everything else.
func MapErr[T, R any](w *Worker, s []T, f func(w *Worker, e T) (R, error), opts ...LoopOption) ([]R, error) {
	w.check("MapErr")
	refuseNil(f == nil)
	results := make([]R, len(s))
	err := ForErr(w, len(s), func(w *Worker, i int) (err error) {
		results[i], err = f(w, s[i])
		return err
	}, opts...)
	if err != nil {
		return nil, err
	}
	return results, nil
}

// An errLoop is why a loop whose leaves return errors ends early.
type errLoop struct {
	loopOptions
	failed  atomic.Bool // a call has
	skipped atomic.Bool // calls were left out because the context has ended
}

// ends reports whether no further call is to begin.
func (e *errLoop) ends() bool {
	if e.failed.Load() {
		return true
	}
	if e.done == nil || !e.ended() {
		return false
	}
	e.skipped.Store(true)
	return true
}

// run does the leaves, and returns the error of the lowest one that has failed.
func (e *errLoop) run(w *Worker, n int, leaf func(w *Worker, lo, hi int) error, opts []LoopOption) error {
	l := loop[error]{
		leaf:     leaf,
		combine:  func(_ *Worker, left, right error) error { return firstOf(left, right) },
		needless: func(int) bool { return e.ends() },
	}
	ignored := func(o *loopOptions) { o.done = nil } // needless looks at it, and notes what it skips
	err, _ := l.run(w, n, append(opts[:len(opts):len(opts)], ignored))
	if err == nil && e.skipped.Load() {
		return contexts.Cause(e.ctx)
	}
	return err
}

func firstOf(left, right error) error {
	if left != nil {
		return left
	}
	return right
}
