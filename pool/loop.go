package pool

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/rouse-go/rouse/hooks"
)

// A LoopOption changes how a parallel loop is cut into leaves: runs of neighbouring elements that
// are done one after the other by one worker. Without options a loop makes one or two leaves for
// each worker, and more where workers run out of work. For, ForEach and Map, where a leaf has no cost
// of its own, make more from the beginning.
type LoopOption func(*loopOptions)

type loopOptions struct {
	min, max int
	done     <-chan struct{}
	ctx      context.Context // done's; nil if that is
}

// MinLen sets how many elements a leaf has at least, if the loop has as many: 1 by default. It is
// for bodies so cheap that a fork costs more than many of them. It panics if n is less than 1.
func MinLen(n int) LoopOption {
	if n < 1 {
		panic(fmt.Errorf("pool: MinLen(%d): want 1 or more elements", n))
	}
	return func(o *loopOptions) { o.min = n }
}

// MaxLen sets how many elements a leaf has at most, unless MinLen forbids to halve it: any number
// by default. It is for bodies that take long, or very differently long; MaxLen(1) makes a job of
// each element. It panics if n is less than 1.
func MaxLen(n int) LoopOption {
	if n < 1 {
		panic(fmt.Errorf("pool: MaxLen(%d): want 1 or more elements", n))
	}
	return func(o *loopOptions) { o.max = n }
}

// Until ends a loop early: leaves that have not begun when ctx ends are skipped, what has
// begun runs on. ForErr and MapErr return context.Cause(ctx) then. Other loops do not report it:
// their result is made of the elements that were done, and the caller checks ctx.Err(). It panics
// if ctx is nil.
func Until(ctx context.Context) LoopOption {
	if ctx == nil {
		panic(errors.New("pool: Until(nil): want a context, or leave the option out"))
	}
	return func(o *loopOptions) { o.done, o.ctx = ctx.Done(), ctx }
}

// choose sets what opts say.
func (o *loopOptions) choose(opts []LoopOption) {
	*o = loopOptions{min: 1, max: math.MaxInt}
	for _, set := range opts {
		if set != nil {
			set(o)
		}
	}
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
	life life
	// leaf does the elements from lo to before hi, at least one.
	leaf func(w *Worker, lo, hi int) R
	// init and fold are instead of leaf, unless nil: fold adds the elements to what those before them
	// have come to, or to a fresh init.
	init func() R
	fold func(w *Worker, acc R, lo, hi int) R
	// combine makes one result of those of two neighbours; nil: results are nothing.
	combine func(w *Worker, left, right R) R
	// needless reports whether elements from lo on need not be done; nil: all must.
	needless func(lo int) bool
	options  loopOptions
	ends     bool // it may, before all elements are done
	// eachElement: leaf calls the user's function for each element, so that more leaves cost little.
	eachElement bool
	piece       int // elements of a leaf, then; 0: as many as the splitter says
}

// run does n elements and returns the combined result; ok is false if there is none, since nothing
// was done.
func (of loop[R]) run(w *Worker, n int, opts []LoopOption) (r R, ok bool) {
	if n < 0 {
		panic(fmt.Errorf("pool: a loop over %d elements: want 0 or more", n))
	}
	l, again := w.spareLoop.(*loop[R])
	if !again {
		l = new(loop[R])
	}
	w.spareLoop = nil // a loop within the leaves needs another one
	if hooks.Enabled {
		l.life.begin(w, aLoop)
	}
	*l = of
	defer l.end(w, w.forks.top) // one for the whole loop: whatever happens, all leaves are over behind it
	l.options.choose(opts)
	l.ends = l.options.done != nil || l.needless != nil
	if n == 0 {
		return r, false
	}
	if w.forks.most > 0 && w.inDemand() {
		w.keepFew()
	}
	workers := w.pool.Workers()
	if l.eachElement {
		l.piece = min(max(n/(piecesPerWorker*workers), leastPiece, l.options.min), l.options.max)
	}
	return l.drive(w, 0, n, newSplitter(workers, n, l.options.min, l.options.max))
}

// A loop that calls the user's function for each element is done in pieces of so many elements, since
// what is left can be shared after each. A piece costs 5 ns.
const (
	piecesPerWorker = 32
	leastPiece      = 8
)

// end waits for all that the loop has forked. Then l is unused, and free for the next loop of its
// kind.
func (l *loop[R]) end(w *Worker, open int) {
	w.settle(open)
	if hooks.Enabled {
		l.life.touch(w, aLoop, "ends it")
	}
	*l = loop[R]{}
	if hooks.Enabled {
		l.life.free(w, aLoop, "has ended it")
	}
	w.spareLoop = l
}

// drive does the elements from lo to before hi. It forks off the right half, does the left one, and
// continues with the right one if it was not stolen. Where such forks would stay private anyway, it
// does leaf after leaf instead; but a thief halves its span first, or all that is left would go back
// and forth between two workers.
func (l *loop[R]) drive(w *Worker, lo, hi int, s splitter) (r R, ok bool) {
	if hooks.Enabled {
		l.life.touch(w, aLoop, "does elements of it")
	}
	for !l.over(lo) {
		t := (*span[R])(nil)
		if w.forks.most > 0 && !s.stolen && (s.splits > 0 || l.piece > 0) && !w.wanted() {
			if p := s.leaves(lo, hi, l.piece); p.left > 1 {
				t, r, ok = l.inOrder(w, &p, &s, r, ok)
			}
		}
		if t == nil {
			if !s.split(hi - lo) {
				end := hi
				if l.piece > 0 {
					end = min(hi, lo+l.piece)
				}
				if r, ok = l.next(w, lo, end, r, ok); end == hi {
					return r, ok
				}
				lo = end
				continue
			}
			mid := lo + (hi-lo)/2
			t = l.fork(w, mid, hi, s)
			left, has := l.drive(w, lo, mid, s)
			r, ok = l.join(w, r, ok, left, has)
		}
		if !w.isMine(&t.joinTask) && !w.join(&t.joinTask) {
			right, has := t.take()
			return l.join(w, r, ok, right, has)
		}
		w.takeBack(t.place)
		t.loop = nil
		lo, s = t.lo, t.splitter
	}
	return r, ok
}

// inOrder does leaves, of two or more, until one is left, the worker is asked for work, or the loop
// is over. What is left is one fork, which shrinks while it is private: a request within a leaf is
// met with it before the forks of the leaf. The caller joins it.
func (l *loop[R]) inOrder(w *Worker, p *leaves, s *splitter, r R, ok bool) (*span[R], R, bool) {
	lo, hi := p.next()
	t := l.fork(w, p.lo, p.hi, p.rest(*s))
	for {
		if l.combine == nil {
			l.leaf(w, lo, hi)
			ok = true
		} else {
			r, ok = l.next(w, lo, hi, r, ok)
		}
		if p.left == 1 || !w.isMine(&t.joinTask) || l.over(p.lo) {
			if t.end != 0 { // private
				t.splitter = p.rest(*s)
			}
			return t, r, ok
		}
		lo, hi = p.next()
		t.lo = p.lo
	}
}

// next does a leaf whose left neighbours, if ok, have the result r. A fold continues with that.
func (l *loop[R]) next(w *Worker, lo, hi int, r R, ok bool) (R, bool) {
	if l.fold != nil {
		if !ok {
			r = l.init()
		}
		return l.fold(w, r, lo, hi), true
	}
	return l.join(w, r, ok, l.leaf(w, lo, hi), true)
}

// fork forks off the elements from lo to before hi.
func (l *loop[R]) fork(w *Worker, lo, hi int, s splitter) *span[R] {
	i := w.forks.top
	t, ok := w.frame(i).(*span[R])
	if !ok {
		t = newFrame(w, newSpan[R](w))
	}
	t.loop, t.lo, t.hi, t.splitter = l, lo, hi, s
	w.open(i)
	return t
}

// over reports whether elements from lo on are to be skipped.
func (l *loop[R]) over(lo int) bool { return l.ends && l.isOver(lo) }

func (l *loop[R]) isOver(lo int) bool {
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

// A span is the right half of a piece of a loop, as a frame.
type span[R any] struct {
	joinTask
	loop     *loop[R]
	lo, hi   int
	splitter splitter
	owner    *Worker // always the same
	result   R
	ok       bool // there is a result
}

func newSpan[R any](w *Worker) func() *span[R] {
	return func() *span[R] { return &span[R]{owner: w} }
}

func (t *span[R]) run(w *Worker) {
	t.begin(w)
	l := t.loop
	t.loop = nil // a deque's slot may keep t for a while, but need not keep this
	s := t.splitter
	if w != t.owner {
		s = s.migrated(w.pool.Workers())
	}
	t.result, t.ok = l.drive(w, t.lo, t.hi, s)
}

// take returns the result of a span that was run as a job, and forgets it.
func (t *span[R]) take() (r R, ok bool) {
	r, t.result = t.result, r
	return r, t.ok
}
