package pool

import (
	"fmt"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/pool"
)

// maxBlocked is how many jobs may block at a time: a pool has no more spare workers.
const maxBlocked = 64

// blockingWorkload: a worker that blocks is replaced by a spare one, and its jobs can be stolen.
var blockingWorkload = workload{
	name:     "blocking",
	about:    "Jobs that block (Worker.Blocking): each leaves a job in its deque, and blocks until that has run, which another has to do, and until all others have begun, for which there have to be as many spare workers.",
	uses:     []string{"jobs", "repeat", "pause"},
	defaults: sizes{jobs: 6, repeat: 4, pause: defaultPause},
	small:    sizes{jobs: 2, repeat: 1},
	bound:    sizes{jobs: maxBlocked},
	boundWhy: "has them all block at once, and a pool has no more spare workers",
	spares:   func(s sizes) int { return s.jobs },
	run: func(x *execution) {
		p := x.newPool(x.workers)
		x.blocking(p, (*pool.Worker).Blocking)
		x.finish(p)
	},
}

func (x *execution) blocking(p *pool.Pool, block func(w *pool.Worker, f func())) {
	r := x.Rand("blocking")
	for i := range x.sizes.repeat {
		x.pause(r)
		jobs := x.open(fmt.Sprint("blockers ", i), 2*x.sizes.jobs) // each and the one that it leaves behind
		var m meeting
		m.expect(x.sizes.jobs)
		for j := range x.sizes.jobs {
			blocker, left := &jobs[2*j], &jobs[2*j+1]
			err := p.Go(func(w *pool.Worker) {
				var done sync.WaitGroup
				done.Add(1)
				w.Go(func(*pool.Worker) { left.ran(); done.Done() })
				block(w, func() {
					m.attend()
					done.Wait()
				})
				blocker.ran()
				m.over.Done()
			})
			if err != nil {
				x.Fail(verdict.WrongResult, "%s: Go: %v", blocker.name, err)
			}
		}
		m.over.Wait()
	}
}
