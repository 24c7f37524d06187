package explain

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// Rows of a table, at most, and events that a task may make in a row before the
// middle of them is left out.
const (
	mostRows = 60
	mostRun  = 6
	width    = 44 // of a column, in characters
)

// Table shows the events, the first at the top, with a column for each task. Of
// long stretches in which nobody else moves the middle is left out, and of a long
// execution the beginning.
func Table(events []control.Event) string {
	var tasks []string
	column := make(map[string]int)
	for _, e := range events {
		if _, ok := column[e.Task]; !ok {
			column[e.Task] = len(tasks)
			title := e.Task
			if e.Name != "" {
				title += " (" + e.Name + ")"
			}
			tasks = append(tasks, title)
		}
	}
	rows := rows(events)
	var b strings.Builder
	if len(rows) > mostRows {
		fmt.Fprintf(&b, "(the first %d rows are left out)\n", len(rows)-mostRows)
		rows = rows[len(rows)-mostRows:]
	}
	used := make([]bool, len(tasks))
	for _, r := range rows {
		used[column[r.task]] = true
	}
	line := func(in int, text string) {
		cells := make([]string, 0, len(tasks))
		for i := range tasks {
			switch {
			case !used[i]:
			case i == in || in < 0:
				cell := text
				if in < 0 {
					cell = tasks[i]
				}
				cells = append(cells, pad(cell))
			default:
				cells = append(cells, pad(""))
			}
		}
		b.WriteString(strings.TrimRight(strings.Join(cells, " | "), " |") + "\n")
	}
	line(-1, "")
	for _, r := range rows {
		line(column[r.task], r.text)
	}
	return b.String()
}

type row struct{ task, text string }

// rows makes a row of each event, or of several that nobody interrupts.
func rows(events []control.Event) []row {
	var all []row
	for i := 0; i < len(events); {
		j := i + 1
		for j < len(events) && events[j].Stays {
			j++
		}
		run := events[i:j]
		for k, e := range run {
			if n := len(run); n > mostRun && k == mostRun/2 {
				all = append(all, row{e.Task, fmt.Sprintf("... %d more", n-mostRun)})
			} else if n > mostRun && k > mostRun/2 && k < n-mostRun/2 {
				continue
			}
			all = append(all, row{e.Task, Describe(e)})
		}
		i = j
	}
	return all
}

// Describe says in a few words what an event was: the operation, on which object,
// where.
func Describe(e control.Event) string {
	text := e.Kind.String()
	if e.Point != "" && e.Kind != strategy.Begin && e.Kind != strategy.End {
		text = e.Point
		if e.Kind == strategy.Load && strings.HasSuffix(e.Point, "cas") {
			text += " (fails)"
		}
	}
	if e.Object > 0 {
		text += fmt.Sprintf(" [%d]", e.Object)
	}
	if e.Site.File != "" {
		text += fmt.Sprintf(" %s:%d", path.Base(e.Site.File), e.Site.Line)
	}
	return text
}

// pad makes a cell of the text.
func pad(text string) string {
	n := utf8.RuneCountInString(text)
	if n > width {
		r := []rune(text)
		return string(r[:width-1]) + "~"
	}
	return text + strings.Repeat(" ", width-n)
}
