package stress

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/native"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
)

// A diagnosis says why an execution does not go on.
type diagnosis struct {
	verdict     Verdict
	summary     string
	explanation []string
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

// diagnose looks at pools that stand still. A worker that sleeps on a latch which
// is set, and a job that waits while all who could take it sleep, are lost
// wakeups; if neither is found, it is some other deadlock.
func (x *execution) diagnose(tasks []native.TaskEvents, faults []native.FaultCount) diagnosis {
	var sleepers []string
	var victims []victim
	for _, p := range x.subjects() {
		s := p.State()
		victims = append(victims, x.victims(s, p.Name())...)
		for _, w := range s.Workers {
			if w.Asleep {
				sleepers = append(sleepers, fmt.Sprintf("%s, on %s (%s)", w.Name, w.WaitsFor, w.Latch))
			}
		}
	}
	if len(victims) == 0 {
		victims = x.outsiders(faults)
	}
	if len(victims) == 0 {
		d := diagnosis{verdict: Deadlock, summary: "all goroutines are blocked, and no missing notification explains it"}
		if jobs, n := x.jobs.unrun(); n > 0 {
			d.summary += fmt.Sprintf("; %d jobs have not run: %s", n, strings.Join(jobs, "; "))
		}
		if len(sleepers) > 0 {
			d.explanation = append(d.explanation, "sleeps        "+strings.Join(sleepers, "; "))
		}
		return d
	}
	v := victims[0]
	d := diagnosis{verdict: LostWakeup, summary: v.what}
	for _, other := range victims[1:] {
		d.explanation = append(d.explanation, "also          "+other.what)
	}
	if len(sleepers) == 0 {
		sleepers = []string{"no worker: who waits is an outsider"}
	}
	d.explanation = append([]string{
		"checked       " + checked(tasks, v.worker),
		"posted        " + posted(tasks, faults, v.posts),
		"notification  " + notification(tasks, faults),
		"sleeps        " + strings.Join(sleepers, "; "),
	}, d.explanation...)
	return d
}

// victims finds who waits in vain in the pool of that name.
func (x *execution) victims(s pool.State, name string) []victim {
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
	if s.Injected > 0 && awake == 0 {
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

// strandedJob is a job in the injector with nobody awake to take it.
func (x *execution) strandedJob(s pool.State, name string) victim {
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
	if names, n := x.jobs.unrun(); n > 0 {
		v.what += "; not run: " + strings.Join(names, "; ")
	}
	return v
}

// are puts subjects and verb together.
func are(who []string, is, are string) string {
	if len(who) == 1 {
		return who[0] + " " + is
	}
	return strings.Join(who, ", ") + " " + are
}

// outsiders finds goroutines that are no workers and wait for a latch whose
// notification was dropped. The pool does not know them; the plan does.
func (x *execution) outsiders(faults []native.FaultCount) []victim {
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

// lastLooks are the points at which a worker on its way to sleep looks whether it
// may, the last first.
var lastLooks = []string{"sleep/final-check-post", "sleep/final-check-pre", "sleep/jec-check", "pool/idle-probe"}

// checked says what the sleeper looked at last.
func checked(tasks []native.TaskEvents, worker string) string {
	if worker == "" {
		return "nothing: no worker in particular was to be woken"
	}
	for _, point := range lastLooks {
		if e, who, ok := latest(tasks, func(t native.TaskEvents, e native.Event) bool {
			return t.Name == worker && e.Point == point
		}); ok {
			return fmt.Sprintf("%s passed %s before it slept, %s", who, point, at(e))
		}
	}
	return worker + " looked too long ago to be on record"
}

// posted says who brought the news that the notification was to tell of: if a
// notification was dropped, whoever was to send that one.
func posted(tasks []native.TaskEvents, faults []native.FaultCount, points []string) string {
	isPost := func(_ native.TaskEvents, e native.Event) bool { return slices.Contains(points, e.Point) }
	e, who, ok := latest(tasks, isPost)
	if drop, dropper, dropped := lastDrop(tasks, faults); dropped {
		before, by, found := latest(tasks, func(t native.TaskEvents, e native.Event) bool {
			return isPost(t, e) && taskName(t) == dropper && e.After <= drop.After
		})
		if found {
			e, who, ok = before, by, true
		}
	}
	if !ok {
		return "too long ago to be on record"
	}
	return fmt.Sprintf("%s passed %s, %s", who, e.Point, at(e))
}

// lastDrop returns the last notification that the plan has dropped, and the task
// that was to send it.
func lastDrop(tasks []native.TaskEvents, faults []native.FaultCount) (e native.Event, who string, ok bool) {
	return latest(tasks, func(_ native.TaskEvents, e native.Event) bool {
		return slices.ContainsFunc(faults, func(f native.FaultCount) bool { return f.Kind == "drop" && f.At == e.Point }) &&
			strings.Contains(e.Fault, "drop")
	})
}

// notification says what became of the notification.
func notification(tasks []native.TaskEvents, faults []native.FaultCount) string {
	fired := func(kind string) []string {
		var all []string
		for _, f := range faults {
			if f.Kind != kind || f.Fires == 0 {
				continue
			}
			text := fmt.Sprintf("%s (%s)", f.At, times(f.Fires))
			if e, who, ok := latest(tasks, func(_ native.TaskEvents, e native.Event) bool {
				return e.Point == f.At && strings.Contains(e.Fault, kind)
			}); ok {
				text = fmt.Sprintf("%s, last in %s, %s", text, who, at(e))
				if e.Detail != "" {
					text += ": " + e.Detail
				}
			}
			all = append(all, text)
		}
		return all
	}
	if dropped := fired("drop"); len(dropped) > 0 {
		return "dropped by the plan at " + strings.Join(dropped, "; ")
	}
	text := "never sent: whoever was to send it saw no need to"
	if rolled := fired("roll"); len(rolled) > 0 {
		text += "; the plan rolled the counter at " + strings.Join(rolled, "; ")
	}
	if failed := fired("fail"); len(failed) > 0 {
		text += "; the plan failed " + strings.Join(failed, "; ")
	}
	return text
}

func times(n uint64) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func at(e native.Event) string {
	return fmt.Sprintf("visit %d, at %v", e.Visit, e.After.Round(time.Microsecond))
}

// latest returns the last event, by the clock, that the filter lets through, and
// the name of its task.
func latest(tasks []native.TaskEvents, wanted func(native.TaskEvents, native.Event) bool) (last native.Event, who string, ok bool) {
	for _, t := range tasks {
		for _, e := range slices.Concat(t.Older, t.Events) {
			if wanted(t, e) && (!ok || e.After >= last.After) {
				last, who, ok = e, taskName(t), true
			}
		}
	}
	return last, who, ok
}

func taskName(t native.TaskEvents) string {
	if t.Name != "" {
		return t.Name
	}
	return t.Path
}
