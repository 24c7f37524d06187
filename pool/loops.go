package pool

// For calls body for each i from 0 to n-1, on any workers at the same time, and returns when all
// calls are done. It panics if n is negative.
//
// What holds for For holds for all loops of this package (ForRange, ForEach, Map, Filter, Reduce,
// Fold, Find):
//
//   - w is the worker that the caller runs on, and each call gets the handle of the
//     one that it runs on. Calls may fork and loop in turn.
//   - The caller takes part. It waits by running other jobs, as Join does, and what
//     is said there about locks is true here: a call may run on top of another one
//     that waits. There is no order between calls, except that one leaf's elements
//     are done in order; do not let one wait for another.
//   - If a call panics, the rest of its leaf is not done, all other leaves are, and
//     then, when nothing of the loop runs any more, the loop panics: with the panic
//     of the lowest index, as the value itself or as a *PanicError around it, as in
//     Join. If a call ends by Goexit on another worker, the loop calls Goexit.
//   - The loop is halved by rayon's adaptive splitter: see LoopOption. A halving costs about a
//     Join. While all workers have been busy for a while, the worker does leaf after leaf instead,
//     at a few nanoseconds each, and halves what is left when a worker runs out of work. A part
//     that is stolen costs an allocation of some 200 bytes.
func For(w *Worker, n int, body func(w *Worker, i int), opts ...LoopOption) {
	w.check("For")
	refuseNil(body == nil)
	l := loop[struct{}]{eachElement: true, leaf: func(w *Worker, lo, hi int) (nothing struct{}) {
		for i := lo; i < hi; i++ {
			body(w, i)
		}
		return nothing
	}}
	l.run(w, n, opts)
}

// ForRange is For, except that body is called once for a leaf, with its first index and the one
// behind its last: for bodies that gain from a plain inner loop, or that keep something from one
// element to the next. It is never called for nothing.
func ForRange(w *Worker, n int, body func(w *Worker, lo, hi int), opts ...LoopOption) {
	w.check("ForRange")
	refuseNil(body == nil)
	forRange(w, n, body, opts, false)
}

// forRange is ForRange; eachElement: body calls the user's function for each element.
func forRange(w *Worker, n int, body func(w *Worker, lo, hi int), opts []LoopOption, eachElement bool) {
	l := loop[struct{}]{eachElement: eachElement, leaf: func(w *Worker, lo, hi int) (nothing struct{}) {
		body(w, lo, hi)
		return nothing
	}}
	l.run(w, n, opts)
}

// ForEach calls body for each element of s, as For does, with a pointer to the element: body may
// change it.
func ForEach[T any](w *Worker, s []T, body func(w *Worker, e *T), opts ...LoopOption) {
	w.check("ForEach")
	refuseNil(body == nil)
	forRange(w, len(s), func(w *Worker, lo, hi int) {
		leaf := s[lo:hi]
		for i := range leaf {
			body(w, &leaf[i])
		}
	}, opts, true)
}

// Map returns f of each element of s, in their order. With Until, what was skipped is the
// zero R.
//
// See For for everything else.
func Map[T, R any](w *Worker, s []T, f func(w *Worker, e T) R, opts ...LoopOption) []R {
	w.check("Map")
	refuseNil(f == nil)
	results := make([]R, len(s))
	forRange(w, len(s), func(w *Worker, lo, hi int) {
		in, out := s[lo:hi], results[lo:hi]
		for i := range in {
			out[i] = f(w, in[i])
		}
	}, opts, true)
	return results
}

// Filter returns a new slice of those elements of s that keep returns true for, in their order; nil
// if there are none. s is left as it is.
//
// It costs the memory of what is kept, twice for a moment. See For for everything else.
func Filter[S ~[]E, E any](w *Worker, s S, keep func(w *Worker, e E) bool, opts ...LoopOption) S {
	w.check("Filter")
	refuseNil(keep == nil)
	l := loop[kept[E]]{
		leaf: func(w *Worker, lo, hi int) kept[E] {
			var chosen []E
			for _, e := range s[lo:hi] {
				if keep(w, e) {
					chosen = append(chosen, e)
				}
			}
			return keptOf(chosen)
		},
		combine: func(_ *Worker, left, right kept[E]) kept[E] { return left.with(right) },
	}
	k, _ := l.run(w, len(s), opts)
	return k.all()
}

// kept is a list of slices: the results of neighbouring leaves are joined without being copied.
type kept[E any] struct {
	first, last *keptLeaf[E]
	n           int // elements of all together
}

type keptLeaf[E any] struct {
	elements []E
	next     *keptLeaf[E]
}

func keptOf[E any](elements []E) kept[E] {
	if len(elements) == 0 {
		return kept[E]{}
	}
	leaf := &keptLeaf[E]{elements: elements}
	return kept[E]{first: leaf, last: leaf, n: len(elements)}
}

// with appends other, which becomes part of the result.
func (k kept[E]) with(other kept[E]) kept[E] {
	switch {
	case k.n == 0:
		return other
	case other.n == 0:
		return k
	}
	k.last.next = other.first
	return kept[E]{first: k.first, last: other.last, n: k.n + other.n}
}

// all returns the elements in one slice.
func (k kept[E]) all() []E {
	if k.n == 0 {
		return nil
	}
	if k.first == k.last {
		return k.first.elements
	}
	all := make([]E, 0, k.n)
	for leaf := k.first; leaf != nil; leaf = leaf.next {
		all = append(all, leaf.elements...)
	}
	return all
}

// Reduce combines init and the elements of s, in their order, with op:
//
//	op(op(op(init, s[0]), s[1]), ...)
//
// except that op may be applied to neighbours first: it must be associative, as string
// concatenation is. It need not be commutative, nor init neutral: init is used once. With a
// floating-point sum the result may differ from run to run in its last digits, since which
// neighbours are added first does.
//
// See For for everything else.
func Reduce[T any](w *Worker, s []T, init T, op func(w *Worker, a, b T) T, opts ...LoopOption) T {
	w.check("Reduce")
	refuseNil(op == nil)
	l := loop[T]{
		leaf: func(w *Worker, lo, hi int) T {
			acc := s[lo]
			for _, e := range s[lo+1 : hi] {
				acc = op(w, acc, e)
			}
			return acc
		},
		combine: op,
	}
	if r, ok := l.run(w, len(s), opts); ok {
		return op(w, init, r)
	}
	return init
}

// Fold folds parts of s, each from a fresh init() and in the order of the elements, and combines the
// parts' results in their order:
//
//	count := pool.Fold(w, words,
//		func() map[string]int { return map[string]int{} },
//		func(_ *pool.Worker, n map[string]int, word string) map[string]int { n[word]++; return n },
//		func(_ *pool.Worker, a, b map[string]int) map[string]int { ...; return a })
//
// How many parts there are is not known, so what init returns must be neutral to combine, and
// combine associative; it need not be commutative. An accumulator is seen by one call at a time,
// and combine may change and return either of its own.
//
// See For for everything else.
func Fold[T, A any](w *Worker, s []T, init func() A, fold func(w *Worker, acc A, e T) A, combine func(w *Worker, a, b A) A, opts ...LoopOption) A {
	w.check("Fold")
	refuseNil(fold == nil)
	return FoldRange(w, len(s), init, func(w *Worker, acc A, lo, hi int) A {
		for _, e := range s[lo:hi] {
			acc = fold(w, acc, e)
		}
		return acc
	}, combine, opts...)
}

// FoldRange is Fold for indices: fold is called for a part of 0 to n-1, with its first index and the
// one behind its last, and with what the parts directly before it have come to, or a fresh init(). It
// panics if n is negative.
func FoldRange[A any](w *Worker, n int, init func() A, fold func(w *Worker, acc A, lo, hi int) A, combine func(w *Worker, a, b A) A, opts ...LoopOption) A {
	w.check("FoldRange")
	refuseNil(init == nil)
	refuseNil(fold == nil)
	refuseNil(combine == nil)
	l := loop[A]{init: init, fold: fold, combine: combine}
	if r, ok := l.run(w, n, opts); ok {
		return r
	}
	return init()
}
