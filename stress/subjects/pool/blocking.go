package pool

import (
	"fmt"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/hooks/time"
	"github.com/rouse-go/rouse/pool"
)

// maxBlocked is the maximum number of jobs that block at a time: a pool has no more spare workers.
const maxBlocked = 64

// blockingWorkload: a worker that blocks is replaced by a spare one, and its jobs can be stolen.
var blockingWorkload = workload{
	name:     "blocking",
	about:    "Jobs that block (Worker.Blocking): each leaves a job in its deque, and blocks until that has run, which another has to do, and until all others have begun, for which there have to be as many spare workers. The next jobs need the spares again: those at rest, or, under control, where a pause takes no time, those whose goroutines have ended, or end at that moment.",
	uses:     []string{"jobs", "repeat", "pause"},
	defaults: sizes{jobs: 6, repeat: 4, pause: defaultPause},
	small:    sizes{jobs: 2, repeat: 3}, // more blockers than there may be spares
	bound:    sizes{jobs: maxBlocked},
	boundWhy: "has them all block at once, and a pool has no more spare workers",
	spares:   sparesOfBlockers,
	run: func(x *execution) {
		l := lives{alive: map[int]int{}}
		p := x.newPool(x.workers, pool.WithSpares(sparesOfBlockers(x.sizes)),
			pool.WithStartHandler(func(w *pool.Worker) error { l.start(x, w); return nil }),
			pool.WithExitHandler(func(w *pool.Worker) { l.exit(x, w) }))
		x.blocking(p, (*pool.Worker).Blocking)
		x.finish(p)
		l.judge(x)
		x.spared(p.Stats())
	},
}

// restOfSpares is how long an idle spare keeps its goroutine.
const restOfSpares = time.Second

// blocking runs jobs that block by calling block.
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
		if x.Controlled() {
			time.Sleep(time.Duration(r.IntN(4)) * restOfSpares)
		}
	}
}

// sparesOfBlockers returns three spares for each job that blocks at a time: those of the last round may not be back
// yet, and those of the one before may be about to end.
func sparesOfBlockers(s sizes) int { return min(3*s.jobs, maxBlocked) }

// spared checks how often spares were used: for each job that blocks, one was used or missing.
func (x *execution) spared(s pool.Stats) {
	if got, want := s.Spares+s.SparesMissing, uint64(x.sizes.jobs*x.sizes.repeat); got != want {
		x.Fail(verdict.WrongResult, "spares were used %d times, and missing %d times, want %d together", s.Spares, s.SparesMissing, want)
	}
}
