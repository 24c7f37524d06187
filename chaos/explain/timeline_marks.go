package explain

import (
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// accesses returns the accesses of a data race, and the line that panics: they are no events.
func (d *drawing) accesses() []access {
	if _, at := d.panics(); at >= 0 {
		if stack := d.panicStack(); len(stack) > 0 {
			return []access{{d.events[at].Task, "panic", at, stack[:1]}}
		}
	}
	return raceIn(d.events, &d.report.Result)
}

// panics returns what a task has panicked with, and the event after which it did; -1 if none has.
func (d *drawing) panics() (what string, at int) {
	task, what, is := panicked(&d.report.Result)
	if !is {
		return "", -1
	}
	at, known := d.last[task]
	if !known {
		return "", -1
	}
	if before := d.before[at]; d.events[at].Kind == strategy.End && before >= 0 {
		at = before
	}
	return what, at
}

// panicked returns which task has panicked, and with what, if that is the verdict.
func panicked(r *control.Result) (task, what string, is bool) {
	task, what, is = strings.Cut(strings.TrimPrefix(r.Summary, "task "), ": ")
	if !is || r.Verdict != verdict.Panicked && r.Verdict != verdict.OfPanic(r.Summary) {
		return "", "", false
	}
	task, _, _ = strings.Cut(task, " ")
	return task, what, true
}

// panicStack returns where it has panicked: the stack of the report, or that of a task of Go's runtime as the
// detail has it, below the call of panic.
func (d *drawing) panicStack() []Frame {
	if len(d.report.Stack) > 0 {
		return d.report.Stack
	}
	head, calls, _ := strings.Cut(d.report.Result.Detail, "\n")
	_, calls, is := strings.Cut("\n"+calls, "\npanic(")
	if !is {
		return nil
	}
	return StackOf(head + "\npanic(" + calls)
}

// addAccess appends a step that is not an event, and marks it.
func (d *drawing) addAccess(a access) {
	s := len(d.Steps)
	d.Steps = append(d.Steps, Step{
		Lane: d.lane(a.task), Step: d.events[a.after].Step, Time: d.events[a.after].Time, Kind: a.kind, Text: a.String(),
		File: a.stack[0].File, Line: a.stack[0].Line, Kept: true,
	})
	mark := Mark{Kind: "race", Text: d.report.Result.Summary}
	if a.kind == "panic" {
		mark.Kind = a.kind
		mark.Text, _ = d.panics()
	}
	i := slices.IndexFunc(d.Marks, func(m Mark) bool { return m.Kind == mark.Kind })
	if i < 0 {
		i = len(d.Marks)
		d.Marks = append(d.Marks, mark)
	}
	d.Marks[i].Steps = append(d.Marks[i].Steps, s)
}

// mark adds the marks of what the report explains.
func (d *drawing) mark() {
	why := &d.report.Why
	add := func(kind, text string, events []int) {
		var steps []int
		for _, i := range events {
			if i >= 0 && i < len(d.at) && d.at[i] >= 0 && !slices.Contains(steps, d.at[i]) {
				steps = append(steps, d.at[i])
			}
		}
		if slices.Sort(steps); len(steps) > 0 {
			d.Marks = append(d.Marks, Mark{kind, steps, text})
		}
	}
	add("check", why.Checked, why.checkedAt)
	add("notification", why.Notification, why.notifiedAt)
	if why.Closed != "" {
		add("closed", why.Closed, []int{why.closedAt})
	}
	if d := why.Difference; d.Fails != "" {
		text := "fails " + d.Fails
		if d.Passes != "" {
			text += "; passes " + d.Passes
		}
		add("order", text, d.Cited)
	}
	if what, at := d.panics(); at >= 0 && !slices.ContainsFunc(d.Marks, func(m Mark) bool { return m.Kind == "panic" }) {
		add("panic", what, []int{at})
	}
}

// keep finds the steps that may not be hidden: what is cited or marked, where a task stands at the end, the
// locks that are held then and those that are waited for, and the last write of what was last read.
func (d *drawing) keep() {
	keep := func(i int) {
		if i >= 0 && d.at[i] >= 0 {
			d.Steps[d.at[i]].Kept = true
		}
	}
	for _, i := range d.report.Why.Cited {
		keep(i)
		if e := d.events[i]; e.Kind == strategy.Load && e.Source > 0 {
			keep(e.Source - 1)
		}
	}
	waited := map[int]bool{}
	for _, w := range d.Waits {
		waited[w.Object] = w.Object > 0
	}
	lastOf, read := map[[2]int]int{}, map[string]int{}
	for i, e := range d.events {
		switch {
		case d.next[i] < 0 && e.Kind != strategy.End && e.Kind != strategy.Clock:
			keep(i)
		case waited[e.Object] && (takes(e) || e.Kind == strategy.Unlock || e.Kind == strategy.RUnlock):
			lastOf[[2]int{e.Object, d.lanes[e.Task]}] = i
		}
		if e.Kind == strategy.Load && e.Source > 0 {
			read[e.Task] = i
		}
	}
	for _, i := range lastOf {
		keep(i)
	}
	for task, i := range read {
		if d.events[d.last[task]].Kind != strategy.End {
			keep(i)
			keep(d.events[i].Source - 1)
		}
	}
	for _, s := range d.Spans {
		if s.To < 0 {
			d.Steps[s.From].Kept = true
		}
	}
	for _, m := range d.Marks {
		for _, s := range m.Steps {
			d.Steps[s].Kept = true
		}
	}
}
