package rows

import (
	"fmt"
	"sync"
	"time"

	"github.com/rouse-go/rouse/evidence/bench/peers"
	"github.com/rouse-go/rouse/pool"
)

// The shapes of trees with coarse leaves. The numbers are those of foreign/rust/src/coarse.rs.
const (
	golden    = iota // the tree of fib
	leftDeep         // a chain: the first half of each join is all the rest
	rightDeep        // a chain: the second half is
)

// A tree has leaves that each compute for some steps.
type tree struct{ shape, leaves, steps int }

// coarse measures the use of the machine when leaves take long: a computing worker answers no
// thief.
func (s *Setup) coarse() (rows []peers.Row) {
	const (
		workers = 2
		ideal   = "half of the sequential time"
		theirs  = "rayon's ideal"
	)
	for _, leaf := range []struct {
		takes  time.Duration
		name   string
		leaves int
		limit  float64
	}{
		{10 * time.Microsecond, "10us", 4000, 1.3}, {100 * time.Microsecond, "100us", 1000, 1.1}, {time.Millisecond, "1ms", 100, 1.05},
	} {
		for shape, name := range []string{"fib", "chain-left", "chain-right"} {
			all := tree{shape, leaf.leaves / s.Coarse, int(float64(leaf.takes) * stepsPerNanosecond())}
			right := exactly(sequentially(tree{shape, all.leaves, all.steps}))
			what := fmt.Sprintf("leaves of %s, %s", leaf.name, name)
			rows = append(rows, peers.Row{
				Name:    fmt.Sprintf("coarse/leaf=%s/tree=%s", leaf.name, name),
				About:   fmt.Sprintf("%d leaves of some %s, %d workers, as a tree of joins: %s.", all.leaves, leaf.name, workers, name),
				Metrics: []string{perTree},
				Contestants: []peers.Contestant{
					{Name: ideal, Turn: on(workers, func() (peers.Figures, error) {
						return timed(perTree, workers, func() error { return right(sequentially(all)) })
					})},
					{Name: "rouse Fn.Join", Turn: inPool(workers, func(p *pool.Pool) (peers.Figures, error) {
						if err := run(p, func(w *pool.Worker) { coarseTree.Call(w, tree{shape, min(8, all.leaves), all.steps}) }); err != nil {
							return nil, err
						}
						return timed(perTree, 1, func() error {
							var got float64
							if err := run(p, func(w *pool.Worker) { got = float64(coarseTree.Call(w, all) >> 11) }); err != nil {
								return err
							}
							return right(got)
						})
					})},
					s.Rayon.turn(theirs, right, perTree, workers, "coarse", 0, shape, all.leaves, all.steps),
					s.Rayon.turn("rayon", right, perTree, 1, "coarse", workers, shape, all.leaves, all.steps),
				},
				Bounds: []peers.Bound{
					{What: what, Of: "rouse Fn.Join", Metric: perTree, Over: []string{ideal}, Limit: leaf.limit},
				},
			})
		}
	}
	return rows
}

var coarseTree = pool.NewFn(func(coarse *pool.Fn[tree, uint64], w *pool.Worker, t tree) uint64 {
	if t.leaves == 1 {
		return compute(t.steps)
	}
	left, right := t.split()
	a, b := coarse.Join(w, left, right)
	return a + b
})

// split returns both halves of a tree with more leaves than one.
func (t tree) split() (left, right tree) {
	left, right = t, t
	switch t.shape {
	case golden:
		left.leaves = max(1, t.leaves*618/1000)
	case leftDeep:
		left.leaves = t.leaves - 1
	case rightDeep:
		left.leaves = 1
	}
	right.leaves = t.leaves - left.leaves
	return left, right
}

// sequentially computes the leaves of a tree, one after the other. It cuts off the bits that a
// float64 cannot hold.
func sequentially(t tree) float64 {
	sum := uint64(0)
	for range t.leaves {
		sum += compute(t.steps)
	}
	return float64(sum >> 11)
}

// compute runs steps steps of Marsaglia's xorshift64: each waits for the one before.
func compute(steps int) uint64 {
	x := uint64(88172645463325252)
	for range steps {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

// stepsPerNanosecond measures the speed of compute, the fastest of several times.
var stepsPerNanosecond = sync.OnceValue(func() float64 {
	const steps = 100_000
	best, want := time.Duration(1<<63-1), compute(steps)
	for range 20 {
		start := time.Now()
		if compute(steps) != want {
			panic("rows: the same steps led elsewhere")
		}
		best = min(best, time.Since(start))
	}
	return steps / float64(best)
})
