package pool

import "github.com/rouse-go/rouse/hooks"

// Map returns f of each element of s, in their order. With WithContext, what was
// skipped is the zero R.
//
// Everything else is as in For, which see.
func Map[T, R any](w *Worker, s []T, f func(w *Worker, e T) R, opts ...LoopOption) []R {
	if hooks.Enabled {
		w.check("Map")
	}
	if f == nil {
		panic(ErrNoFunction)
	}
	results := make([]R, len(s))
	ForRange(w, len(s), func(w *Worker, lo, hi int) {
		in, out := s[lo:hi], results[lo:hi]
		for i := range in {
			out[i] = f(w, in[i])
		}
	}, opts...)
	return results
}
