package stress

import (
	"time"

	hookstime "github.com/rouse-go/rouse/hooks/time"
	"github.com/rouse-go/rouse/pool"
)

// trickleWorkload is noop of rayon's demos: what a pool does that has next to nothing
// to do.
var trickleWorkload = Workload{
	Name:     "trickle",
	About:    "A trickle of small jobs (noop): an outsider posts one, sleeps for just the pause, and posts the next, so that each meets a pool that has come to rest.",
	Uses:     []string{"jobs", "pause"},
	defaults: Sizes{Jobs: 100, Pause: 10 * time.Millisecond}, // as noop's
	small:    Sizes{Jobs: 2, Pause: 10 * time.Millisecond},   // virtual: it passes when nobody can go on
	run: func(x *execution) {
		p := x.newPool(x.workers)
		x.trickle(p.Go)
		x.finish(p)
	},
}

// trickle posts jobs with that function.
func (x *execution) trickle(post func(f func(w *pool.Worker)) error) {
	jobs := x.jobs.open("outsider", x.sizes.Jobs)
	for i := range jobs {
		e := &jobs[i]
		if err := post(func(*pool.Worker) { e.ran() }); err != nil {
			x.convict(WrongResult, "%s: Go: %v", e.name, err)
		}
		hookstime.Sleep(x.sizes.Pause)
		x.sample()
	}
}
