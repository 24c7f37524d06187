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
	small:    sizes{jobs: 2, repeat: 3}, // more blockers than there may be spares
	bound:    sizes{jobs: maxBlocked},
	boundWhy: "has them all block at once, and a pool has no more spare workers",
	spares:   sparesOfBlockers,
	run: func(x *execution) {
		ended := newSpareEnds()
		p := x.newPool(x.workers, pool.WithSpares(sparesOfBlockers(x.sizes)), pool.WithExitHandler(ended.exit))
		x.blocking(p, ended, (*pool.Worker).Blocking)
		x.finish(p)
	},
}

// blocking has jobs block with that function. Between rounds it waits for the ends of spares, unless that is nil.
func (x *execution) blocking(p *pool.Pool, ended *spareEnds, block func(w *pool.Worker, f func())) {
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
		if ended != nil {
			ended.wait(p)
		}
	}
}

// sparesOfBlockers is two for each job that blocks at a time: those of the last round may not be back yet. All
// rounds together need more.
func sparesOfBlockers(s sizes) int { return min(2*s.jobs, maxBlocked) }

// spareEnds counts the goroutines of spares that have ended. Its wait is no poll: a spare that is not notified of
// its end leaves the execution stuck, which says more than a livelock.
type spareEnds struct {
	mu    sync.Mutex
	moved *sync.Cond
	ended uint64
}

func newSpareEnds() *spareEnds {
	e := new(spareEnds)
	e.moved = sync.NewCond(&e.mu)
	return e
}

// exit is the pool's exit handler.
func (e *spareEnds) exit(w *pool.Worker) {
	if w.Index() < w.Pool().Workers() {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ended++
	e.moved.Broadcast()
}

// wait waits until as many have ended as have started: all jobs that block are over.
func (e *spareEnds) wait(p *pool.Pool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for e.ended < p.Stats().Spares {
		e.moved.Wait()
	}
}
