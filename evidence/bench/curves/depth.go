package curves

import (
	"time"

	"github.com/rouse-go/rouse/pool"
)

// Depth returns the cost of a join as joins are nested deeper: chains, whose long half is the first or
// the second. Stacks are warm: the cost of their growth is not included.
func Depth() Curve {
	chain := func(name string, workers int, once func(w *pool.Worker, n int) int) Line {
		return Line{name, func(n int) (float64, time.Duration, error) {
			return inPool(workers, n, func(w *pool.Worker) error { return want(once(w, n), n) })
		}}
	}
	return Curve{
		Name:  "depth",
		About: "What a join costs as joins are nested deeper: chains of joins, whose long half is the first (left-deep) or the second (right-deep). In a pool of two the other worker takes what it can get, which is nothing but trouble; in a pool of one nobody does. Stacks are warm.",
		X:     "joins nested in each other", Y: "ns per join",
		At: decades(1, 6, 2),
		Lines: []Line{
			chain("Fn.Join, left-deep", 2, typedLeft),
			chain("Fn.Join, right-deep", 2, typedRight),
			chain("closures, left-deep", 2, leftDeep),
			chain("closures, right-deep", 2, rightDeep),
			chain("Fn.Join, left, one worker", 1, typedLeft),
			chain("Fn.Join, right, one worker", 1, typedRight),
			chain("closures, left, one worker", 1, leftDeep),
		},
	}
}

// A link is a chain of n joins.
type link struct {
	n    int
	left bool
}

// chained counts the joins of a chain.
var chained = pool.NewFn(func(chained *pool.Fn[link, int], w *pool.Worker, l link) int {
	if l.n == 0 {
		return 0
	}
	a, b := link{l.n - 1, l.left}, link{0, l.left}
	if !l.left {
		a, b = b, a
	}
	x, y := chained.Join(w, a, b)
	return x + y + 1
})

func typedLeft(w *pool.Worker, n int) int  { return chained.Call(w, link{n, true}) }
func typedRight(w *pool.Worker, n int) int { return chained.Call(w, link{n, false}) }

func leftDeep(w *pool.Worker, n int) (joins int) {
	if n == 0 {
		return 0
	}
	w.Join(func(w *pool.Worker) { joins = leftDeep(w, n-1) }, nothing)
	return joins + 1
}

func rightDeep(w *pool.Worker, n int) (joins int) {
	if n == 0 {
		return 0
	}
	w.Join(nothing, func(w *pool.Worker) { joins = rightDeep(w, n-1) })
	return joins + 1
}

func nothing(*pool.Worker) {}

// decades returns so many numbers for each power of ten, from 10^from to 10^to: 10, 30, 100.
func decades(from, to, each int) (at []int) {
	n := 1
	for range from {
		n *= 10
	}
	for range to - from {
		at = append(at, n)
		if each > 1 {
			at = append(at, 3*n)
		}
		n *= 10
	}
	return append(at, n)
}
