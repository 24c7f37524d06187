package run

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/native"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
)

// A timeline holds the recorded events of an execution, in order.
type timeline []moment

// A moment is one visit of a hook point.
type moment struct {
	task  string // its name, or its path
	point string
	when  string // for people
	fault string // the kinds that fired; "" is none
	about string // details of the fault
	order int64
}

// nativeTimeline makes a timeline from the rings of the engine.
func nativeTimeline(tasks []native.TaskEvents) (t timeline) {
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

// controlledTimeline makes a complete timeline from the events of a controlled execution.
func controlledTimeline(events []control.Event, fires []strategy.Fire, path func(key uint64) string) (t timeline) {
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

// latest returns the last moment for which wanted returns true.
func (t timeline) latest(wanted func(moment) bool) (moment, bool) {
	for i := len(t) - 1; i >= 0; i-- {
		if wanted(t[i]) {
			return t[i], true
		}
	}
	return moment{}, false
}

// explain explains a diagnosis in a few lines, as far as the timeline shows. why holds what the events of a
// controlled execution show about the sleeper.
func (t timeline) explain(d *subject.Diagnosis, faults []outcome.FaultCount, why explain.Wakeup) (lines []string) {
	if d.Consequence != "" {
		lines = append(lines, "so            "+d.Consequence)
	}
	if d.Verdict == verdict.Deadlock {
		if len(d.Sleepers) > 0 {
			lines = append(lines, "sleeps        "+strings.Join(prose.Truncate(d.Sleepers), "; "))
		}
		return lines
	}
	if known := why.Lines(); len(d.Checks) == 0 && len(known) > 0 {
		return append(lines, known...)
	}
	if len(d.Checks) > 0 {
		checked := t.checked(d.Sleeper, d.Checks)
		if why.Checked != "" {
			checked += "; last, " + why.Checked
		}
		lines = append(lines, "checked       "+checked)
	}
	posted, at := t.posted(faults, d.Posts)
	if len(d.Posts) > 0 {
		lines = append(lines, "posted        "+posted)
	}
	lines = append(lines, "notification  "+t.notification(faults, at, why.Notification))
	if sleepers := t.sleepers(d); sleepers != "" {
		lines = append(lines, "sleeps        "+sleepers)
	}
	for _, other := range prose.Truncate(d.Others) {
		lines = append(lines, "also          "+other)
	}
	return lines
}

// sleepers lists the tasks that sleep.
func (t timeline) sleepers(d *subject.Diagnosis) string {
	if len(d.Sleepers) > 0 {
		return strings.Join(prose.Truncate(d.Sleepers), "; ")
	}
	if m, ok := t.latest(func(m moment) bool { return m.task == d.Sleeper }); ok {
		return fmt.Sprintf("%s, which passed %s, %s", d.Sleeper, m.point, m.when)
	}
	return d.Sleeper
}

// checked describes which of the points the sleeper passed last.
func (t timeline) checked(sleeper string, points []string) string {
	if sleeper == "" {
		return "nothing: no task in particular was to be woken"
	}
	for _, point := range points {
		if m, ok := t.latest(func(m moment) bool { return m.task == sleeper && m.point == point }); ok {
			return fmt.Sprintf("%s passed %s before it slept, %s", m.task, point, m.when)
		}
	}
	return "no check of " + sleeper + " is on record"
}

// posted describes which task last posted the change that the notification was for. at is its place in the order
// of moments, or -1 if that is not on record. If a notification was dropped, posted describes the task that was
// to send that one.
func (t timeline) posted(faults []outcome.FaultCount, points []string) (text string, at int64) {
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

// lastDrop returns the moment of the last notification that the plan dropped.
func (t timeline) lastDrop(faults []outcome.FaultCount) (moment, bool) {
	return t.latest(func(m moment) bool {
		return slices.ContainsFunc(faults, func(f outcome.FaultCount) bool { return f.Kind == "drop" && f.At == m.point }) &&
			strings.Contains(m.fault, "drop")
	})
}

// notification describes whether and how a notification followed the post at that moment. known is what the
// events of a controlled execution show, or "".
func (t timeline) notification(faults []outcome.FaultCount, posted int64, known string) string {
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

// sent describes the last recorded notification of any kind since that moment.
func (t timeline) sent(posted int64) string {
	m, ok := t.latest(func(m moment) bool {
		return m.order >= posted && slices.ContainsFunc(scenario.Points(), func(p scenario.PointInfo) bool { return p.Name == m.point && p.Offers&hooks.Drops != 0 })
	})
	switch {
	case ok:
		return fmt.Sprintf("%s passed %s, %s; which task that reached is not on record", m.task, m.point, m.when)
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
