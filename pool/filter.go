package pool

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
