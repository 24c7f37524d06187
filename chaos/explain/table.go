package explain

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// Rows of a table, at most, and events that a task may make in a row before the
// middle of them is left out.
const (
	maxRows = 60
	maxRun  = 6
)

// Table shows the events, the first at the top, with a column for each task. The middle of long
// stretches of one task is left out, and of a long execution the beginning; but never the cited
// events, nor where a task that has not ended is stopped.
func Table(events []control.Event, cited ...int) string {
	rows := rowsOf(events, cited)
	head, left := rows[:max(0, len(rows)-maxRows)], 0
	var kept []row
	for _, r := range head {
		if r.kept {
			kept = append(kept, r)
		} else {
			left++
		}
	}
	if left > 1 {
		rows = append(kept, rows[len(head):]...)
	}
	columns := columnsOf(events, rows)
	var b strings.Builder
	switch {
	case left < 2:
	case len(kept) == 0:
		fmt.Fprintf(&b, "(the first %d rows are left out)\n", left)
	default:
		fmt.Fprintf(&b, "(%d of the first %d rows are left out)\n", left, len(head))
	}
	line := func(cell func(c column) string) {
		for i, c := range columns {
			if i > 0 {
				b.WriteString(" | ")
			}
			text := cell(c)
			b.WriteString(text)
			if i < len(columns)-1 {
				b.WriteString(strings.Repeat(" ", c.width-utf8.RuneCountInString(text)))
			}
		}
		b.WriteByte('\n')
	}
	line(func(c column) string { return c.title })
	for _, r := range rows {
		line(func(c column) string {
			if c.task == r.task {
				return r.text
			}
			return ""
		})
	}
	return b.String()
}

type column struct {
	task, title string
	width       int
}

// columnsOf returns the columns of the tasks that have a row, parents before children and elder
// ones before younger.
func columnsOf(events []control.Event, rows []row) []column {
	var all []column
	width := make(map[string]int)
	for _, r := range rows {
		width[r.task] = max(width[r.task], utf8.RuneCountInString(r.text))
	}
	for _, e := range events {
		if _, ok := width[e.Task]; !ok {
			continue
		}
		i := slices.IndexFunc(all, func(c column) bool { return c.task == e.Task })
		if i < 0 {
			i = len(all)
			all = append(all, column{task: e.Task, title: e.Task, width: width[e.Task]})
		}
		if e.Name != "" { // it may come late
			all[i].title = control.Title(e.Task, e.Name)
		}
	}
	for i := range all {
		all[i].width = max(all[i].width, utf8.RuneCountInString(all[i].title))
	}
	slices.SortStableFunc(all, func(a, b column) int { return comparePaths(a.task, b.task) })
	return all
}

// comparePaths orders "main/2" before "main/10".
func comparePaths(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "/"), strings.Split(b, "/"), func(a, b string) int {
		if c := cmp.Compare(len(a), len(b)); c != 0 {
			return c
		}
		return strings.Compare(a, b)
	})
}

// A row that is kept may not be left out.
type row struct {
	task, text string
	kept       bool
}

// rowsOf makes a row of each event; the middle of a long stretch of one task is one row.
func rowsOf(events []control.Event, cited []int) []row {
	kept := make([]bool, len(events))
	last := make(map[string]int)
	for i, e := range events {
		last[e.Task] = i
	}
	for i, e := range events {
		kept[i] = last[e.Task] == i && e.Kind != strategy.End || slices.Contains(cited, i)
	}
	var all []row
	for i := 0; i < len(events); {
		j := i + 1
		for j < len(events) && events[j].Stays {
			j++
		}
		for k := i; k < j; {
			if events[k].Overtaken {
				k++
				continue
			}
			hidden := k
			if j-i > maxRun {
				for hidden >= i+maxRun/2 && hidden < j-maxRun/2 && !kept[hidden] {
					hidden++
				}
			}
			if hidden-k > 1 {
				all = append(all, row{events[k].Task, fmt.Sprintf("... %d more", hidden-k), false})
				k = hidden
				continue
			}
			all = append(all, row{events[k].Task, describe(events[k]), kept[k]})
			k++
		}
		i = j
	}
	return all
}

// describe says in a few words what an event was: the operation, on which object, where, and its
// outcome.
func describe(e control.Event) string {
	text := operation(e)
	if e.Object > 0 {
		text += fmt.Sprintf(" [%d]", e.Object)
	}
	if e.Site.File != "" {
		text += " " + place(e)
	}
	if e.Waits {
		text += " (waits)"
	}
	for _, more := range []string{e.Outcome, e.Fault, e.Note} {
		if more != "" {
			text += " (" + more + ")"
		}
	}
	return text
}

// operation names the event: by its hook point, or the function called.
func operation(e control.Event) string {
	switch {
	case e.Kind == strategy.Clock:
		return "timer fires"
	case e.Call != "":
		return e.Call
	case e.Point == "" || e.Kind == strategy.Begin || e.Kind == strategy.End:
		return e.Kind.String()
	case e.Kind == strategy.Load && strings.HasSuffix(e.Point, "cas"):
		return e.Point + " (fails)"
	}
	return e.Point
}

func place(e control.Event) string { return fmt.Sprintf("%s:%d", path.Base(e.Site.File), e.Site.Line) }
