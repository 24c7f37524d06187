package pool

import (
	"math"

	"github.com/rouse-go/rouse/hooks"
)

// A worker keeps the newest of its forks private, in front of its deque, so that forking and taking
// back cost neither a write that others see nor a fence: R (README.md, "Private jobs").
type keeping struct {
	least int // how many may be private at first, and after a request
	after int // this many shared only because there were too many double the limit
}

// mostPrivate is how many forks are private at most. Deep down in a tree, with K kept, one fork in
// about 1.6^K shares one.
const mostPrivate = 32

// keepingAdapts errs on the side of too few: work that cannot be stolen costs more than a fence.
var keepingAdapts = keeping{least: 0, after: 64}

// keepingNothing shares each job as it is pushed.
var keepingNothing = keeping{least: 0, after: math.MaxInt}

// The states of a worker's request. Others only ever set it to asked.
const (
	unasked uint32 = iota // forks may stay private
	asked                 // a worker has found the deque empty, or falls asleep
	met                   // all is shared, and stays so until no worker sleeps
)

// keepLess is R2: it shares all private forks, the newest included, if the worker is asked or there
// is demand, and otherwise those that are too many.
func (w *Worker) keepLess() {
	request := w.request.Load()
	if request == asked {
		w.meetRequest()
		return
	}
	if w.inDemand() || request == met && !w.request.CompareAndSwap(met, unasked) {
		w.keepFew()
		w.shareAll()
		return
	}
	p := &w.forks
	p.limit()
	if n := p.private() - p.most; n > 0 {
		w.share(n)
		if w.unwanted++; w.unwanted >= w.pool.keeping.after && p.most < mostPrivate && !w.blocks.Load() {
			w.unwanted = 0
			p.keep(max(1, 2*p.most))
		}
	}
}

// inDemand reports whether a worker sleeps, or searches and w has nothing to steal. (A searching
// worker may be waiting for a processor: no reason to share more.)
func (w *Worker) inDemand() bool {
	looking, asleep := w.pool.sleep.Lookers()
	return asleep || looking && w.deque.isEmpty()
}

// meetRequest is R6: the request is marked as met before all that is private is shared. One that
// comes later finds what has been shared, or is met by the next push or pop.
func (w *Worker) meetRequest() {
	w.request.Store(met)
	hooks.At(pointRequestMet)
	w.keepFew()
	w.shareAll()
}

// keepFew resets the limit. A blocking worker keeps nothing.
func (w *Worker) keepFew() {
	w.unwanted = 0
	if w.blocks.Load() {
		w.forks.keep(0)
	} else {
		w.forks.keep(w.pool.keeping.least)
	}
}

// share is R3: the oldest n private forks go to where others can take them, and are posted
// together.
func (w *Worker) share(n int) {
	if n == 0 {
		return
	}
	wasEmpty := w.deque.isEmpty() // G1
	hooks.At(pointPushEmptyRead)
	hooks.At(pointPushPre)
	w.publishOldest(n) // G2
	hooks.At(pointPushPushed)
	w.pool.sleep.NewInternalJobs(w.index, n, wasEmpty) // G3
	hooks.At(pointPushPost)
}

// shareAll is R7: w is about to wait, or to do what may take long.
func (w *Worker) shareAll() { w.share(w.forks.private()) }

// publishOldest moves private forks to the deque: they are newer than all that is there.
func (w *Worker) publishOldest(n int) {
	w.counts.pushed += uint64(n)
	w.list()
	for ; n > 0; n-- {
		t := w.forks.publish()
		if hooks.Enabled {
			t.life.touch(w, aJoin, "shares it")
		}
		t.isolated, t.end = w.isolated, 0
		w.deque.push(&t.job)
	}
	w.forks.limit()
	if hooks.Enabled {
		w.forks.show()
	}
}

// wanted reports whether w has been asked for its private forks, and must share all.
func (w *Worker) wanted() bool { return w.request.Load() != unasked }

// ask is R5: a thief has found w's deque empty, or falls asleep; w must share its private forks.
func (w *Worker) ask() {
	hooks.At(pointRequest)
	if w.request.Load() != asked {
		w.request.Store(asked)
	}
}

// askAll is R5 for a worker that falls asleep, and is counted already.
func (w *Worker) askAll() {
	w.pool.victims(func(other *Worker) bool {
		if other != w {
			other.ask()
		}
		return true
	})
}
