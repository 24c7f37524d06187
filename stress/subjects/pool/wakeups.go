package pool

import (
	"context"
	"fmt"
	"strings"
	stdatomic "sync/atomic" // of the oracle, which no engine is to see

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/channel"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/hooks/time"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
	"github.com/rouse-go/rouse/stress/subject"
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

// meetWorkload: injected work wakes as many workers as it needs. As many jobs as there are workers wait for
// each other, so that a worker that is not woken is a deadlock.
var meetWorkload = workload{
	name:     "meet",
	about:    "Jobs that must meet: as many as there are workers are posted from outside, each waits until all have begun, and so every worker has to be woken.",
	uses:     []string{"repeat", "pause"},
	defaults: sizes{repeat: 4, pause: defaultPause},
	small:    sizes{repeat: 1},
	run: func(x *execution) {
		p := x.newPool(x.workers)
		r := x.Rand("meet")
		for i := range x.sizes.repeat {
			x.pause(r)
			x.meet(i, p.Go)
		}
		x.finish(p)
	},
}

// meet posts as many jobs as there are workers, by calling post, and waits until they have met.
func (x *execution) meet(number int, post func(f func(w *pool.Worker)) error) {
	jobs := x.open(fmt.Sprint("meeting ", number), x.workers)
	var m meeting
	m.expect(x.workers)
	for j := range jobs {
		e := &jobs[j]
		if err := post(func(*pool.Worker) { m.attend(); e.ran(); m.over.Done() }); err != nil {
			x.Fail(verdict.WrongResult, "%s: Go: %v", e.name, err)
		}
	}
	m.over.Wait()
}

// meetInsideWorkload is like meetWorkload, with work that a worker forks. For that the protocol promises less: with
// a jobs event counter that rolls over, a worker may sleep on.
var meetInsideWorkload = workload{
	name:     "meet-inside",
	about:    "Jobs that must meet, forked by one of them: it posts the others to its own deque, from where idle workers steal them, and waits for them without helping.",
	uses:     []string{"repeat", "pause"},
	defaults: sizes{repeat: 4, pause: defaultPause},
	small:    sizes{repeat: 1},
	run: func(x *execution) {
		p := x.newPool(x.workers)
		r := x.Rand("meet-inside")
		for i := range x.sizes.repeat {
			x.pause(r)
			jobs := x.open(fmt.Sprint("meeting ", i), x.workers)
			var m meeting
			m.expect(x.workers)
			attend := func(e *entry) { m.attend(); e.ran(); m.over.Done() }
			err := p.Run(context.Background(), func(w *pool.Worker) error {
				for j := range jobs[1:] {
					e := &jobs[1+j]
					w.Go(func(*pool.Worker) { attend(e) })
				}
				attend(&jobs[0])
				return nil
			})
			if err != nil {
				x.Fail(verdict.WrongResult, "%s: Run: %v", jobs[0].name, err)
			}
			m.over.Wait()
		}
		x.finish(p)
	},
}

// A meeting is over when all expected jobs have come and gone.
type meeting struct{ begun, over sync.WaitGroup }

func (m *meeting) expect(n int) {
	m.begun.Add(n)
	m.over.Add(n)
}

// attend waits until all expected jobs have come.
func (m *meeting) attend() {
	m.begun.Done()
	m.begun.Wait()
}

// leaversWorkload is the only one that tests whether a worker that stops searching because its latch is
// set (a leaver) wakes another in its place, and the only one in which a JEC that rolls over can strand a
// job.
//
// Worker 0 waits, idle, for a run in a second pool. When all workers are idle a
// job is posted from outside; some time later the run ends, and worker 0 leaves
// for user code, where it stays until the job has run. The others have to run it.
var leaversWorkload = workload{
	name:     "leavers",
	about:    "Worker 0 waits for a run in another pool, and leaves for good when that ends; a job posted while it seemed to be looking for work must not be stranded. The job is posted one pause after all are idle, the leaver's run ends three pauses later.",
	uses:     []string{"repeat", "pause"},
	defaults: sizes{repeat: 3, pause: defaultPause},
	small:    sizes{repeat: 1},
	least:    2,
	run: func(x *execution) {
		p, other := x.newPool(x.workers), x.newPool(1)
		for range x.sizes.repeat {
			x.leave(p, other)
		}
		x.close(other)
		x.finish(p)
	},
}

// leave runs one leaver and one job.
func (x *execution) leave(p, other *pool.Pool) {
	end, ran := make(chan struct{}), make(chan struct{})
	var begun atomic.Bool // the run in the other pool
	jobs := x.open("outsider", 2)
	left := x.onOneWorker(p, func(w *pool.Worker) {
		err := w.Run(other, func(*pool.Worker) error {
			begun.Store(true)
			channel.Receive(end)
			jobs[0].ran()
			return nil
		})
		if err != nil {
			x.Fail(verdict.WrongResult, "%s: Worker.Run: %v", jobs[0].name, err)
		}
		channel.Receive(ran) // user code: the worker no longer looks for work
	})
	x.until(func() bool { return begun.Load() && p.Counters().Inactive == p.Workers() })
	x.wait(x.sizes.pause)
	if err := p.Go(func(*pool.Worker) { jobs[1].ran(); channel.Close(ran) }); err != nil {
		x.Fail(verdict.WrongResult, "%s: Go: %v", jobs[1].name, err)
	}
	x.wait(3 * x.sizes.pause)
	channel.Close(end)
	left.Wait()
}

// onOneWorker starts f on worker 0, so that plans can name it. Under control, where
// the schedule matters, it starts f on whichever worker comes first.
func (x *execution) onOneWorker(p *pool.Pool, f func(w *pool.Worker)) *subject.Crew {
	done := new(subject.Crew)
	if x.Controlled() {
		done.Add(1)
		if err := p.Go(func(w *pool.Worker) { defer done.Done(); f(w) }); err != nil {
			x.Fail(verdict.WrongResult, "Go: %v", err)
		}
		return done
	}
	done.Start("caller of the leaver", func() {
		err := p.Broadcast(context.Background(), func(w *pool.Worker) {
			if w.Index() == 0 {
				f(w)
			}
		})
		if err != nil {
			x.Fail(verdict.WrongResult, "Broadcast: %v", err)
		}
	})
	return done
}

// wait sleeps, unless there is no pause: under control a sleep of no length would
// still let all others go first.
func (x *execution) wait(d time.Duration) {
	if d > 0 {
		time.Sleep(d)
	}
}
