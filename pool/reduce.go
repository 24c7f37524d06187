package pool

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
