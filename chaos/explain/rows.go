package explain

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/goroutines"
)

// A Row is what one task did without another in between: usually one event.
type Row struct {
	Task    string   `json:"task"`
	Step    int      `json:"step,omitempty"` // 0 if unknown
	Text    string   `json:"text"`           // what was done
	Objects []int    `json:"objects,omitempty"`
	File    string   `json:"file,omitempty"`
	Line    int      `json:"line,omitempty"`
	Remarks []string `json:"remarks,omitempty"` // how it turned out
	Kept    bool     `json:"kept,omitempty"`    // it may not be left out
	// Via is the case that a select takes, and Polls are those of a select that takes none, first those that send; nil
	// if they are unknown. A reader of the sources sets Line to that of the case.
	Via   *Communication  `json:"via,omitempty"`
	Polls []Communication `json:"polls,omitempty"`
}

// mostObjects bounds the objects that a cell has: a select may wait for many.
const mostObjects = 3

// String returns a cell of the table.
func (r Row) String() string {
	text := r.Text
	shown, more := Few(r.Objects)
	for _, o := range shown {
		text += " " + object(o)
	}
	text += more
	if r.File != "" {
		at := fmt.Sprintf("%s:%d", path.Base(r.File), r.Line)
		if timer, is := strings.CutSuffix(text, firing); is { // the place is where it was armed
			text = timer + " at " + at + firing
		} else {
			text += " " + at
		}
	}
	for _, remark := range r.Remarks {
		text += " (" + remark + ")"
	}
	return text
}

// Few returns the first of the objects of a row, and how many more there are: " and 4 more".
func Few(objects []int) (shown []int, more string) {
	if n := len(objects) - mostObjects; n > 1 {
		return objects[:mostObjects], fmt.Sprintf(" and %d more", n)
	}
	return objects, ""
}

// waiting is the remark of a row whose task waits, and firing the end of what a timer does.
const (
	waiting = "waits"
	firing  = " fires"
)

// rowOf describes events of one task, which are one operation to the user.
func rowOf(events []control.Event, kept []bool) Row {
	first := events[0]
	r := Row{Task: first.Task, Step: first.Step, Text: operation(first), File: first.Site.File, Line: first.Site.Line}
	add := func(o int) {
		if o > 0 && !slices.Contains(r.Objects, o) {
			r.Objects = append(r.Objects, o)
		}
	}
	waits := false
	for i, e := range events {
		r.selects(e)
		r.Kept = r.Kept || kept[i]
		if (kept[i] || e.Waits) && r.Via == nil && len(r.Polls) == 0 && !isNameless(e.Kind) {
			add(e.Object)
		}
		if e.Waits {
			waits, r.Step = true, e.Step
		}
		for _, more := range []string{e.Outcome, e.Fault, e.Note} {
			if more != "" && !slices.Contains(r.Remarks, more) {
				r.Remarks = append(r.Remarks, more)
			}
		}
	}
	if r.Via != nil {
		add(r.Via.Object)
	}
	for _, c := range r.Polls {
		add(c.Object)
	}
	if len(r.Objects) == 0 && !isNameless(first.Kind) {
		add(first.Object)
	}
	if waits {
		r.Remarks = append([]string{waiting}, r.Remarks...)
	}
	return r
}

// selects sets what is known of the cases of an event, if it is of a select in the user's own code.
func (r *Row) selects(e control.Event) {
	if e.Call != "" {
		return
	}
	if v := e.Via; v.Object > 0 {
		r.Via, r.Polls = &Communication{v.Object, v.Send, e.Nth}, nil
	} else if len(e.Polls) > 0 {
		r.Polls = nil
		for _, c := range e.Polls {
			r.Polls = append(r.Polls, Communication{Object: c.Object, Send: c.Send})
		}
	}
}

// isNameless reports whether the objects of an operation have no number in a report: the world outside, and what stands
// for all sleeps.
func isNameless(k strategy.Kind) bool {
	return k == strategy.Syscall || k == strategy.SyscallRead || k == strategy.Sleep
}

// continues reports whether event e is part of the same operation as the one before it: a call of a
// library is one to the user, and so is a communication that waits.
func continues(before, e control.Event) bool {
	if !e.Stays || e.Step == 0 || e.Kind == strategy.Clock || e.Kind == strategy.Resume || e.Task != before.Task || e.Site.File != before.Site.File || e.Site.Line != before.Site.Line || e.Site.File == "" {
		return false
	}
	if e.Call != "" {
		return e.Call == before.Call
	}
	return e.Waits && !before.Waits && before.Call == "" && e.Kind == before.Kind && e.Object == before.Object
}

// rowsOf makes the rows of all events.
func rowsOf(events []control.Event, cited []int) []Row {
	return shortened(withoutRounds(operationsOf(events, cited)))
}

// shortened leaves out the middle of long stretches of one task.
func shortened(rows []Row) (all []Row) {
	for i := 0; i < len(rows); {
		j := i + 1
		for j < len(rows) && rows[j].Task == rows[i].Task {
			j++
		}
		for k := i; k < j; {
			hidden := k
			if j-i > maxRun {
				for hidden >= i+maxRun/2 && hidden < j-maxRun/2 && !rows[hidden].Kept {
					hidden++
				}
			}
			if hidden-k > 1 {
				all = append(all, Row{Task: rows[k].Task, Step: rows[k].Step, Text: fmt.Sprintf("... %d more", hidden-k)})
				k = hidden
				continue
			}
			all = append(all, rows[k])
			k++
		}
		i = j
	}
	return all
}

// operationsOf makes the rows of all events. It keeps the events that are cited, those at which a task that has not
// ended is stopped, and of each sync.Pool the last item that is used again.
func operationsOf(events []control.Event, cited []int) []Row {
	kept := make([]bool, len(events))
	last, again := make(map[string]int), make(map[int]int) // by task, and by pool
	for i, e := range events {
		last[e.Task] = i
		if e.Kind == strategy.Point && e.Source > 0 {
			again[e.Object] = i
		}
	}
	for i, e := range events {
		kept[i] = last[e.Task] == i && e.Kind != strategy.End || slices.Contains(cited, i)
	}
	for _, i := range again {
		kept[i], kept[events[i].Source-1] = true, true
	}
	var rows []Row
	for i := 0; i < len(events); {
		if events[i].Overtaken {
			i++
			continue
		}
		j := i + 1
		for j < len(events) && !events[j].Overtaken && continues(events[j-1], events[j]) {
			j++
		}
		rows = append(rows, rowOf(events[i:j], kept[i:j]))
		i = j
	}
	return rows
}

// waitsForLocks returns rows for the tasks that are left and wait for a lock: that is not an event, unless
// the wait is for the readers.
func waitsForLocks(events []control.Event, left []control.TaskState) (rows []Row) {
	waits := map[string]bool{} // each task's last event
	for _, e := range events {
		waits[e.Task] = e.Waits
	}
	for _, t := range left {
		if waits[t.Path] {
			continue
		}
		switch t.Kind {
		case strategy.Lock, strategy.RLock, strategy.Drain:
		default:
			continue
		}
		if t.Since == 0 || t.Object == 0 || len(t.Stack) == 0 {
			continue
		}
		rows = append(rows, Row{
			Task: t.Path, Step: t.Since, Text: called(t.Call, t.Kind), Objects: []int{t.Object},
			File: t.Stack[0].File, Line: t.Stack[0].Line, Remarks: []string{waiting}, Kept: true,
		})
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return a.Step - b.Step })
	return rows
}

// describe describes an event in a few words: the operation, on which object, where, and its
// outcome.
func describe(e control.Event) string { return rowOf([]control.Event{e}, []bool{false}).String() }

// repeated reports whether the task of an event does the same again or has done it before. The beginning of a wait is
// part of the operation.
func repeated(events []control.Event, i int) bool {
	e := events[i]
	for j, other := range events {
		if j != i && !other.Waits && !other.Overtaken && !(e.Waits && j == i-1) && other.Task == e.Task && other.Kind == e.Kind &&
			other.Object == e.Object && other.Call == e.Call && other.Point == e.Point && other.Site.File == e.Site.File && other.Site.Line == e.Site.Line {
			return true
		}
	}
	return false
}

// operation names the event: by its hook point, or the function called.
func operation(e control.Event) string {
	switch {
	case e.Kind == strategy.Clock:
		if e.Call != "" {
			return "timer of " + called(e.Call, e.Kind) + firing
		}
		return "timer" + firing
	case e.Kind == strategy.Begin && e.Entry != "":
		return e.Kind.String() + " " + e.Entry
	case e.Call != "":
		return called(e.Call, e.Kind)
	case e.Via.Object > 0 && e.Via.Send:
		return "select sends"
	case e.Via.Object > 0:
		return "select receives"
	case len(e.Polls) > 0:
		return strategy.Select.String()
	case e.Point == "" || e.Kind == strategy.Begin || e.Kind == strategy.End:
		return e.Kind.String()
	case e.Kind == strategy.Load && strings.HasSuffix(e.Point, "cas"):
		return e.Point + " (fails)"
	}
	return e.Point
}

// called returns a function without the path of its package, or what it does if that is unknown.
func called(function string, kind strategy.Kind) string {
	if function == "" {
		return kind.String()
	}
	return goroutines.Short(function)
}

func place(e control.Event) string { return fmt.Sprintf("%s:%d", path.Base(e.Site.File), e.Site.Line) }

// What tasks do in turn, again and again, is shown once at the beginning and once at the end: a ticker that
// fires while others wait for each other, or a loop that sleeps.

const (
	longestRound = 12 // rows
	fewestRounds = 4  // that are worth it
)

// withoutRounds leaves out the middle of such stretches.
func withoutRounds(rows []Row) (all []Row) {
	for i := 0; i < len(rows); {
		length, rounds := roundsAt(rows, i)
		if rounds < fewestRounds {
			all = append(all, rows[i])
			i++
			continue
		}
		hidden := (rounds - 2) * length
		all = append(all, rows[i:i+length]...)
		all = append(all, Row{Task: rows[i].Task, Step: rows[i+length].Step, Text: fmt.Sprintf("... %d more rows like these", hidden)})
		i += length + hidden
	}
	return all
}

// roundsAt returns the length of the shortest stretch of rows at i that is repeated, and how many rounds
// there are. Rows of one task alone are not rounds.
func roundsAt(rows []Row, i int) (length, rounds int) {
	for length = 2; length <= longestRound && i+fewestRounds*length <= len(rows); length++ {
		if !slices.ContainsFunc(rows[i:i+length], func(r Row) bool { return r.Task != rows[i].Task }) {
			continue
		}
		n := 0
		for j := i; j+length < len(rows) && !rows[j].Kept && rows[j].repeats(rows[j+length]); j++ {
			n++
		}
		if rounds = 1 + n/length; rounds >= fewestRounds {
			return length, rounds
		}
	}
	return 0, 0
}

// repeats reports whether two rows differ in nothing but the step and the objects, which may be new each
// time.
func (r Row) repeats(other Row) bool {
	return r.Task == other.Task && r.Text == other.Text && r.File == other.File && r.Line == other.Line &&
		slices.Equal(r.Remarks, other.Remarks) && !other.Kept
}
