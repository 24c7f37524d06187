package pool

import (
	"iter"
	"math"

	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
)

const (
	batchesOut  = 4   // batches that are out at a time, for each worker that may take them
	longestAuto = 256 // values in a batch, unless MaxLen says otherwise
)

// A bridge leads the values of a sequence to the workers of w's pool. Fields not marked as shared
// belong to w, the worker that iterates.
//
// Batches wait in a queue of the bridge's own, and each job of its scope takes the oldest: so they
// begin in their order, and w, too, can take one and nothing else.
type bridge[T, R any] struct {
	do      func(w *Worker, values []T) []R // shared
	handed  func(b *batch[T, R])            // called for each batch; may be nil
	options loopOptions
	scope   *Scope // shared

	filling *batch[T, R] // takes the next value
	size    int          // when it is full
	full    int          // batches of that size that have been filled
	ended   bool         // yield returns false from now on

	out   atomic.Int64   // shared: batches handed out and not done
	mu    sync.Mutex     // of what follows; not held while anything of the user's runs
	queue []*batch[T, R] // not begun, the oldest first: one for each job of the scope that has not begun
}

// A batch is some neighbouring values of a sequence.
type batch[T, R any] struct {
	values  []T
	results []R
}

// run iterates over seq and returns when all that it has yielded is done.
func (b *bridge[T, R]) run(w *Worker, seq iter.Seq[T], opts []LoopOption) {
	b.options.choose(opts)
	b.size = b.options.min
	w.Scope(func(s *Scope) {
		b.scope = s
		defer func() { // also if seq panics
			b.ended = true
			if b.filling != nil {
				b.hand(w, true)
			}
		}()
		if !b.stopped() {
			seq(func(v T) bool { return b.yield(w, v) })
		}
	})
}

// yield takes a value, and reports whether it wants more.
func (b *bridge[T, R]) yield(w *Worker, v T) bool {
	if b.ended { // seq has been stopped
		return false
	}
	if b.filling == nil {
		b.filling = &batch[T, R]{values: make([]T, 0, min(b.size, longestAuto))}
	}
	b.filling.values = append(b.filling.values, v)
	switch n := len(b.filling.values); {
	case n >= b.size:
		b.hand(w, false)
		b.grow(w)
	case n >= b.options.min && b.out.Load() < others(w):
		b.hand(w, false)
	}
	b.ended = b.stopped()
	return !b.ended
}

// others is how many workers there are besides w.
func others(w *Worker) int64 { return int64(w.pool.Workers() - 1) }

// grow doubles the size of batches when as many as can be out have had it: so the last one is a
// small part of the whole.
func (b *bridge[T, R]) grow(w *Worker) {
	if b.full++; b.full < batchesOut*w.pool.Workers() {
		return
	}
	b.full = 0
	longest := b.options.max
	if longest == math.MaxInt {
		longest = longestAuto
	}
	if b.size <= longest/2 {
		b.size *= 2
	} else if b.size < longest {
		b.size = longest
	}
}

// stopped reports whether a body has panicked or called Goexit, or the context ended.
func (b *bridge[T, R]) stopped() bool {
	e := &b.scope.endings
	return e.panicked.Load() != nil || e.goexit.Load() || b.options.ended()
}

// hand gives the batch to the workers. If enough are out already, w does the oldest one itself,
// unless this is the last: then w is about to wait, and does so there.
func (b *bridge[T, R]) hand(w *Worker, last bool) {
	if b.handed != nil {
		b.handed(b.filling)
	}
	crowded := b.out.Add(1) > batchesOut*others(w) && !last
	b.mu.Lock()
	b.queue = append(b.queue, b.filling)
	var mine *batch[T, R]
	if crowded { // in one step: so each job that has been started still finds a batch
		mine = b.takeLocked()
	}
	b.mu.Unlock()
	b.filling = nil
	if crowded {
		b.serveHere(w, mine)
	} else {
		b.scope.Go(w, b.serve)
	}
}

// takeLocked takes the oldest batch; there is one.
func (b *bridge[T, R]) takeLocked() *batch[T, R] {
	oldest := b.queue[0]
	b.queue[0] = nil
	b.queue = b.queue[1:]
	return oldest
}

// serve is a job of the scope: it does the oldest batch.
func (b *bridge[T, R]) serve(w *Worker) {
	b.mu.Lock()
	oldest := b.takeLocked()
	b.mu.Unlock()
	b.doBatch(w, oldest)
}

// serveHere does a batch at once, as a job of the scope all the same: a panic ends there, and does
// not unwind seq, which might take it for its own.
func (b *bridge[T, R]) serveHere(w *Worker, mine *batch[T, R]) {
	s := b.scope
	s.hold(1)
	t := &scopeTask{scope: s, f: func(w *Worker) { b.doBatch(w, mine) }}
	t.task, t.isolated = t, s.isolated
	w.execute(&t.job)
}

func (b *bridge[T, R]) doBatch(w *Worker, of *batch[T, R]) {
	defer b.out.Add(-1)
	values := of.values
	of.values = nil
	if !b.options.ended() {
		w.shareAll() // R7
		of.results = b.do(w, values)
	}
}
