package pool

import (
	"sort"
)

const (
	mergeLeaf     = 5000    // elements that one worker merges alone: rayon's (src/slice/mergesort.rs)
	insertionLeaf = 20      // elements that are sorted by insertion
	copyLeaf      = 1 << 16 // elements that one worker copies alone
)

// SortStableFunc sorts s by order, a strict weak one, and leaves equal elements in the order in
// which they were. order is called by many workers at the same time.
//
// It is a parallel merge sort, whose merges are parallel, too, and takes a buffer of len(s)
// elements, and some 200 bytes a fork. What is sorted already, or the other way round with no two
// elements equal, costs one pass and no buffer.
//
// If order panics, so does SortStableFunc, with the value itself or a *PanicError around it, as in
// Join, when no worker uses s any more. s then still holds all of its elements, each once, in some
// order, since merges are copied back when they are complete; so it does if order is not a strict
// weak order.
//
// w is the worker that the caller runs on; SortStableFunc waits by running other jobs, as Join
// does.
func SortStableFunc[S ~[]E, E any](w *Worker, s S, order func(a, b E) int) {
	w.check("SortStableFunc")
	refuseNil(order == nil)
	if isSorted(s, order) {
		return
	}
	m := &mergesort[E]{order: order}
	m.half = func(w *Worker, t buffered[E]) (nothing struct{}) {
		m.sort(w, t)
		return nothing
	}
	m.part = func(w *Worker, t merging[E]) (nothing struct{}) {
		m.merge(w, t)
		return nothing
	}
	defer w.settle(w.forks.top) // if order panics, no worker uses s when that reaches the caller
	m.sort(w, buffered[E]{s, make([]E, len(s))})
}

// A mergesort sorts slices of E.
type mergesort[E any] struct {
	order func(a, b E) int
	half  func(w *Worker, t buffered[E]) struct{}
	part  func(w *Worker, t merging[E]) struct{}
}

// buffered is a slice to be sorted, and as much room.
type buffered[E any] struct{ s, buffer []E }

// merging is two neighbours to be merged, and where to.
type merging[E any] struct{ left, right, to []E }

func (m *mergesort[E]) sort(w *Worker, t buffered[E]) {
	n := len(t.s)
	if n <= insertionLeaf {
		m.insertion(t.s)
		return
	}
	mid := n / 2
	left, right := buffered[E]{t.s[:mid], t.buffer[:mid]}, buffered[E]{t.s[mid:], t.buffer[mid:]}
	if n > sortLeaf {
		Join(w, m.half, left, right)
	} else {
		m.sort(w, left)
		m.sort(w, right)
	}
	if m.order(t.s[mid], t.s[mid-1]) >= 0 {
		return
	}
	m.merge(w, merging[E]{left.s, right.s, t.buffer})
	if n <= copyLeaf { // no call of order from here on: s is complete again before anything can panic
		copy(t.s, t.buffer)
		return
	}
	ForRange(w, n, func(_ *Worker, lo, hi int) { copy(t.s[lo:hi], t.buffer[lo:hi]) }, MinLen(copyLeaf/2))
}

// insertion sorts a few elements by exchanging neighbours.
func (m *mergesort[E]) insertion(s []E) {
	for i := 1; i < len(s); i++ {
		for j := i; j > 0 && m.order(s[j], s[j-1]) < 0; j-- {
			s[j], s[j-1] = s[j-1], s[j]
		}
	}
}

// merge halves the longer slice, looks where its middle belongs in the other one, and does both
// parts at the same time: rayon's par_merge. What is equal comes from the left first.
func (m *mergesort[E]) merge(w *Worker, t merging[E]) {
	if len(t.to) <= mergeLeaf {
		m.mergeLeaf(t)
		return
	}
	var l, r int
	if len(t.left) >= len(t.right) {
		l = len(t.left) / 2
		r = sort.Search(len(t.right), func(i int) bool { return m.order(t.right[i], t.left[l]) >= 0 })
	} else {
		r = len(t.right) / 2
		l = sort.Search(len(t.left), func(i int) bool { return m.order(t.right[r], t.left[i]) < 0 })
	}
	Join(w, m.part,
		merging[E]{t.left[:l], t.right[:r], t.to[:l+r]},
		merging[E]{t.left[l:], t.right[r:], t.to[l+r:]})
}

func (m *mergesort[E]) mergeLeaf(t merging[E]) {
	left, right, to := t.left, t.right, t.to
	for len(left) > 0 && len(right) > 0 {
		if m.order(right[0], left[0]) < 0 {
			to[0], right = right[0], right[1:]
		} else {
			to[0], left = left[0], left[1:]
		}
		to = to[1:]
	}
	copy(to, left)
	copy(to, right)
}
