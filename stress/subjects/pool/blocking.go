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
	about:    "Jobs that block (Worker.Blocking): each leaves a job in its deque, and blocks until that has run, which another has to do, and until all others have begun, for which there have to be as many spare workers. The next jobs block when those spares have ended, and so need them again.",
	uses:     []string{"jobs", "repeat", "pause"},
	defaults: sizes{jobs: 6, repeat: 4, pause: defaultPause},
	small:    sizes{jobs: 2, repeat: 2},
	bound:    sizes{jobs: maxBlocked},
	boundWhy: "has them all block at once, and a pool has no more spare workers",
	spares:   sparesOfBlockers,
	run: func(x *execution) {
		p := x.newPool(x.workers, pool.WithSpares(sparesOfBlockers(x.sizes)))
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
		x.until(func() bool { return sparesEnded(p) })
	}
}

// sparesOfBlockers is two for each job that blocks at a time: those of the last round may not be back yet. All
// rounds together need more.
func sparesOfBlockers(s sizes) int { return min(2*s.jobs, maxBlocked) }

// sparesEnded reports whether no spare of the pool is at work.
func sparesEnded(p *pool.Pool) bool { return len(p.State().Workers) == p.Workers() }
