package explain

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// Rows of a table, at most, and rows that a task may have one after the other before the middle of them
// is left out. mostRows bounds what is kept of an execution. A table of more columns than maxColumns is not wider than
// widthOfMany.
const (
	maxRows     = 60
	maxRun      = 6
	mostRows    = 2000
	maxColumns  = 40
	widthOfMany = 120
)

// A Table is an execution: the rows in the order of time, and a column for each task, parents before
// children and elder ones before younger.
type Table struct {
	Columns []Column `json:"columns"`
	Rows    []Row    `json:"rows"`
	Left    int      `json:"left,omitempty"` // rows that are left out, of the first LeftOf
	LeftOf  int      `json:"left_of,omitempty"`
}

// A Column is the column of a task.
type Column struct {
	Task  string `json:"task"`
	Title string `json:"title"`
	Part  bool   `json:"part,omitempty"` // the task takes part in the failure, or in its schedule
}

// NewTable makes a table of events, the first at the top. cited are the events that are explained, left
// the tasks that are part of the verdict, and scheduled the paths of those in the schedule.
func NewTable(events []control.Event, cited []int, left []control.TaskState, scheduled []string) *Table {
	t := &Table{Rows: rowsOf(withEntries(events), cited)}
	if waits := waitsForLocks(events, left); len(waits) > 0 {
		t.Rows = append(t.Rows, waits...)
		slices.SortStableFunc(t.Rows, func(a, b Row) int { return cmp.Compare(a.Step, b.Step) })
	}
	t.cut(mostRows)
	part := map[string]bool{"main": true, "clock": true}
	for _, task := range scheduled {
		part[task] = true
	}
	for path := range foremost(events, left) {
		part[path] = true
	}
	for _, i := range cited {
		part[events[i].Task] = true
	}
	t.columns(events, part)
	return t
}

// withEntries sets, on the beginnings of tasks, the functions that they run, which only later events
// have. A task with that name needs none.
func withEntries(events []control.Event) []control.Event {
	entries := map[string]string{}
	for _, e := range events {
		if e.Entry != "" && e.Entry != e.Name {
			entries[e.Task] = e.Entry
		}
	}
	if len(entries) == 0 {
		return events
	}
	events = slices.Clone(events)
	for i := range events {
		if e := &events[i]; e.Kind == strategy.Begin {
			e.Entry = entries[e.Task]
		}
	}
	return events
}

// columns makes the columns of the tasks that have a row.
func (t *Table) columns(events []control.Event, part map[string]bool) {
	shown := map[string]bool{}
	for _, r := range t.Rows {
		shown[r.Task] = true
	}
	at := map[string]int{}
	for _, e := range events {
		if !shown[e.Task] {
			continue
		}
		i, known := at[e.Task]
		if !known {
			i = len(t.Columns)
			at[e.Task] = i
			t.Columns = append(t.Columns, Column{Task: e.Task, Title: e.Task, Part: part[e.Task]})
		}
		if e.Name != "" { // it may come late
			t.Columns[i].Title = control.Title(e.Task, e.Name)
		}
	}
	slices.SortStableFunc(t.Columns, func(a, b Column) int { return comparePaths(a.Task, b.Task) })
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

// cut leaves out rows from the beginning, except those that are kept, so that about most are left. A
// single row is not worth a line that says that it is left out.
func (t *Table) cut(most int) {
	head := t.Rows[:max(0, len(t.Rows)-most)]
	var kept []Row
	for _, r := range head {
		if r.Kept {
			kept = append(kept, r)
		}
	}
	if left := len(head) - len(kept); left > 1 {
		t.Rows = append(kept, t.Rows[len(head):]...)
		t.Left, t.LeftOf = t.Left+left, t.LeftOf+len(head)
	}
}

// only returns the table with those columns.
func (t *Table) only(columns []Column) *Table {
	with := &Table{Columns: columns, Left: t.Left, LeftOf: t.LeftOf}
	shown := map[string]bool{}
	for _, c := range columns {
		shown[c.Task] = true
	}
	for _, r := range t.Rows {
		if shown[r.Task] {
			with.Rows = append(with.Rows, r)
		}
	}
	with.Rows = shortened(with.Rows)
	return with
}

// Text returns the table for a width in columns of text; 0 means any. If it is too wide, the columns
// overlap; if there are many, the tasks that do not take part in the failure are one line.
func (t *Table) Text(width int) string {
	all := *t
	all.cut(maxRows)
	all.dropEmpty()
	if width == 0 && len(t.Columns) > maxColumns {
		width = widthOfMany
	}
	switch {
	case width == 0 || all.width() <= width:
		return all.aligned()
	case all.shift(width) >= goodShift:
		return all.staggered(width)
	}
	some := t.only(t.participants(width))
	some.cut(maxRows)
	some.dropEmpty()
	text := ""
	if some.width() <= width {
		text = some.aligned()
	} else {
		text = some.staggered(width)
	}
	return text + t.others(some, width)
}

// participants returns the columns of the tasks that take part and, as long as the table fits, of those
// that did something last.
func (t *Table) participants(width int) []Column {
	shown, seen := map[string]bool{}, map[string]bool{}
	var last []string // tasks, the last first
	for i := len(t.Rows) - 1; i >= 0; i-- {
		if task := t.Rows[i].Task; !seen[task] {
			seen[task] = true
			last = append(last, task)
		}
	}
	columns := func() (some []Column) {
		for _, c := range t.Columns {
			if c.Part || shown[c.Task] {
				some = append(some, c)
			}
		}
		return some
	}
	for _, task := range last {
		if shown[task] = true; t.only(columns()).width() > width {
			shown[task] = false
			break
		}
	}
	return columns()
}

// dropEmpty leaves out columns without a row.
func (t *Table) dropEmpty() {
	used := map[string]bool{}
	for _, r := range t.Rows {
		used[r.Task] = true
	}
	t.Columns = slices.DeleteFunc(slices.Clone(t.Columns), func(c Column) bool { return !used[c.Task] })
}
