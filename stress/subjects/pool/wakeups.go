package pool

import (
	"strings"
	stdatomic "sync/atomic" // of the oracle, which no engine is to see

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
)

// wakeupsWorkload: the waker counts a sleeper as awake before the sleeper runs. If it did not, the next
// post would take the sleeper for one that must still be woken, and wake it again.
var wakeupsWorkload = workload{
	name: "wakeups",
	about: "An outsider posts one job after the other (jobs), each to a pool of which all workers sleep, if they do so in time: when the post returns, " +
		"and as long as the job is not done, one of them at least does not count as asleep any more. Some jobs keep their worker until the next has run, which is posted " +
		"when all other workers sleep: nothing but its notification can bring one of them.",
	uses:     []string{"jobs", "pause"},
	defaults: sizes{jobs: 20, pause: defaultPause},
	small:    sizes{jobs: 2},
	run: func(x *execution) {
		p := x.newPool(x.workers)
		x.wakeups(p, p.Go, p.Counters)
		x.finish(p)
	},
}

// wakeups posts jobs with post, and counts sleepers with counters.
func (x *execution) wakeups(p *pool.Pool, post func(f func(w *pool.Worker)) error, counters func() sleep.Counters) {
	r := x.Rand("wakeups")
	jobs := x.open("outsider", x.sizes.jobs)
	asleep := func(n int) func() bool { return func() bool { return counters().Sleeping == n } }
	all := asleep(p.Workers())
	for i := 0; i < len(jobs); i++ {
		x.pause(r)
		slept := x.bestEffort(all)
		if x.countsItself() { // RFC 5 loses a job that counts on a worker about to sleep
			x.until(func() bool { return haveRun(jobs[:i]) && all() })
		}
		var begun stdatomic.Bool
		var released sync.WaitGroup // until then the job keeps its worker
		released.Add(1)
		x.wake(&jobs[i], post, func() { begun.Store(true); released.Wait() })
		if slept && all() && !x.countsItself() {
			x.Fail(verdict.Invariant, "%s: it has been posted and has not run, and by the counters all %d workers sleep", jobs[i].name, p.Workers())
		}
		others := asleep(p.Workers() - 1)
		if p.Workers() > 1 && i+1 < len(jobs) && r.IntN(2) == 0 && x.bestEffort(func() bool { return begun.Load() && others() }) {
			i++
			x.wake(&jobs[i], post, released.Done)
		} else {
			released.Done()
		}
	}
}

func haveRun(jobs []entry) bool {
	for i := range jobs {
		if jobs[i].runs.Load() == 0 {
			return false
		}
	}
	return true
}

// wake posts a job that calls before before it has run.
func (x *execution) wake(e *entry, post func(f func(w *pool.Worker)) error, before func()) {
	if err := post(func(*pool.Worker) { before(); e.ran() }); err != nil {
		x.Fail(verdict.WrongResult, "%s: Go: %v", e.name, err)
	}
}

// countsItself reports whether only the sleeper counts itself as awake, as in RFC 5.
func (x *execution) countsItself() bool { return strings.HasPrefix(x.Variant(), "rfc5") }
