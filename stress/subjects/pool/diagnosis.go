package pool

import (
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/subject"
)

// A scene is the state of the pools of a stuck execution.
type scene struct {
	pools []poolScene
	unrun []string // the first jobs that have not run
	lost  int      // number of jobs that have not run
}

type poolScene struct {
	name  string
	state pool.State
}

// state returns a dump of all pools.
func (x *execution) state() string {
	var b strings.Builder
	for i, p := range x.scenes() {
		fmt.Fprintf(&b, "pool %d: %s", i, strings.TrimPrefix(p.state.String(), "pool: "))
	}
	return b.String()
}

// scenes returns the states of the pools, and of the workers without a pool.
func (x *execution) scenes() (all []poolScene) {
	for _, p := range x.pools() {
		all = append(all, poolScene{p.Name(), p.State()})
	}
	if l := x.latches.Load(); l != nil {
		all = append(all, poolScene{"", l.state()})
	}
	return all
}

// diagnose finds out why the pools make no progress. A broken counter of a pool in which nothing runs is
// the cause of all else.
func (x *execution) diagnose(stuck subject.Stuck) *subject.Diagnosis {
	s := scene{pools: x.scenes(), unrun: stuck.Unrun, lost: stuck.Lost}
	d := s.diagnose(stuck.Faults)
	if x.Controlled() || stuck.TimedOut {
		return d
	}
	for _, p := range s.pools {
		if wrong := stuckPool(p.state, x.Variant()); len(wrong) > 0 {
			d.Consequence = fmt.Sprintf("%s: %s", d.Verdict, d.Summary)
			d.Verdict, d.Summary = verdict.Invariant, wrong[0].Summary
			return d
		}
	}
	return d
}

// A victim is a worker, or a job, that waits for a notification that does not come.
type victim struct {
	what string // what waits, and for what, in words
	// worker is the sleeper's task name, "" if no worker in particular sleeps.
	worker string
	// posts are the hook points of the missing notifications.
	posts []string
}

// diagnose finds out why nothing runs. A worker that sleeps on a latch that is set, and a job that waits
// while all workers that could take it sleep, are lost wakeups. If all jobs that have not begun are in
// the deques of the workers that posted them, and others sleep, it is lost parallelism: the protocol
// promises no more than that the poster runs them. Anything else is a deadlock.
func (s scene) diagnose(faults []subject.Fired) *subject.Diagnosis {
	d := &subject.Diagnosis{Verdict: verdict.LostWakeup, Checks: checks}
	var victims []victim
	for _, p := range s.pools {
		victims = append(victims, s.victims(p.state, p.name)...)
		for _, w := range p.state.Workers {
			if w.Asleep {
				d.Sleepers = append(d.Sleepers, fmt.Sprintf("%s, on %s (%s)", w.Name, w.WaitsFor, w.Latch))
			}
		}
	}
	if len(victims) == 0 {
		victims = outsiders(faults)
	}
	if len(victims) == 0 {
		d.Verdict = verdict.LostParallelism
		for _, p := range s.pools {
			victims = append(victims, idleBesideWork(p.state)...)
		}
	}
	if len(victims) == 0 {
		d.Verdict, d.Summary = verdict.Deadlock, subject.Unexplained
		if s.allInUserCode() {
			d.Summary += "; all workers are in user code"
		}
		if s.lost > 0 {
			d.Summary += fmt.Sprintf("; %d jobs have not run: %s", s.lost, strings.Join(s.unrun, "; "))
		}
		return d
	}
	if len(d.Sleepers) == 0 {
		d.Sleepers = []string{"no worker: the waiter is an outsider"}
	}
	d.Summary, d.Sleeper, d.Posts = victims[0].what, victims[0].worker, victims[0].posts
	for _, v := range victims[1:] {
		d.Others = append(d.Others, v.what)
	}
	return d
}

// checks are the points at which a worker on its way to sleep checks whether it may, the last first.
var checks = []string{"sleep/tickle-sleep-wait", "sleep/final-check-post", "sleep/final-check-pre", "sleep/jec-check", "pool/idle-probe"}

// allInUserCode reports whether no worker of any pool waits or sleeps, or has ended.
func (s scene) allInUserCode() bool {
	n := 0
	for _, p := range s.pools {
		for _, w := range p.state.Workers {
			if w.WaitsFor != "" {
				return false
			}
			n++
		}
	}
	return n > 0
}

// idleBesideWork finds workers that sleep while a job waits for the worker that
// posted it, which is in user code.
func idleBesideWork(s pool.State) []victim {
	var asleep, busy []string
	jobs := 0
	for _, w := range s.Workers {
		switch {
		case w.Asleep && !w.Private && w.Jobs > 0: // it would have to run them itself
			return nil
		case w.Asleep && !w.Private:
			asleep = append(asleep, w.Name)
		case !w.Asleep && !w.Ended && w.WaitsFor == "" && w.Jobs > 0:
			busy = append(busy, w.Name)
			jobs += w.Jobs
		}
	}
	if len(asleep) == 0 || len(busy) == 0 {
		return nil
	}
	return []victim{{
		what: fmt.Sprintf("%s, while %s in user code, with %s in the deque that no worker takes",
			prose.Are(asleep, "sleeps", "sleep"), prose.Are(busy, "is", "are"), prose.Plural(jobs, "job")),
		worker: asleep[0],
		posts:  []string{"pool/push-pushed"},
	}}
}

// victims finds workers and jobs, in the named pool, that wait for a notification that does not come.
func (x scene) victims(s pool.State, name string) []victim {
	var victims []victim
	awake := 0 // workers that look for work
	for _, w := range s.Workers {
		switch {
		case w.WaitsFor != "" && !w.Ended && !w.Asleep:
			awake++
		case !w.Asleep:
		case w.Latch == sleep.Set:
			victims = append(victims, victim{
				what:   fmt.Sprintf("%s sleeps although its latch is set: it waits for %s", w.Name, w.WaitsFor),
				worker: w.Name,
				posts:  []string{"sleep/latch-set-swapped"},
			})
		case w.Broadcasts > 0:
			victims = append(victims, victim{
				what:   fmt.Sprintf("%s sleeps although a broadcast waits for it", w.Name),
				worker: w.Name,
				posts:  []string{"pool/bcast-push"},
			})
		}
	}
	if s.Injected > 0 && awake == 0 && !allBusy(s) {
		victims = append(victims, x.strandedJob(s, name))
	}
	for _, w := range s.Workers {
		if w.Notified {
			victims = append(victims, victim{
				what:   fmt.Sprintf("%s sleeps on, and counts as woken", w.Name),
				worker: w.Name,
				posts:  []string{"pool/inject-pushed", "pool/push-pushed"},
			})
		}
	}
	return victims
}

// allBusy reports whether no worker could be woken for an injected job, since no sleeping worker may take it, and some
// are in user code.
func allBusy(s pool.State) bool {
	busy := false
	for _, w := range s.Workers {
		if w.Asleep && !w.Private {
			return false
		}
		busy = busy || w.WaitsFor == ""
	}
	return busy
}

// strandedJob describes a job in the injector that no worker is awake to take.
func (x scene) strandedJob(s pool.State, name string) victim {
	v := victim{posts: []string{"pool/inject-pushed"}}
	var asleep, busy []string
	for _, w := range s.Workers {
		switch {
		case w.Asleep:
			asleep = append(asleep, w.Name)
		case !w.Ended:
			busy = append(busy, w.Name)
		}
	}
	v.what = fmt.Sprintf("job no. %d in the injector", s.FirstInjected+1)
	if name != "" {
		v.what += " of " + name
	}
	v.what += " is stranded"
	if len(asleep) > 0 {
		v.worker = asleep[0]
		v.what += ": " + prose.Are(asleep, "sleeps", "sleep")
	}
	if len(busy) > 0 {
		v.what += ", " + prose.Are(busy, "is in user code", "are in user code")
	}
	if x.lost > 0 {
		v.what += "; not run: " + strings.Join(x.unrun, "; ")
	}
	return v
}

// outsiders finds goroutines other than workers that wait for a latch whose
// notification was dropped. The pool does not know them; the plan does.
func outsiders(faults []subject.Fired) []victim {
	for _, f := range faults {
		if f.Point == "sleep/latch-lock-notify" && f.Kind == "drop" && f.Fires > 0 {
			return []victim{{
				what:  "an outsider waits for a run that is done: its latch is set, and it was not notified",
				posts: []string{"pool/job-done"},
			}}
		}
	}
	return nil
}
