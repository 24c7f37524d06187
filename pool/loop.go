package pool

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// A LoopOption changes how a parallel loop is cut into leaves: runs of neighbouring
// elements that are done one after the other by one worker. Without options a loop
// makes one or two leaves for each worker, and more where workers run out of work.
type LoopOption func(*loopOptions)

type loopOptions struct {
	min, max int
	done     <-chan struct{}
}

// MinLen sets how many elements a leaf has at least, if there are so many: 1 by
// default. It is for bodies so cheap that a fork costs more than many of them. It
// panics if n is less than 1.
func MinLen(n int) LoopOption {
	if n < 1 {
		panic(fmt.Errorf("pool: MinLen(%d): want 1 or more elements", n))
	}
	return func(o *loopOptions) { o.min = n }
}

// MaxLen sets how many elements a leaf has at most, unless MinLen forbids to halve
// it: any number by default. It is for bodies that take long, or very differently
// long; MaxLen(1) makes a job of each element. It panics if n is less than 1.
func MaxLen(n int) LoopOption {
	if n < 1 {
		panic(fmt.Errorf("pool: MaxLen(%d): want 1 or more elements", n))
	}
	return func(o *loopOptions) { o.max = n }
}

// WithContext ends a loop early: leaves that have not begun when ctx ends are
// skipped, what has begun runs on. The loop does not say so: its result is made of
// the elements that were done, and the caller looks at ctx.Err(). It panics if ctx
// is nil.
func WithContext(ctx context.Context) LoopOption {
	if ctx == nil {
		panic(errors.New("pool: WithContext(nil): want a context, or leave the option out"))
	}
	return func(o *loopOptions) { o.done = ctx.Done() }
}

func newLoopOptions(opts []LoopOption) *loopOptions {
	o := &loopOptions{min: 1, max: math.MaxInt}
	for _, set := range opts {
		if set == nil {
			panic(errors.New("pool: nil LoopOption: want MinLen, MaxLen, WithContext, or leave it out"))
		}
		set(o)
	}
	return o
}

// ended reports whether the loop's context has.
func (o *loopOptions) ended() bool {
	select {
	case <-o.done: // never, if it is nil
		return true
	default:
		return false
	}
}

// A loop is one parallel loop whose leaves have a result of type R.
type loop[R any] struct {
	// leaf does the elements from lo to before hi, at least one.
	leaf func(w *Worker, lo, hi int) R
	// combine makes one result of those of two neighbours; nil: results are nothing.
	combine func(w *Worker, left, right R) R
	// needless reports whether elements from lo on need not be done; nil: all must.
	needless func(lo int) bool
	options  *loopOptions
}

// run does n elements and returns the combined result; ok is false if there is
// none, since nothing was done.
func (l *loop[R]) run(w *Worker, n int, opts []LoopOption) (r R, ok bool) {
	if n < 0 {
		panic(fmt.Errorf("pool: a loop over %d elements: want 0 or more", n))
	}
	l.options = newLoopOptions(opts)
	if n == 0 {
		return r, false
	}
	defer w.settle(w.joins) // one for the whole loop: whatever happens, all leaves are over behind it
	var spare *span[R]
	s := newSplitter(w.pool.Workers(), n, l.options.min, l.options.max)
	return l.drive(w, 0, n, s, false, &spare)
}

// drive does the elements from lo to before hi. It forks off the right half,
// does the left one, and goes on with the right one if nobody has taken that.
//
// spare is a list of spans that are in no queue, one for each level of the
// recursion that has been reached: what nobody takes is forked again. So a loop
// allocates as many spans as it is halved in depth, and one for each theft.
func (l *loop[R]) drive(w *Worker, lo, hi int, s splitter, migrated bool, spare **span[R]) (r R, ok bool) {
	workers := w.pool.Workers()
	for !l.over(lo) {
		if !s.split(workers, hi-lo, migrated) {
			w.shareAll() // R7
			r, ok = l.join(w, r, ok, l.leaf(w, lo, hi), true)
			break
		}
		migrated = false
		mid := lo + (hi-lo)/2
		t := *spare
		if t == nil {
			t = newSpan[R]()
			*spare = t
		}
		t.loop, t.lo, t.hi, t.splitter, t.owner = l, mid, hi, s, w
		w.fork(&t.joinTask)
		left, has := l.drive(w, lo, mid, s, false, &t.spare)
		r, ok = l.join(w, r, ok, left, has)
		if !w.join(&t.joinTask) {
			*spare = t.spare // who has run t may still have it in hand
			right, has := t.take()
			r, ok = l.join(w, r, ok, right, has)
			break
		}
		t.loop = nil
		lo = mid
	}
	return r, ok
}

// over reports whether elements from lo on are to be skipped.
func (l *loop[R]) over(lo int) bool {
	return l.options.done != nil && l.options.ended() || l.needless != nil && l.needless(lo)
}

// join combines the results of two neighbours, of which there may be none.
func (l *loop[R]) join(w *Worker, left R, hasLeft bool, right R, hasRight bool) (R, bool) {
	switch {
	case !hasRight:
		return left, hasLeft
	case !hasLeft || l.combine == nil:
		return right, true
	}
	return l.combine(w, left, right), true
}

// A span is the right half of a piece of a loop, as a job. Its fields are its
// owner's while it is in no queue; from fork on until it is run, or taken back,
// nobody's; then the runner's until the latch is set.
type span[R any] struct {
	joinTask
	loop     *loop[R]
	lo, hi   int
	splitter splitter
	owner    *Worker
	result   R
	ok       bool     // there is a result
	spare    *span[R] // always the owner's: what the next level of its recursion uses
}

func newSpan[R any]() *span[R] {
	t := new(span[R])
	t.task = t
	return t
}

func (t *span[R]) run(w *Worker) {
	l := t.loop
	t.loop = nil // a deque's slot may keep t for a while, but need not keep this
	var spare *span[R]
	t.result, t.ok = l.drive(w, t.lo, t.hi, t.splitter, w != t.owner, &spare)
}

// take returns the result of a span that another worker has done, and forgets it.
func (t *span[R]) take() (r R, ok bool) {
	r, ok = t.result, t.ok
	var none R
	t.result = none
	return r, ok
}
