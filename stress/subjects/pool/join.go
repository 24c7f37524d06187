package pool

import (
	"context"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/pool"
)

// joinWorkload is join-recursively of rayon's demos, with something to check.
var joinWorkload = workload{
	name:     "join",
	about:    "Join, recursively: 2^depth leaves, each of which runs once; the sum has to be right.",
	uses:     []string{"depth", "repeat", "pause"},
	defaults: sizes{depth: 7, repeat: 3, pause: defaultPause},
	small:    sizes{depth: 2, repeat: 1},
	bound:    sizes{depth: maxJoinDepth},
	boundWhy: "has 2^depth leaves",
	run: func(x *execution) {
		p := x.newPool(x.workers)
		r := x.Rand("join")
		for range x.sizes.repeat {
			x.pause(r)
			x.joinAll(p, joinLeaves)
		}
		x.finish(p)
		x.report(closedStats(p.Stats(), x.sizes.repeat*(1<<x.sizes.depth-1), 0))
	},
}

// joinAll counts the leaves by calling count.
func (x *execution) joinAll(p *pool.Pool, count func(w *pool.Worker, leaves []entry) int) {
	leaves := x.open("join", 1<<x.sizes.depth)
	sum := 0
	err := p.Run(context.Background(), func(w *pool.Worker) error {
		sum = count(w, leaves)
		return nil
	})
	if err != nil {
		x.Fail(verdict.WrongResult, "Run: %v", err)
	}
	if want := len(leaves); sum != want {
		x.Fail(verdict.WrongResult, "join-recursively counted %d leaves, there are %d", sum, want)
	}
}

// joinLeaves runs every leaf and returns their number.
func joinLeaves(w *pool.Worker, leaves []entry) int {
	if len(leaves) == 1 {
		leaves[0].ran()
		return 1
	}
	var left, right int
	mid := len(leaves) / 2
	w.Join(
		func(w *pool.Worker) { left = joinLeaves(w, leaves[:mid]) },
		func(w *pool.Worker) { right = joinLeaves(w, leaves[mid:]) },
	)
	return left + right
}
