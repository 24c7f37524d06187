package pool

import (
	"fmt"
	"iter"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/time"
	"github.com/rouse-go/rouse/pool"
)

// These computations check when a loop does elements, which its result does not show.

// patience is the number of times that a body yields to let another worker act.
const patience = 100

// A finder is Find or FindAny.
type finder func(w *pool.Worker, s []int, is func(w *pool.Worker, e int) bool, opts ...pool.LoopOption) (int, bool)

// findsLeftmost wants find, which is Find, to return the first of n elements. Every element matches, and two
// workers find one at the same time, if there are two.
func findsLeftmost(w *pool.Worker, n int, find finder, opts []pool.LoopOption) (wrong string) {
	var inside atomic.Int64
	i, _ := find(w, make([]int, n), func(w *pool.Worker, _ int) bool {
		inside.Add(1)
		for polls := 0; polls < patience && inside.Load() < 2 && w.Pool().Workers() > 1; polls++ {
			hooks.Gosched()
		}
		return true
	}, opts...)
	if n > 0 && i != 0 {
		return fmt.Sprintf("each of %d elements will do, and the first is %d, want 0", n, i)
	}
	return ""
}

// findsFirst wants find, which is FindAny, to return the element of n that it has found first. Every element
// matches. Elements that other workers find return only after w has found one itself and has continued behind it.
func findsFirst(w *pool.Worker, n int, find finder, opts []pool.LoopOption) (wrong string) {
	all, late := make([]int, n), make([]bool, n)
	for i := range all {
		all[i] = i
	}
	var continued atomic.Bool
	found := false // w has found one
	i, _ := find(w, all, func(on *pool.Worker, i int) bool {
		if on == w {
			found = true
			return true
		}
		on.Go(func(by *pool.Worker) {
			if by == w && found { // which waits: what it has found counts
				continued.Store(true)
			}
		})
		for polls := 0; polls < patience && !continued.Load(); polls++ {
			hooks.Gosched()
		}
		late[i] = continued.Load()
		return true
	}, opts...)
	if i >= 0 && late[i] {
		return fmt.Sprintf("any element will do, and it is %d, which was found after another", i)
	}
	return ""
}

// A seqLoop is MapSeq.
type seqLoop func(w *pool.Worker, seq iter.Seq[int], f func(w *pool.Worker, v int) int, opts ...pool.LoopOption) []int

// handsOut wants a loop over a sequence to hand out a value at once if no other worker has one, also when
// batches have grown: the sequence waits for each value before it yields the next. If values were kept until
// their batch is full, no two in a row would be done in time. (One may be late all the same: a worker counts
// as having the last one for a moment longer than its body runs.)
func handsOut(w *pool.Worker, loop seqLoop) (wrong string) {
	const grown = 6 // values in batches that have grown
	workers := w.Pool().Workers()
	if workers == 1 {
		return ""
	}
	n := 4*workers + grown
	done := make([]atomic.Bool, n)
	before, inTime := false, false // the last value was in time; two in a row were
	loop(w, func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
			now := waitedFor(w, &done[i])
			inTime = inTime || before && now && i > n-grown
			before = now
		}
	}, func(_ *pool.Worker, i int) int { done[i].Store(true); return i })
	if !inTime {
		return fmt.Sprintf("the sequence waited for each of the last %d values, and no two in a row were done before it yielded the next", grown)
	}
	return ""
}

// waitedFor works until a value is done, for a while, and reports whether it is. Then it sleeps, so that the
// worker that has done it can leave it.
func waitedFor(w *pool.Worker, done *atomic.Bool) bool {
	for polls := 0; polls < patience && !done.Load(); polls++ {
		if !w.YieldNow() {
			time.Sleep(20 * time.Microsecond)
		}
	}
	time.Sleep(20 * time.Microsecond)
	return done.Load()
}
