package explain

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// maxDrawn is how many steps a timeline has at its beginning, and at its end.
const maxDrawn = 10_000

// A drawing is a timeline in the making. Events are given by their index; -1 means none.
type drawing struct {
	*Timeline
	report  *Report
	events  []control.Event
	runtime bool
	lanes   map[string]int
	at      []int // the step of each event
	next    []int // the next event of the same task
	before  []int // the one before it
	last    map[string]int
	woken   []int          // of the beginning of a wait: the event that ended it
	latest  map[string]int // of each task: its last event before the one whose edges are drawn
	known   map[Edge]bool
	frames  map[Frame]int
	stands  map[string]int // of tasks that stand before a lock at the end: the step
}

// Timeline returns the execution of the report, or nil if it has no events. entries are its schedule.
func (r *Report) Timeline(entries []recording.Entry) *Timeline {
	if len(r.Events) == 0 {
		return nil
	}
	d := &drawing{
		Timeline: &Timeline{}, report: r, events: withEntries(r.Events), runtime: ofRuntime(r.Events),
		lanes: map[string]int{}, last: map[string]int{}, latest: map[string]int{}, known: map[Edge]bool{}, frames: map[Frame]int{}, stands: map[string]int{},
	}
	d.order()
	accesses, standing := d.accesses(), d.standing()
	for i, e := range d.events {
		d.at[i] = -1
		if !e.Overtaken {
			d.at[i] = len(d.Steps)
			d.add(i)
		}
		for _, a := range accesses {
			if a.after == i {
				d.addAccess(a)
			}
		}
		for _, t := range standing[i] {
			d.addStanding(t, i)
		}
	}
	d.drawEdges()
	locks := d.drawLocks()
	d.drawWaits(locks)
	d.mark()
	d.keep()
	d.decides(entries)
	d.countSwitches()
	d.finishLanes()
	d.cut()
	return d.Timeline
}

// order finds the events of each task, and which ended a wait.
func (d *drawing) order() {
	n := len(d.events)
	d.at, d.next, d.before, d.woken = make([]int, n), make([]int, n), make([]int, n), make([]int, n)
	for i, e := range d.events {
		d.next[i], d.before[i], d.woken[i] = -1, -1, -1
		for _, path := range e.Reached {
			if j, known := d.last[path]; known && path != e.Task && d.events[j].Waits && d.woken[j] < 0 {
				d.woken[j] = i
			}
		}
		if j, known := d.last[e.Task]; known {
			d.next[j], d.before[i] = i, j
		}
		d.last[e.Task] = i
	}
}

// lane returns the lane of a task, and adds it if it is new.
func (d *drawing) lane(task string) int {
	i, known := d.lanes[task]
	if !known {
		i = len(d.Lanes)
		d.lanes[task] = i
		d.Lanes = append(d.Lanes, Lane{Task: task, Title: task, First: len(d.Steps), Last: -1})
	}
	return i
}

// add appends the step of an event.
func (d *drawing) add(i int) {
	e := d.events[i]
	row := rowOf([]control.Event{e}, []bool{true})
	l := d.lane(e.Task)
	if e.Name != "" { // it may come late
		d.Lanes[l].Title = control.Title(e.Task, e.Name)
	}
	s := Step{
		Lane: l, Step: e.Step, Time: e.Time, Kind: e.Kind.String(), Text: row.Text, Objects: row.Objects, File: row.File, Line: row.Line,
		Remarks: row.Remarks, Value: d.value(i), Via: row.Via, Polls: row.Polls,
	}
	if e.Kind == strategy.End {
		d.Lanes[l].Last = len(d.Steps)
	}
	for _, f := range e.Callers {
		s.Callers = append(s.Callers, d.frame(f))
	}
	d.Steps = append(d.Steps, s)
}

// standing returns the tasks that stand before a lock at the end, by the event after which they came to it. For
// a task of a Runtime that is not an event.
func (d *drawing) standing() map[int][]control.TaskState {
	all := map[int][]control.TaskState{}
	for _, t := range d.report.Result.Tasks {
		after, known := d.last[t.Path]
		if !known || !d.runtime || !isLock(t.Kind) || d.events[after].Waits && d.events[after].Object == t.Object {
			continue
		}
		for after+1 < len(d.events) && d.events[after+1].Step <= t.Since {
			after++
		}
		all[after] = append(all[after], t)
	}
	return all
}

// addStanding appends the step of a task that comes to a lock that it does not get.
func (d *drawing) addStanding(t control.TaskState, after int) {
	d.stands[t.Path] = len(d.Steps)
	s := Step{
		Lane: d.lane(t.Path), Step: t.Since, Time: d.events[after].Time, Kind: t.Kind.String(), Text: called(t.Call, t.Kind), Objects: []int{t.Object},
		Remarks: []string{"waits"}, Kept: true,
	}
	for i, f := range t.Stack {
		if i == 0 {
			s.File, s.Line = f.File, f.Line
		} else {
			s.Callers = append(s.Callers, d.frame(f))
		}
	}
	d.Steps = append(d.Steps, s)
}

// frame returns the index of a frame.
func (d *drawing) frame(f runtime.Frame) int {
	frame := frameOf(f)
	i, known := d.frames[frame]
	if !known {
		i = len(d.Frames)
		d.frames[frame] = i
		d.Frames = append(d.Frames, frame)
	}
	return i
}

// value returns the Value of a step.
func (d *drawing) value(i int) string {
	e := d.events[i]
	held := ""
	if e.Room > 0 {
		held = fmt.Sprintf("%d of %d", e.Held, e.Room)
	}
	if held == "" {
		return e.Outcome
	}
	if e.Kind == strategy.Select && e.Outcome != "" {
		held = e.Outcome + ", " + held
	}
	return held
}

// finishLanes orders the lanes, parents before children, and finds those that take part.
func (d *drawing) finishLanes() {
	part := map[string]bool{"main": true}
	for _, task := range d.report.Scheduled {
		part[task] = true
	}
	for _, w := range d.Waits {
		part[w.Task] = true
	}
	for _, m := range d.Marks {
		for _, s := range m.Steps {
			part[d.Lanes[d.Steps[s].Lane].Task] = true
		}
	}
	for _, i := range d.report.Why.Cited {
		part[d.events[i].Task] = true
	}
	for i := range d.Lanes {
		d.Lanes[i].Part = part[d.Lanes[i].Task]
	}
	slices.SortStableFunc(d.Lanes, func(a, b Lane) int { return comparePaths(a.Task, b.Task) })
	now := make([]int, len(d.Lanes))
	for i, l := range d.Lanes {
		now[d.lanes[l.Task]] = i
	}
	for i := range d.Steps {
		d.Steps[i].Lane = now[d.Steps[i].Lane]
	}
	for i := range d.Spans {
		d.Spans[i].Lane = now[d.Spans[i].Lane]
	}
}

// countSwitches counts the switches; a timer that fires is not one.
func (d *drawing) countSwitches() {
	last := -1
	for _, s := range d.Steps {
		if s.Kind == strategy.Clock.String() {
			continue
		}
		if last >= 0 && s.Lane != last {
			d.Switches++
		}
		last = s.Lane
	}
}

// decides notes at which steps the schedule decides.
func (d *drawing) decides(entries []recording.Entry) {
	d.Decisions = len(entries)
	type operation struct {
		task string
		op   int
	}
	type point struct{ task, name string }
	done, faults := map[operation]int{}, map[point][]int{}
	for i, e := range d.events {
		if d.at[i] < 0 {
			continue
		}
		if e.Op >= 0 {
			done[operation{e.Task, e.Op}] = d.at[i]
		}
		if e.Fault != "" {
			p := point{e.Task, e.Point}
			faults[p] = append(faults[p], d.at[i])
		}
	}
	for _, e := range entries {
		s, found := done[operation{e.Task, e.Ops}]
		if p := (point{e.Task, e.Point}); e.Point != "" {
			if found = len(faults[p]) > 0; found {
				s, faults[p] = faults[p][0], faults[p][1:]
			}
		} else if j, known := d.last[e.Task]; !found && known && d.at[j] >= 0 { // it has come no further
			s, found = d.at[j], true
		}
		if !found {
			continue
		}
		if d.Steps[s].Switch != "" {
			d.Steps[s].Switch += "; "
		}
		d.Steps[s].Switch += e.String()
	}
}

// cut leaves out the middle of a long timeline, except what may not be hidden, and where the schedule decides.
func (d *drawing) cut() {
	n := len(d.Steps)
	if n <= 2*maxDrawn {
		return
	}
	now, next := make([]int, n), make([]int, n) // the step that is drawn in its place, and the one at or after it
	var steps []Step
	for i, s := range d.Steps {
		now[i], next[i] = -1, len(steps)
		if i < maxDrawn || i >= n-maxDrawn || s.Kept || s.Switch != "" {
			now[i] = len(steps)
			steps = append(steps, s)
		}
	}
	d.Notes = append(d.Notes, fmt.Sprintf("%d of %d steps are left out, in the middle", n-len(steps), n))
	d.Steps = steps
	shown := func(i int) bool { return i >= 0 && now[i] >= 0 }
	d.Edges = slices.DeleteFunc(d.Edges, func(e Edge) bool { return !shown(e.From) || !shown(e.To) })
	for i := range d.Edges {
		d.Edges[i].From, d.Edges[i].To = now[d.Edges[i].From], now[d.Edges[i].To]
	}
	for i := range d.Spans { // what begins or ends in between does so where that is left out
		s := &d.Spans[i]
		if s.From = next[s.From]; s.To >= 0 {
			s.To = next[s.To]
		}
	}
	d.Spans = slices.DeleteFunc(d.Spans, func(s Span) bool { return s.From == s.To })
	for i := range d.Lanes {
		l := &d.Lanes[i]
		if l.First = now[l.First]; l.First < 0 {
			l.First = slices.IndexFunc(d.Steps, func(s Step) bool { return s.Lane == i })
		}
		if l.Last >= 0 && now[l.Last] < 0 { // its end is left out: it has ended all the same
			l.Last = max(l.First, 0)
			for j, s := range d.Steps {
				if s.Lane == i {
					l.Last = j
				}
			}
		} else if l.Last >= 0 {
			l.Last = now[l.Last]
		}
	}
	for i := range d.Marks {
		for j, s := range d.Marks[i].Steps {
			d.Marks[i].Steps[j] = now[s]
		}
	}
}
