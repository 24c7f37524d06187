package pool

import (
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	hookstime "github.com/rouse-go/rouse/hooks/time"
	"github.com/rouse-go/rouse/pool"
)

// trickleWorkload is noop of rayon's demos: a pool that has next to nothing
// to do.
var trickleWorkload = workload{
	name:     "trickle",
	about:    "A trickle of small jobs (noop): an outsider posts one, sleeps for just the pause, and posts the next, so that each meets a pool that has come to rest.",
	uses:     []string{"jobs", "pause"},
	defaults: sizes{jobs: 100, pause: 10 * time.Millisecond}, // as noop's
	small:    sizes{jobs: 2, pause: 10 * time.Millisecond},   // virtual: it passes when no task can continue
	run: func(x *execution) {
		p := x.newPool(x.workers)
		x.trickle(p.Go)
		x.finish(p)
	},
}

// trickle posts jobs by calling post.
func (x *execution) trickle(post func(f func(w *pool.Worker)) error) {
	jobs := x.open("outsider", x.sizes.jobs)
	for i := range jobs {
		e := &jobs[i]
		if err := post(func(*pool.Worker) { e.ran() }); err != nil {
			x.Fail(verdict.WrongResult, "%s: Go: %v", e.name, err)
		}
		hookstime.Sleep(x.sizes.pause)
		x.sample()
	}
}
