package pool

import (
	"runtime"

	"github.com/rouse-go/rouse/pool"
)

// crowdProcessors is the number of processors of a crowd, whatever the machine has.
const crowdProcessors = 2

// crowdWorkload: with more workers than processors, one that is preempted stays so while all
// others take their turns, at whatever step of a protocol that happens.
var crowdWorkload = workload{
	name:     "crowd",
	about:    "Oversubscription: all workers of a large pool share two processors (under control there is one anyway). In turns they have to meet, which needs every one of them awake, and join 2^depth leaves.",
	uses:     []string{"depth", "repeat", "pause"},
	defaults: sizes{depth: 7, repeat: 2, pause: defaultPause},
	small:    sizes{depth: 2, repeat: 1},
	bound:    sizes{depth: maxJoinDepth},
	boundWhy: "has 2^depth leaves",
	run: func(x *execution) {
		if before := runtime.GOMAXPROCS(0); !x.Controlled() && before > crowdProcessors {
			runtime.GOMAXPROCS(crowdProcessors)
			defer runtime.GOMAXPROCS(before)
		}
		p := x.newPool(x.workers)
		x.crowd(p, p.Go, joinLeaves)
		x.finish(p)
	},
}

func (x *execution) crowd(p *pool.Pool, post func(f func(w *pool.Worker)) error, count func(w *pool.Worker, leaves []entry) int) {
	r := x.Rand("crowd")
	for i := range x.sizes.repeat {
		x.pause(r)
		x.meet(i, post)
		x.joinAll(p, count)
	}
}
