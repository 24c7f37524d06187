package stress

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/native"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/hooks"
)

// A tale is what happened in an execution as far as it is known, in order.
type tale []moment

// A moment is one visit of a hook point.
type moment struct {
	task  string // its name, or its path
	point string
	when  string // for people
	fault string // the kinds that fired; "" is none
	about string // what there is to say of that
	order int64
}

// nativeTale is what the engine's rings remember.
func nativeTale(tasks []native.TaskEvents) (t tale) {
	for _, task := range tasks {
		for _, e := range slices.Concat(task.Older, task.Events) {
			t = append(t, moment{
				task: cmp.Or(task.Name, task.Path), point: e.Point, order: int64(e.After),
				when:  fmt.Sprintf("visit %d, at %v", e.Visit, e.After.Round(time.Microsecond)),
				fault: e.Fault, about: e.Detail,
			})
		}
	}
	slices.SortStableFunc(t, func(a, b moment) int { return cmp.Compare(a.order, b.order) })
	return t
}

// controlledTale is all of it.
func controlledTale(events []control.Event, fires []strategy.Fire, path func(key uint64) string) (t tale) {
	type place struct{ task, point string }
	type visit struct {
		place
		n int
	}
	visits, fired := map[place]int{}, map[visit]string{}
	for _, f := range fires {
		fired[visit{place{path(f.Task), f.Point}, f.Visit}] = f.Kind.String()
	}
	for i, e := range events {
		if e.Kind != strategy.Point || e.Point == "" {
			continue
		}
		at := place{e.Task, e.Point}
		m := moment{
			task: cmp.Or(e.Name, e.Task), point: e.Point, order: int64(i),
			when: fmt.Sprintf("visit %d, event %d of %d", visits[at], i+1, len(events)),
		}
		m.fault = fired[visit{at, visits[at]}]
		visits[at]++
		t = append(t, m)
	}
	return t
}

// latest returns the last moment that the filter lets through.
func (t tale) latest(wanted func(moment) bool) (moment, bool) {
	for i := len(t) - 1; i >= 0; i-- {
		if wanted(t[i]) {
			return t[i], true
		}
	}
	return moment{}, false
}

// lastLooks are the points at which a worker on its way to sleep looks whether it
// may, the last first.
var lastLooks = []string{"sleep/tickle-sleep-wait", "sleep/final-check-post", "sleep/final-check-pre", "sleep/jec-check", "pool/idle-probe", "burst/receive-waits"}

// checked says what the sleeper looked at last.
func (t tale) checked(worker string) string {
	if worker == "" {
		return "nothing: no worker in particular was to be woken"
	}
	for _, point := range lastLooks {
		if m, ok := t.latest(func(m moment) bool { return m.task == worker && m.point == point }); ok {
			return fmt.Sprintf("%s passed %s before it slept, %s", m.task, point, m.when)
		}
	}
	return "no look of " + worker + " is on record"
}

// posted says who was the last to post what the notification was to be of, and when, in the
// order of moments, -1 if that is not on record: if a notification was dropped, the task that
// was to send that one.
func (t tale) posted(faults []FaultCount, points []string) (text string, at int64) {
	isPost := func(m moment) bool { return slices.Contains(points, m.point) }
	m, ok := t.latest(isPost)
	if drop, dropped := t.lastDrop(faults); dropped {
		before, found := t.latest(func(m moment) bool {
			return isPost(m) && m.task == drop.task && m.order <= drop.order
		})
		if found {
			m, ok = before, true
		}
	}
	if !ok {
		return "none is on record", -1
	}
	return fmt.Sprintf("last by %s, which passed %s, %s", m.task, m.point, m.when), m.order
}

// lastDrop returns the last notification that the plan has dropped.
func (t tale) lastDrop(faults []FaultCount) (moment, bool) {
	return t.latest(func(m moment) bool {
		return slices.ContainsFunc(faults, func(f FaultCount) bool { return f.Kind == "drop" && f.At == m.point }) &&
			strings.Contains(m.fault, "drop")
	})
}

// notification says what became of the notification of what was posted at that moment; known is
// what the events of a controlled execution show, "" if nothing.
func (t tale) notification(faults []FaultCount, posted int64, known string) string {
	fired := func(kind string) []string {
		var all []string
		for _, f := range faults {
			if f.Kind != kind || f.Fires == 0 {
				continue
			}
			text := fmt.Sprintf("%s (%s)", f.At, times(f.Fires))
			if m, ok := t.latest(func(m moment) bool { return m.point == f.At && strings.Contains(m.fault, kind) }); ok {
				text = fmt.Sprintf("%s, last in %s, %s", text, m.task, m.when)
				if m.about != "" {
					text += ": " + m.about
				}
			}
			all = append(all, text)
		}
		return all
	}
	if dropped := fired("drop"); len(dropped) > 0 {
		return "dropped by the plan at " + strings.Join(dropped, "; ")
	}
	text := known
	if text == "" {
		text = t.sent(posted)
	}
	if rolled := fired("roll"); len(rolled) > 0 {
		text += "; the plan rolled the counter at " + strings.Join(rolled, "; ")
	}
	if failed := fired("fail"); len(failed) > 0 {
		text += "; the plan failed " + strings.Join(failed, "; ")
	}
	return text
}

// sent names the last notification of any kind on record since that moment.
func (t tale) sent(posted int64) string {
	m, ok := t.latest(func(m moment) bool {
		return m.order >= posted && slices.ContainsFunc(Points(), func(p PointInfo) bool { return p.Name == m.point && p.Offers&hooks.Drops != 0 })
	})
	switch {
	case ok:
		return fmt.Sprintf("%s passed %s, %s; whom that reached is not on record", m.task, m.point, m.when)
	case posted < 0:
		return "none is on record"
	}
	return "none is on record after that"
}

func times(n uint64) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
