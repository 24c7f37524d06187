package stress

import (
	"fmt"

	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/pool"
)

// maxBlocked is how many jobs may block at a time: a pool has no more spare workers.
const maxBlocked = 64

// blockingWorkload: who blocks leaves the pool a spare worker, and its jobs to all.
var blockingWorkload = Workload{
	Name:     "blocking",
	About:    "Jobs that block (Worker.Blocking): each leaves a job in its deque, and blocks until that has run, which another has to do, and until all others have begun, for which there have to be as many spare workers.",
	Uses:     []string{"jobs", "repeat", "pause"},
	defaults: Sizes{Jobs: 6, Repeat: 4, Pause: defaultPause},
	small:    Sizes{Jobs: 2, Repeat: 1},
	bound:    Sizes{Jobs: maxBlocked},
	boundWhy: "has them all block at once, and a pool has no more spare workers",
	spares:   func(s Sizes) int { return s.Jobs },
	run: func(x *execution) {
		p := x.newPool(x.workers)
		x.blocking(p, (*pool.Worker).Blocking)
		x.finish(p)
	},
}

func (x *execution) blocking(p *pool.Pool, block func(w *pool.Worker, f func())) {
	r := x.rand("blocking")
	for i := range x.sizes.Repeat {
		x.pause(r)
		jobs := x.jobs.open(fmt.Sprint("blockers ", i), 2*x.sizes.Jobs) // each and the one that it leaves behind
		var m meeting
		m.expect(x.sizes.Jobs)
		for j := range x.sizes.Jobs {
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
				x.convict(WrongResult, "%s: Go: %v", blocker.name, err)
			}
		}
		m.over.Wait()
	}
}
