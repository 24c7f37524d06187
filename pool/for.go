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
