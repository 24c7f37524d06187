package explain

import (
	"cmp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/goroutines"
)

// An access is one of the two accesses of a data race, or the place where a task panics. It is not an event: it
// comes after an event of its task.
type access struct {
	task, kind string
	after      int
	stack      []Frame // the innermost function first, with its whole name
}

func (a access) String() string { return a.kind + " in " + goroutines.Short(a.stack[0].Function) }

// raceIn returns the accesses of the first data race, in their order, as far as it is known where they are: the second
// one is where the detector reports it, and the first one is found by its stack. If the detector does not report the
// race, as it has done so before, both are the last ones of two tasks that come to them.
func raceIn(events []control.Event, r *control.Result) (all []access) {
	if r.Verdict != verdict.DataRace || len(events) == 0 {
		return nil
	}
	all = accessesOf(r.Detail)
	if len(all) < 2 {
		return nil
	}
	now := slices.IndexFunc(events, func(e control.Event) bool { return e.Races > events[0].Races })
	if now < 0 {
		slices.Reverse(all)
		if !all[0].find(events, len(events)-1, "") || !all[1].find(events, len(events)-1, all[0].task) {
			return nil
		}
		all[0].follow(events[:all[1].after+1], all[1].task)
		slices.SortFunc(all, func(a, b access) int { return cmp.Compare(a.after, b.after) })
		return all
	}
	all[0].task, all[0].after = events[now].Task, now
	if !all[1].find(events, now, all[0].task) {
		return all[:1]
	}
	all[1].follow(events[:now+1], all[0].task)
	slices.Reverse(all)
	return all
}

// follow moves an access that would come before the other task begins, whose parent or an ancestor makes it: that would
// be no race. It comes before what its task does next.
func (a *access) follow(events []control.Event, other string) {
	if !strings.HasPrefix(other, a.task+"/") {
		return
	}
	begins := slices.IndexFunc(events, func(e control.Event) bool { return e.Task == other })
	if begins < a.after {
		return
	}
	a.after = len(events) - 1
	if next := slices.IndexFunc(events[begins:], func(e control.Event) bool { return e.Task == a.task }); next > 0 {
		a.after = begins + next - 1
	}
}

// find sets the task of an access, which is not the other one, and the event after which it comes, at last: events in
// the same functions, the innermost first, or the beginning of a task that runs one of them.
func (a *access) find(events []control.Event, last int, other string) bool {
	for _, f := range a.stack {
		if a.findIn(f, events[:last+1], other) {
			return true
		}
		for i, e := range slices.Backward(events[:last+1]) {
			if e.Task != other && e.Kind == strategy.Begin && e.Entry != "" && strings.HasSuffix(f.Function, "."+e.Entry) {
				a.task, a.after = e.Task, i
				return true
			}
		}
	}
	return false
}

// findIn is find for one function. In a call of it that goes on beyond the line, the access comes before its events.
func (a *access) findIn(f Frame, events []control.Event, other string) bool {
	beyond := map[string]int{} // the line of each task's earliest event in that call
	for i, e := range slices.Backward(events) {
		if e.Task == other {
			continue
		}
		line, next := lineIn(e, f.Function), beyond[e.Task]
		if line > 0 && line <= f.Line || next > 0 && (line == 0 || line > next) {
			a.task, a.after = e.Task, i
			return true
		}
		if line > 0 {
			beyond[e.Task] = line
		}
	}
	return false
}

// lineIn returns the line at which a function is in an event, or 0 if it is not.
func lineIn(e control.Event, function string) int {
	is := func(f runtime.Frame) bool { return f.Function == function }
	if is(e.Site) {
		return e.Site.Line
	}
	if i := slices.IndexFunc(e.Callers, is); i >= 0 {
		return e.Callers[i].Line
	}
	return 0
}

// accessesOf reads the two accesses of a report of the race detector, the later one first.
func accessesOf(text string) (all []access) {
	lines := strings.Split(text, "\n")
	for i := 0; i+2 < len(lines) && len(all) < 2; i++ {
		what, _, is := strings.Cut(lines[i], " at 0x")
		if !is || strings.HasPrefix(what, " ") || !strings.HasSuffix(lines[i], ":") {
			continue
		}
		a := access{kind: strings.ToLower(strings.TrimPrefix(what, "Previous ")), after: -1}
		for i++; i+1 < len(lines) && strings.HasPrefix(lines[i], "  "); i += 2 {
			place, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " ")
			colon := strings.LastIndexByte(place, ':')
			function := strings.TrimSuffix(strings.TrimSpace(lines[i]), "()")
			if colon < 0 || strings.HasPrefix(function, "runtime.") {
				continue
			}
			line, _ := strconv.Atoi(place[colon+1:]) // 0 if unknown
			a.stack = append(a.stack, Frame{function, place[:colon], line})
		}
		if len(a.stack) > 0 {
			all = append(all, a)
		}
	}
	return all
}

// withAccesses adds events for accesses, and returns the cited ones with them.
func withAccesses(events []control.Event, cited []int, accesses []access) ([]control.Event, []int) {
	if len(accesses) == 0 {
		return events, cited
	}
	var all []control.Event
	var added []int
	at := make([]int, len(events)) // the new index of each event
	for i, e := range events {
		at[i] = len(all)
		if e.Source > 0 && e.Source <= i {
			e.Source = at[e.Source-1] + 1
		}
		all = append(all, e)
		for _, a := range accesses {
			if a.after == i {
				f := a.stack[0]
				added = append(added, len(all))
				all = append(all, control.Event{
					Task: a.task, Name: e.Name, Step: e.Step, Number: e.Number, Time: e.Time, Kind: strategy.Point, Op: -1, Point: a.String(),
					Site: runtime.Frame{Function: f.Function, File: f.File, Line: f.Line}, Stays: true,
				})
			}
		}
	}
	for _, c := range cited {
		added = append(added, at[c])
	}
	return all, added
}
