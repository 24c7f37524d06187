package pool

import (
	"iter"
)

// ForEachSeq calls body for each value that seq yields, on any workers at the same time, and
// returns when all calls are done. It is the way to loop over what is no slice: a channel, a file's
// lines, a tree.
//
// w alone iterates, on the calling goroutine, and hands out batches of values. Up to four batches
// for each other worker are out at a time; then w does the oldest one that has not begun, before it
// continues. So memory stays bounded however long the sequence is, w never blocks, and a pool of
// one does all of it in order.
//
// Batches begin in the order of their values. A batch is handed out when it is full, or as soon as
// another worker may be without one. The first hold one value; the longer the sequence is, the more
// they hold, up to 256. MinLen and MaxLen set other bounds: MaxLen(1) is for bodies that take long.
//
// No lock is held while seq or body runs. So both may fork, loop, and iterate over further
// sequences, in any pool, although what w waits for in seq may put a body on top of it. What Join's
// documentation says about the caller's own locks holds here.
//
// If a body panics, or ends by Goexit, the iteration is stopped, as break stops it; the rest of
// that batch is not done, but all other values that seq has yielded are. Then ForEachSeq panics
// with a *PanicError, the first that happened, or calls Goexit. So it does if seq panics. With
// Until, the iteration is stopped when ctx ends, at the next value, and batches that have not
// begun are skipped.
//
// Cost: some four allocations a batch. The idea is rayon's par_bridge (src/iter/par_bridge.rs),
// where all workers pull on the iterator, under a lock.
func ForEachSeq[T any](w *Worker, seq iter.Seq[T], body func(w *Worker, v T), opts ...LoopOption) {
	w.check("ForEachSeq")
	refuseNil(seq == nil)
	refuseNil(body == nil)
	b := &bridge[T, struct{}]{do: func(w *Worker, values []T) []struct{} {
		for _, v := range values {
			body(w, v)
		}
		return nil
	}}
	b.run(w, seq, opts)
}

// MapSeq returns f of each value that seq yields, in their order. It takes the memory of the
// results, twice for a moment. With Until, batches that were skipped are left out. See
// ForEachSeq for everything else.
func MapSeq[T, R any](w *Worker, seq iter.Seq[T], f func(w *Worker, v T) R, opts ...LoopOption) []R {
	w.check("MapSeq")
	refuseNil(seq == nil)
	refuseNil(f == nil)
	var batches []*batch[T, R]
	b := &bridge[T, R]{
		do: func(w *Worker, values []T) []R {
			results := make([]R, len(values))
			for i, v := range values {
				results[i] = f(w, v)
			}
			return results
		},
		handed: func(b *batch[T, R]) { batches = append(batches, b) },
	}
	b.run(w, seq, opts)
	n := 0
	for _, b := range batches {
		n += len(b.results)
	}
	all := make([]R, 0, n)
	for _, b := range batches {
		all = append(all, b.results...)
	}
	return all
}
