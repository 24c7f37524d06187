package pool

import (
	"fmt"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/forkjoin"
	"github.com/rouse-go/rouse/pool"
)

// programWorkload covers combinations that no other workload has.
var programWorkload = workload{
	name:     "programs",
	about:    "Random fork-join programs of that many nodes (jobs) at most, made from the execution's seed, each in two pools that run into each other: joins, scopes, loops, futures, broadcasts, panics, jobs that block, wait isolated, or are nobody's. Each node runs once, each wait is as long as it should be, and all comes to what the program means without a pool.",
	uses:     []string{"jobs", "repeat", "pause"},
	defaults: sizes{jobs: 60, repeat: 2, pause: defaultPause},
	small:    sizes{jobs: 5, repeat: 1},
	bound:    sizes{jobs: maxBlocked},
	boundWhy: "may have all nodes block at once, and a pool has no more spare workers",
	spares:   func(s sizes) int { return s.jobs },
	run: func(x *execution) {
		x.programs(func(n *forkjoin.Node) *forkjoin.Node { return n })
	},
}

// programs runs programs, and compares them with those that meant returns.
func (x *execution) programs(meant func(n *forkjoin.Node) *forkjoin.Node) {
	r := x.Rand("programs")
	for range x.sizes.repeat {
		root := forkjoin.Grow(r, 1+r.IntN(x.sizes.jobs))
		jobs := x.open(fmt.Sprint("program ", root), 1)
		pools := [2]*pool.Pool{x.newPool(x.workers), x.newPool(1 + r.IntN(x.workers))}
		x.pause(r)
		e := forkjoin.New(root, meant(root), pools)
		e.Run()
		jobs[0].ran()
		x.close(pools[1])
		x.finish(pools[0])
		if wrong := e.Wrong(); wrong != "" {
			x.Fail(verdict.WrongResult, "%s, in %v", wrong, root)
		}
	}
}
