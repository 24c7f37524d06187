package stress

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
)

// A scene is what the pools of an execution are like that does not go on.
type scene struct {
	pools []poolScene
	unrun []string // the first jobs that have not run
	lost  int      // how many there are
	blind bool     // nobody could look: somebody holds a lock

	// Of another subject than the pool.
	guest bool
	state string
	stuck *Standstill
	// others wait in vain, and sleep, in a subject that is no pool.
	others   []victim
	sleepers []string
}

type poolScene struct {
	name  string
	state pool.State
}

// scene looks at the pools, which should stand still.
func (x *execution) scene() (s scene) {
	for _, p := range x.subjects() {
		s.pools = append(s.pools, poolScene{p.Name(), p.State()})
	}
	if b := x.burst.Load(); b != nil {
		s.others, s.sleepers = b.victims()
	}
	s.unrun, s.lost = x.jobs.unrun()
	s.lookAt(&x.guest)
	return s
}

// String is the dump of all pools.
func (s scene) String() string {
	if s.guest {
		return s.state
	}
	if s.blind {
		return "the pools could not be looked at: somebody holds a lock"
	}
	var b strings.Builder
	for i, p := range s.pools {
		fmt.Fprintf(&b, "pool %d: %s", i, strings.TrimPrefix(p.state.String(), "pool: "))
	}
	return b.String()
}

// A diagnosis says why an execution does not go on.
type diagnosis struct {
	verdict  Verdict
	summary  string
	victims  []victim
	sleepers []string
	faults   []FaultCount
	guest    *victim // of another subject than the pool
}

// A victim is a worker, or a job, that waits for a notification which does not
// come.
type victim struct {
	what string // who waits, and what for, in words
	// worker is the sleeper's task name, "" if no worker in particular sleeps.
	worker string
	// posts are the hook points that mark what the notification was to tell of.
	posts []string
}

// diagnose finds out why the pools stand still. A worker that sleeps on a latch which
// is set, and a job that waits while all who could take it sleep, are lost wakeups.
// If all that nobody has begun is in the deques of workers that have posted it
// themselves, and others sleep, it is lost parallelism: of such work the protocol
// promises no more than that its poster comes to it. If nothing is found it is some
// other deadlock.
func (s scene) diagnose(faults []FaultCount) diagnosis {
	if s.guest {
		return s.guestDiagnosis(faults)
	}
	d := diagnosis{faults: faults, victims: slices.Clone(s.others), sleepers: slices.Clone(s.sleepers)}
	for _, p := range s.pools {
		d.victims = append(d.victims, s.victims(p.state, p.name)...)
		for _, w := range p.state.Workers {
			if w.Asleep {
				d.sleepers = append(d.sleepers, fmt.Sprintf("%s, on %s (%s)", w.Name, w.WaitsFor, w.Latch))
			}
		}
	}
	if len(d.victims) == 0 {
		d.victims = outsiders(faults)
	}
	d.verdict = LostWakeup
	if len(d.victims) == 0 {
		d.verdict = LostParallelism
		for _, p := range s.pools {
			d.victims = append(d.victims, idleBesideWork(p.state)...)
		}
	}
	if len(d.victims) == 0 {
		d.verdict, d.summary = Deadlock, "all goroutines are blocked, and no missing notification explains it"
		if s.allInUserCode() {
			d.summary += "; all workers are in user code"
		}
		if s.lost > 0 {
			d.summary += fmt.Sprintf("; %d jobs have not run: %s", s.lost, strings.Join(s.unrun, "; "))
		}
		return d
	}
	d.summary = d.victims[0].what
	return d
}

// allInUserCode: no worker of any pool waits or sleeps, or has ended.
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

// idleBesideWork finds workers that sleep while a job waits for the worker that has
// posted it, and that is in user code.
func idleBesideWork(s pool.State) []victim {
	var asleep, busy []string
	jobs := 0
	for _, w := range s.Workers {
		switch {
		case w.Asleep && !w.Private && w.Jobs > 0: // it would have to come to them itself
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
		what: fmt.Sprintf("%s, while %s in user code, with %s in the deque that nobody takes",
			are(asleep, "sleeps", "sleep"), are(busy, "is", "are"), plural(jobs, "job")),
		worker: asleep[0],
		posts:  []string{"pool/push-pushed"},
	}}
}

// explain says in a few lines how that came about, as far as it is on record; why is what the
// events of a controlled execution show of the sleeper.
func (d diagnosis) explain(t tale, why explain.Wakeup) (lines []string) {
	if d.guest != nil {
		if lines := why.Lines(); len(lines) > 0 {
			return lines
		}
		return d.explainGuest(t)
	}
	if len(d.victims) == 0 {
		if len(d.sleepers) > 0 {
			lines = append(lines, "sleeps        "+strings.Join(few(d.sleepers), "; "))
		}
		return lines
	}
	v, sleepers := d.victims[0], d.sleepers
	if len(sleepers) == 0 {
		sleepers = []string{"no worker: who waits is an outsider"}
	}
	checked := t.checked(v.worker)
	if why.Checked != "" {
		checked += "; last, " + why.Checked
	}
	posted, at := t.posted(d.faults, v.posts)
	lines = []string{
		"checked       " + checked,
		"posted        " + posted,
		"notification  " + t.notification(d.faults, at, why.Notification),
		"sleeps        " + strings.Join(few(sleepers), "; "),
	}
	var others []string
	for _, other := range d.victims[1:] {
		others = append(others, other.what)
	}
	for _, other := range few(others) {
		lines = append(lines, "also          "+other)
	}
	return lines
}

// victims finds who waits in vain in the pool of that name.
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

// allBusy: nobody could be woken for what is injected, since nobody sleeps who may take
// it, and some are in user code.
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

// strandedJob is a job in the injector with nobody awake to take it.
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
		v.what += ": " + are(asleep, "sleeps", "sleep")
	}
	if len(busy) > 0 {
		v.what += ", " + are(busy, "is in user code", "are in user code")
	}
	if x.lost > 0 {
		v.what += "; not run: " + strings.Join(x.unrun, "; ")
	}
	return v
}

// mostNamed is how many are named; of more, fewNamed are, and the rest is counted.
const mostNamed, fewNamed = 5, 3

// are puts subjects and verb together.
func are(who []string, is, are string) string {
	switch {
	case len(who) == 1:
		return who[0] + " " + is
	case len(who) > mostNamed:
		return fmt.Sprintf("%s and %s %s", strings.Join(who[:fewNamed], ", "), more(who), are)
	}
	return strings.Join(who, ", ") + " " + are
}

// few are those that are named, and how many more there are.
func few(all []string) []string {
	if len(all) <= mostNamed {
		return all
	}
	return append(slices.Clone(all[:fewNamed]), more(all))
}

func more(all []string) string { return fmt.Sprintf("%d more", len(all)-fewNamed) }

// outsiders finds goroutines that are no workers and wait for a latch whose
// notification was dropped. The pool does not know them; the plan does.
func outsiders(faults []FaultCount) []victim {
	for _, f := range faults {
		if f.At == "sleep/latch-lock-notify" && f.Kind == "drop" && f.Fires > 0 {
			return []victim{{
				what:  "an outsider waits for a run that is done: its latch is set, and nobody told it",
				posts: []string{"pool/job-done"},
			}}
		}
	}
	return nil
}

// sleeper is the name of the task that waits for a notification; "" if that is not known.
func (d *diagnosis) sleeper() string {
	switch {
	case d.guest != nil:
		return d.guest.worker
	case len(d.victims) > 0:
		return d.victims[0].worker
	}
	return ""
}
