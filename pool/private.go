package pool

import (
	"math"
	stdatomic "sync/atomic" // not the drop-in: what is shown of a schedule must not take part in it

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
)

// A worker's private jobs are the newest of its own, in front of its deque: nobody else
// sees them, so that to fork and to take back costs neither a write that others
// see nor a fence. Only joins keep jobs there, and only while all workers are busy. Where
// they are shared they go into the deque, the oldest first, and are posted: R
// (sleep/README.md, "Private jobs").
type private struct {
	slots      [mostPrivate]*job // circular; a slot keeps its job until it is written again, as the deque's do
	begin, end uint              // slots begin to before end hold jobs: what was kept, and taken or shared, since the start
	keeping
	most     uint // that many may stay: 0 at first, and after a request
	unwanted uint // shared, since most has changed, for no better reason than that there were more
	shown    stdatomic.Int32

	_     [64]byte      // thieves write another cache line
	asked atomic.Uint32 // 1: a thief has found the deque empty
	_     [60]byte
}

// mostPrivate is how many jobs stay private at most. A worker deep down in a tree goes up
// and down among the leaves: with K jobs kept, it is one fork in about 1.6^K that shares one.
const mostPrivate = 32

// keeping is how most changes. Tests change it.
type keeping struct {
	least uint // what most begins with, and goes back to
	after uint // so many jobs shared that nobody has asked for double it
}

// keepingAdapts is rather too few than too many: work that nobody may take costs
// more than a fence.
var keepingAdapts = keeping{least: 0, after: 64}

// keepingNothing shares each job as it is pushed.
var keepingNothing = keeping{least: 0, after: math.MaxUint}

func (p *private) init(k keeping) { p.keeping, p.most = k, k.least }

func (p *private) len() uint { return p.end - p.begin }

// keep is R1: w pushes j, which others need not see at once.
func (w *Worker) keep(j *job) {
	p := &w.private
	if p.len() >= p.most || p.asked.Load() != 0 || !w.pool.sleep.AllActive() {
		w.keepLess(j)
		return
	}
	w.put(j)
}

// put puts j onto the private stack; there is room.
func (w *Worker) put(j *job) {
	w.counts.pushed++
	p := &w.private
	p.slots[p.end%mostPrivate] = j
	p.end++
	if hooks.Enabled {
		p.show()
		hooks.At(pointKeepKept)
	}
}

// keepLess is R2: j is to be shared, with all that is private, or what is oldest.
func (w *Worker) keepLess(j *job) {
	p := &w.private
	switch {
	case p.asked.Load() != 0:
		w.takeRequest() // R6
		w.push(j)
		return
	case p.len() < p.most || !w.pool.sleep.AllActive(): // somebody looks for work, or did a moment ago
		w.push(j)
		return
	case p.most == 0:
		w.push(j)
	default:
		w.share(1)
		w.put(j)
	}
	if p.unwanted++; p.unwanted >= p.after && p.most < mostPrivate && !w.blocks.Load() {
		p.most, p.unwanted = max(1, 2*p.most), 0
	}
}

// meetRequest is R6 after a pop.
func (w *Worker) meetRequest() {
	w.takeRequest()
	w.share(w.private.len())
}

// takeRequest clears the request, before all that is private is shared: one that comes later
// finds what has been shared, or is met by the next push or pop.
func (w *Worker) takeRequest() {
	w.private.asked.Store(0)
	hooks.At(pointRequestMet)
	w.keepFew()
}

// keepFew goes back to the beginning. Who blocks keeps nothing.
func (w *Worker) keepFew() {
	p := &w.private
	p.most, p.unwanted = p.least, 0
	if w.blocks.Load() {
		p.most = 0
	}
}

// share is R3: the oldest n private jobs go to where others can take them, and are
// posted together.
func (w *Worker) share(n uint) {
	if n == 0 {
		return
	}
	wasEmpty := w.deque.isEmpty() // G1
	hooks.At(pointPushEmptyRead)
	hooks.At(pointPushPre)
	w.publishOldest(n) // G2
	hooks.At(pointPushPushed)
	w.pool.sleep.NewInternalJobs(w.index, int(n), wasEmpty) // G3
	hooks.At(pointPushPost)
}

// shareAll is R7: w is about to do what may take long, or to wait.
func (w *Worker) shareAll() { w.share(w.private.len()) }

// publishOldest moves private jobs to the deque: they are newer than all that is there.
func (w *Worker) publishOldest(n uint) {
	p := &w.private
	for ; n > 0; n-- {
		w.deque.push(p.slots[p.begin%mostPrivate])
		p.begin++
	}
	if hooks.Enabled {
		p.show()
	}
}

// pop takes the newest job of w's own, private or shared; nil if there is none.
func (w *Worker) pop() *job {
	p := &w.private
	if p.end == p.begin {
		return w.deque.pop()
	}
	p.end-- // R4
	j := p.slots[p.end%mostPrivate]
	if hooks.Enabled {
		p.show()
		hooks.At(pointPrivatePopped)
	}
	if p.end != p.begin && p.asked.Load() != 0 {
		w.meetRequest()
	}
	return j
}

// ask is R5: a thief has found the deque empty; what the worker keeps to itself, if it
// does, it is to share.
func (w *Worker) ask() {
	p := &w.private
	hooks.At(pointRequest)
	if p.asked.Load() == 0 {
		p.asked.Store(1)
	}
}

// newest returns the newest private job; nil if there is none.
func (p *private) newest() *job {
	if p.end == p.begin {
		return nil
	}
	return p.slots[(p.end-1)%mostPrivate]
}

// show counts private jobs for those who look at the pool. In the chaos build only: it
// would cost what the jobs are private for.
func (p *private) show() { p.shown.Store(int32(p.len())) }
