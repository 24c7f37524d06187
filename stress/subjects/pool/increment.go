package pool

import (
	"context"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/pool"
)

// incrementWorkload writes to memory that no worker owns. The elements are plain, so that the race
// detector sees two jobs with the same element, and a loop whose end does not publish the writes of its
// leaves.
var incrementWorkload = workload{
	name:     "increment-all",
	about:    "Increment all: each round adds one to each element of an array of that many (jobs), in leaves of no more elements than that; each element has to come to the number of rounds.",
	uses:     []string{"jobs", "leaf", "repeat", "pause"},
	defaults: sizes{jobs: 4096, leaf: 64, repeat: 3, pause: defaultPause},
	small:    sizes{jobs: 4, leaf: 1, repeat: 1},
	run: func(x *execution) {
		p := x.newPool(x.workers)
		x.incrementAll(p, pool.ForRange)
		x.finish(p)
	},
}

// A rangeLoop is pool.ForRange.
type rangeLoop func(w *pool.Worker, n int, body func(w *pool.Worker, lo, hi int), opts ...pool.LoopOption)

func (x *execution) incrementAll(p *pool.Pool, loop rangeLoop) {
	r := x.Rand("increment-all")
	elements := make([]int, x.sizes.jobs)
	for round := range x.sizes.repeat {
		x.pause(r)
		err := p.Run(context.Background(), func(w *pool.Worker) error {
			loop(w, len(elements), func(_ *pool.Worker, lo, hi int) {
				if n := hi - lo; n > x.sizes.leaf {
					x.Fail(verdict.WrongResult, "a leaf has %d elements, want at most %d", n, x.sizes.leaf)
				}
				for i := range elements[lo:hi] {
					elements[lo+i]++
				}
			}, pool.MaxLen(x.sizes.leaf))
			return nil
		})
		if err != nil {
			x.Fail(verdict.WrongResult, "Run: %v", err)
		}
		for i, n := range elements {
			switch want := round + 1; {
			case n < want:
				x.Fail(verdict.LostTask, "element %d of %d was incremented %d times in %d rounds", i, len(elements), n, want)
				return
			case n > want:
				x.Fail(verdict.DuplicateTask, "element %d of %d was incremented %d times in %d rounds", i, len(elements), n, want)
				return
			}
		}
	}
}
