package pool

import (
	"strings"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
)

// wakeupsWorkload: the waker counts a sleeper as awake, before the sleeper runs. If it did not, the next
// post would take the sleeper for one that is still to be woken, and wake it again.
var wakeupsWorkload = workload{
	name: "wakeups",
	about: "An outsider posts one job after the other (jobs), each to a pool of which all workers sleep, if they do so in time: when the post returns, " +
		"and as long as the job is not done, one of them at least does not count as asleep any more.",
	uses:     []string{"jobs", "pause"},
	defaults: sizes{jobs: 20, pause: defaultPause},
	small:    sizes{jobs: 2},
	run: func(x *execution) {
		p := x.newPool(x.workers)
		x.wakeups(p, p.Go, p.Counters)
		x.finish(p)
	},
}

// wakeups posts jobs with one function, and counts sleepers with the other.
func (x *execution) wakeups(p *pool.Pool, post func(f func(w *pool.Worker)) error, counters func() sleep.Counters) {
	r := x.Rand("wakeups")
	jobs := x.open("outsider", x.sizes.jobs)
	asleep := func() bool { return counters().Sleeping == p.Workers() }
	for i := range jobs {
		x.pause(r)
		all := x.bestEffort(asleep)
		var looked sync.WaitGroup // at the counters: until then the job keeps its worker
		looked.Add(1)
		e := &jobs[i]
		if err := post(func(*pool.Worker) { looked.Wait(); e.ran() }); err != nil {
			x.Fail(verdict.WrongResult, "%s: Go: %v", e.name, err)
		}
		if all && asleep() && !x.countsItself() {
			x.Fail(verdict.Invariant, "%s: it has been posted and has not run, and by the counters all %d workers sleep", e.name, p.Workers())
		}
		looked.Done()
	}
}

// countsItself reports whether only the sleeper itself counts itself as awake: RFC 5's does.
func (x *execution) countsItself() bool { return strings.HasPrefix(x.Variant(), "rfc5") }
