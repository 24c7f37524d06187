package pool

import (
	stdatomic "sync/atomic" // not the drop-in: what is shown of a schedule must not take part in it

	"github.com/rouse-go/rouse/hooks"
)

// A worker's forks are the joins that have begun on it and are not over: a stack, the innermost on
// top. The newest of them may be private: no other worker sees their second halves (private.go).
//
// Each place on the stack has a frame, which stays there for the next fork at that depth: so a fork
// allocates nothing, and, if it is of the same kind as the last one there, writes only the argument
// of its second half.
type forks struct {
	// frames are those of the places at which a fork may stay private: as many are visible as there
	// may be; others lie behind them, up to the capacity.
	frames []frame
	top    int     // open forks; the place of the next one
	first  int     // the forks from here to the top are private
	most   int     // so many may be
	spares []frame // replaced by a frame of another kind

	shown stdatomic.Int32 // how many are private, for dumps
}

// A frame is the second half of a join. Each kind of join has its own, which embeds a joinTask and
// is used so:
//
//	i := w.forks.top
//	t, ok := w.frame(i).(*kind)
//	if !ok {
//		t = newFrame(w, ...)
//	}
//	...                     // what b is called with
//	w.fork(i)
//	if w.mayKeep(i) {
//		w.kept()
//	} else {
//		w.keepLess()
//	}
//	...                     // a
//	if w.isMine(&t.joinTask) || w.join(&t.joinTask) {
//		w.takeBack(i)
//		...                 // b, which was not stolen; forks within it use t again
//		w.joined(i)
//	} else {
//		...                 // what b has returned to t
//	}
type frame interface {
	task
	join() *joinTask
}

// frame returns the frame at place i, that of the next fork, or nil if it has none or may not be
// private.
func (w *Worker) frame(i int) frame {
	if frames := w.forks.frames; uint(i) < uint(len(frames)) {
		return frames[i]
	}
	return nil
}

// newFrame returns a frame of its kind for the next fork: the one in its place, a spare, or a fresh
// one.
func newFrame[F frame](w *Worker, fresh func() F) F {
	p := &w.forks
	if p.top == cap(p.frames) {
		p.grow()
	}
	place := &p.frames[:cap(p.frames)][p.top]
	if t, ok := (*place).(F); ok {
		return t
	}
	p.spare(*place)
	for i, s := range p.spares {
		if t, ok := s.(F); ok {
			last := len(p.spares) - 1
			p.spares[i], p.spares[last] = p.spares[last], nil
			p.spares = p.spares[:last]
			j := t.join()
			j.place, j.end = p.top, p.top+1
			*place = t
			return t
		}
	}
	t := fresh()
	j := t.join()
	j.task, j.place, j.end = t, p.top, p.top+1
	j.latch.Init(&w.pool.sleep, w.index)
	*place = t
	return t
}

// grow makes twice as many places.
func (p *forks) grow() {
	frames := make([]frame, max(16, 2*cap(p.frames)))
	copy(frames, p.frames[:cap(p.frames)])
	p.frames = frames
	p.limit()
}

// limit makes the places visible at which a fork may stay private.
func (p *forks) limit() { p.frames = p.frames[:min(p.first+p.most, cap(p.frames))] }

// spare keeps a frame for a fork of its kind elsewhere.
func (p *forks) spare(t frame) {
	if t != nil && len(p.spares) < mostSpares {
		p.spares = append(p.spares, t)
	}
}

// at returns the joinTask of the frame at place i.
func (p *forks) at(i int) *joinTask { return p.frames[:cap(p.frames)][i].join() }

// drop leaves the frame at place i to a thief that may still use it.
func (p *forks) drop(i int) { p.frames[:cap(p.frames)][i] = nil }

// mostSpares bounds how many frames wait for a fork of their kind.
const mostSpares = 64

// fork begins the fork whose frame has been prepared. Unless it may stay private, the caller calls
// keepLess next. These pieces are small so that the compiler inlines them.
func (w *Worker) fork(i int) {
	if hooks.Enabled {
		w.forks.at(i).life.begin(w, aJoin)
	}
	w.forks.top = i + 1
	w.counts.joins++
}

// open is fork, mayKeep and what follows in one call, which costs more.
func (w *Worker) open(i int) {
	w.fork(i)
	if w.mayKeep(i) {
		w.kept()
	} else {
		w.keepLess()
	}
}

// mayKeep is R1: the fork at place i, the next one or the newest, may stay private, and the worker
// is unasked.
func (w *Worker) mayKeep(i int) bool {
	return w.request.Load() == unasked && uint(i) < uint(len(w.forks.frames))
}

// kept has the hook point after R1.
func (w *Worker) kept() {
	if hooks.Enabled {
		w.forks.show()
		hooks.At(pointKeepKept)
	}
}

// isMine is R4: t is private, nothing is above it, and the worker is unasked. The caller then runs
// b; otherwise it calls join.
func (w *Worker) isMine(t *joinTask) bool {
	return w.request.Load() == unasked && w.forks.top == t.end
}

// join handles the other cases: the worker is asked, t was shared, or a has left joins behind whose
// panics it recovered. It returns true if the caller is to run b. Otherwise it returns when b is
// done, and ends as b did.
func (w *Worker) join(t *joinTask) (mine bool) {
	w.settle(t.place + 1) // first: an isolated await would give what is above to others
	if t.end != 0 {
		w.forks.top = t.place // R4
		if w.wanted() {
			w.meetRequest()
		}
		return true
	}
	mine = t.await(w)
	w.forks.over(t)
	if mine {
		return true
	}
	if w.unwanted > 0 { // this one was wanted
		w.unwanted--
	}
	w.forks.drop(t.place)
	o := t.outcome
	t.outcome = outcome{} // a deque's slot may keep t for a while, but need not keep this
	if hooks.Enabled {
		t.life.end(w, aJoin, "has joined it after a thief ran it")
	}
	o.resume()
	return false
}

// takeBack takes the fork at place i, whose b the caller runs, off the stack.
func (w *Worker) takeBack(i int) {
	w.forks.top = i
	if hooks.Enabled {
		w.forks.at(i).life.free(w, aJoin, "has taken it back")
		w.forks.show()
		hooks.At(pointPrivatePopped)
	}
}

// reclaim is isMine, join and takeBack in one call, which costs more.
func (w *Worker) reclaim(t *joinTask) (mine bool) {
	if mine = w.isMine(t) || w.join(t); mine {
		w.takeBack(t.place)
	}
	return mine
}

// joined is called when b, run by the worker that forked it, has returned.
func (w *Worker) joined(i int) {
	if w.forks.top != i { // b has left forks behind
		w.settle(i)
	}
}

// settle ends the forks that a panic, a Goexit or a user's recover has left behind: it waits for b
// of each, running it if it was not stolen, until only so many forks are open.
func (w *Worker) settle(open int) {
	if w.forks.top == open {
		return
	}
	if hooks.Enabled {
		defer w.settleOn(open)
	} else {
		defer w.settle(open) // deferred: a job that runs meanwhile may call Goexit
	}
	for w.forks.top != open {
		w.shareAll()
		t := w.forks.at(w.forks.top - 1)
		mine := t.await(w)
		w.forks.over(t)
		w.forks.drop(t.place) // b is run as a job, which ends it
		if mine {
			w.execute(&t.job)
		}
		if hooks.Enabled {
			t.life.end(w, aJoin, "has settled it")
		}
	}
}

// settleOn is settle as deferred by settle itself, except in an execution that was abandoned, where
// it would never return. Chaos build only.
func (w *Worker) settleOn(open int) {
	if v := recover(); v != nil {
		panic(v) // no job's: those end at their boundary
	}
	w.settle(open)
}

// over takes t, the innermost fork and not private, off the stack. Others now have less to steal.
func (p *forks) over(t *joinTask) {
	t.end = t.place + 1
	p.top, p.first = t.place, t.place
	p.reconsider()
}

// reconsider makes the next fork read the counters before it stays private. Nothing is private now.
func (p *forks) reconsider() { p.frames = p.frames[:p.top] }

// private returns how many forks are.
func (p *forks) private() int { return p.top - p.first }

// publish returns the oldest private fork, which is not private any more.
func (p *forks) publish() *joinTask {
	p.first++
	return p.at(p.first - 1)
}

// keep sets how many forks may be private.
func (p *forks) keep(most int) {
	p.most = most
	p.limit()
}

// show publishes how many are private. Chaos build only: it costs what private forks save.
func (p *forks) show() { p.shown.Store(int32(p.private())) }

// Saturated reports whether a fork would gain nothing: w has jobs that others could steal, and no
// worker asks for work. A function that forks through closures then does better to call its halves
// one after the other:
//
//	if w.Saturated() {
//		left(w)
//		right(w)
//	} else {
//		w.Join(left, right)
//	}
//
// The answer is out of date at once, so ask again at each level. It does not block; two to five
// loads.
func (w *Worker) Saturated() bool {
	w.check("Worker.Saturated")
	jobs := int64(w.forks.private()) + w.deque.bottom.Load() - w.deque.top.Load()
	return jobs > 0 && !w.wanted()
}
