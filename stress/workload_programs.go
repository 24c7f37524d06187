package stress

import (
	"fmt"

	"github.com/rouse-go/rouse/internal/forkjoin"
	"github.com/rouse-go/rouse/pool"
)

// programWorkload: what no other workload has thought of.
var programWorkload = Workload{
	Name:     "programs",
	About:    "Random fork-join programs of that many nodes (jobs) at most, made from the execution's seed, each in two pools that run into each other: joins, scopes, loops, futures, broadcasts, panics, jobs that block, wait isolated, or are nobody's. Each node runs once, each wait is as long as it should be, and all comes to what the program means without a pool.",
	Uses:     []string{"jobs", "repeat", "pause"},
	defaults: Sizes{Jobs: 60, Repeat: 2, Pause: defaultPause},
	small:    Sizes{Jobs: 5, Repeat: 1},
	bound:    Sizes{Jobs: maxBlocked},
	boundWhy: "may have all nodes block at once, and a pool has no more spare workers",
	spares:   func(s Sizes) int { return s.Jobs },
	run: func(x *execution) {
		x.programs(func(n *forkjoin.Node) *forkjoin.Node { return n })
	},
}

// programs runs programs, and compares them with what others mean.
func (x *execution) programs(meant func(n *forkjoin.Node) *forkjoin.Node) {
	r := x.rand("programs")
	for range x.sizes.Repeat {
		root := forkjoin.Grow(r, 1+r.IntN(x.sizes.Jobs))
		jobs := x.jobs.open(fmt.Sprint("program ", root), 1)
		pools := [2]*pool.Pool{x.newPool(x.workers), x.newPool(1 + r.IntN(x.workers))}
		x.pause(r)
		e := forkjoin.New(root, meant(root), pools)
		e.Run()
		jobs[0].ran()
		x.close(pools[1])
		x.finish(pools[0])
		if wrong := e.Wrong(); wrong != "" {
			x.convict(WrongResult, "%s, in %v", wrong, root)
		}
	}
}
