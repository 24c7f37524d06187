package pool

import (
	"cmp"
	"math/bits"
	"slices"
)

// sortLeaf is the number of elements that one worker sorts alone: rayon's cutoff
// (src/slice/sort.rs), some 100 us of work.
const sortLeaf = 2000

// Sort sorts s in ascending order, as slices.Sort does: NaNs come before other floats. It is not
// stable, and allocates nothing but some 200 bytes a fork.
//
// It is a parallel quicksort: a span is partitioned by its caller alone, the two sides are sorted
// at the same time, and spans of up to 2,000 elements by slices.Sort, as are those in which pivots
// were bad too often. So it never goes quadratic, and what is sorted already, either way round,
// costs one pass. Since the first partitions are sequential, the gain flattens where workers are
// many.
//
// w is the worker that the caller runs on; Sort waits by running other jobs, as Join does.
func Sort[S ~[]E, E cmp.Ordered](w *Worker, s S) {
	w.check("Sort")
	s = s[nansFirst(s):]
	if isSorted(s, cmp.Compare[E]) {
		return
	}
	q := &quicksort[E]{partition: partition[E], leaf: slices.Sort[[]E]}
	q.start(w, s)
}

// SortFunc is Sort with an order of the caller's, a strict weak one, as for slices.SortFunc; order
// is called by many workers at the same time.
//
// If order panics, so does SortFunc, with the value itself or a *PanicError around it, as in Join,
// when no worker uses s any more. s then still holds all of its elements, each once, in some order;
// so it does if order is not a strict weak order.
func SortFunc[S ~[]E, E any](w *Worker, s S, order func(a, b E) int) {
	w.check("SortFunc")
	refuseNil(order == nil)
	if isSorted(s, order) {
		return
	}
	q := &quicksort[E]{
		partition: func(s []E) int { return partitionFunc(s, order) },
		leaf:      func(s []E) { slices.SortFunc(s, order) },
	}
	q.start(w, s)
}

// nansFirst moves NaNs to the front and returns how many there are.
func nansFirst[E cmp.Ordered](s []E) int {
	n := 0
	for i := range s {
		if s[i] != s[i] {
			s[i], s[n] = s[n], s[i]
			n++
		}
	}
	return n
}

// isSorted reports whether s is sorted; if it is sorted the other way round, with no two elements
// equal, it turns s around. It looks no further than it must.
func isSorted[E any](s []E, order func(a, b E) int) bool {
	if len(s) < 2 {
		return true
	}
	descending := order(s[1], s[0]) < 0
	for i := 2; i < len(s); i++ {
		if order(s[i], s[i-1]) < 0 != descending {
			return false
		}
	}
	if descending {
		slices.Reverse(s)
	}
	return true
}

// A quicksort sorts slices of E.
type quicksort[E any] struct {
	// partition moves some element to an index, which it returns, so that nothing before it is
	// greater, and nothing behind it less.
	partition func(s []E) int
	leaf      func(s []E) // sorts sequentially, in n log n at the worst
	half      func(w *Worker, t unsorted[E]) struct{}
}

// unsorted is a slice to be sorted. Of the partitions on the way to a leaf, badLeft more may be
// bad: one side less than an eighth.
type unsorted[E any] struct {
	s       []E
	badLeft int
}

func (q *quicksort[E]) start(w *Worker, s []E) {
	defer w.settle(w.forks.top) // if order panics, no worker uses s when that reaches the caller
	q.half = func(w *Worker, t unsorted[E]) (nothing struct{}) {
		q.sort(w, t)
		return nothing
	}
	q.sort(w, unsorted[E]{s, bits.Len(uint(len(s)))})
}

func (q *quicksort[E]) sort(w *Worker, t unsorted[E]) {
	n := len(t.s)
	if n <= sortLeaf || t.badLeft == 0 {
		q.leaf(t.s)
		return
	}
	mid := q.partition(t.s)
	if min(mid, n-1-mid) < n/8 {
		t.badLeft--
	}
	Join(w, q.half, unsorted[E]{t.s[:mid], t.badLeft}, unsorted[E]{t.s[mid+1:], t.badLeft})
}

// partition is Hoare's. It stops at elements that are equal to the pivot, so that many equal ones
// are shared out evenly. s has no NaN.
func partition[E cmp.Ordered](s []E) int {
	at := pivot(len(s), func(i, j int) bool { return s[i] < s[j] })
	s[0], s[at] = s[at], s[0]
	p := s[0]
	i, j := 1, len(s)-1
	for {
		for i <= j && s[i] < p {
			i++
		}
		for i <= j && p < s[j] {
			j--
		}
		if i >= j {
			break
		}
		s[i], s[j] = s[j], s[i]
		i++
		j--
	}
	s[0], s[j] = s[j], s[0]
	return j
}

// partitionFunc is partition for any order. It only ever exchanges two elements, so that all are
// there if order panics, and stays in bounds if it is not an order at all.
func partitionFunc[E any](s []E, order func(a, b E) int) int {
	at := pivot(len(s), func(i, j int) bool { return order(s[i], s[j]) < 0 })
	s[0], s[at] = s[at], s[0]
	i, j := 1, len(s)-1
	for {
		for i <= j && order(s[i], s[0]) < 0 {
			i++
		}
		for i <= j && order(s[0], s[j]) < 0 {
			j--
		}
		if i >= j {
			break
		}
		s[i], s[j] = s[j], s[i]
		i++
		j--
	}
	s[0], s[j] = s[j], s[0]
	return j
}

// pivot returns the index of Tukey's ninther: the median of three medians of three. n is at least
// 9.
func pivot(n int, less func(i, j int) bool) int {
	median := func(a, b, c int) int {
		if less(b, a) {
			a, b = b, a
		}
		if less(c, b) {
			b = c
			if less(b, a) {
				b = a
			}
		}
		return b
	}
	step := n / 9
	of := func(k int) int { i := k*step + step/2; return median(i, i+step, i+2*step) }
	return median(of(0), of(3), of(6))
}
