package pool

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
