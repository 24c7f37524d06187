package pool

import (
	"github.com/rouse-go/rouse/hooks/atomic"
)

// Find returns the index of the first element of s for which is returns true, the one that a
// sequential search would find. If there is none it returns -1 and false.
//
// Once an element is found, those behind it are not looked at any more, but some may have been: is
// may be called for any of them, and if a call panics, so does Find. See For for everything else.
func Find[T any](w *Worker, s []T, is func(w *Worker, e T) bool, opts ...LoopOption) (index int, ok bool) {
	w.check("Find")
	return search(w, s, is, false, opts)
}

// FindAny is Find, except that it returns whichever element is found first, on any worker: where
// one is as good as another that is sooner.
func FindAny[T any](w *Worker, s []T, is func(w *Worker, e T) bool, opts ...LoopOption) (index int, ok bool) {
	w.check("FindAny")
	return search(w, s, is, true, opts)
}

// search finds the first element, or anywhere the one that is found first.
func search[T any](w *Worker, s []T, is func(w *Worker, e T) bool, anywhere bool, opts []LoopOption) (index int, ok bool) {
	refuseNil(is == nil)
	none := int64(len(s))
	var found atomic.Int64
	found.Store(none)
	over := func(i int) bool { // elements from i on need not be looked at
		f := found.Load()
		return f <= int64(i) || anywhere && f < none
	}
	l := loop[struct{}]{
		needless: over,
		leaf: func(w *Worker, lo, hi int) (nothing struct{}) {
			for i := lo; i < hi && !over(i); i++ {
				switch {
				case !is(w, s[i]):
				case anywhere:
					found.CompareAndSwap(none, int64(i))
				default:
					lower(&found, int64(i))
				}
			}
			return nothing
		},
	}
	l.run(w, len(s), opts)
	if f := found.Load(); f < none {
		return int(f), true
	}
	return -1, false
}

// lower makes a at most v.
func lower(a *atomic.Int64, v int64) {
	for old := a.Load(); v < old; old = a.Load() {
		if a.CompareAndSwap(old, v) {
			return
		}
	}
}
