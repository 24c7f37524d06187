package explain

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rouse-go/rouse/internal/plain"
)

// separator is between two columns, and stepTitle above the numbers of steps.
const (
	separator = " | "
	stepTitle = "step"
)

// widths returns the widths of the columns, and of the numbers of steps; 0 if there are none.
func (t *Table) widths() (columns []int, steps int) {
	at := map[string]int{}
	for i, c := range t.Columns {
		columns = append(columns, utf8.RuneCountInString(c.Title))
		at[c.Task] = i
	}
	for _, r := range t.Rows {
		if i, ok := at[r.Task]; ok {
			columns[i] = max(columns[i], utf8.RuneCountInString(r.String()))
		}
		if r.Step > 0 {
			steps = max(steps, len(strconv.Itoa(r.Step)), len(stepTitle))
		}
	}
	return columns, steps
}

// width returns the width of the aligned table.
func (t *Table) width() int {
	columns, sum := t.widths()
	for _, w := range columns {
		sum += len(separator) + w
	}
	return sum
}

// omission returns a line about the rows that are left out.
func (t *Table) omission() string {
	switch t.Left {
	case 0:
		return ""
	case t.LeftOf:
		return fmt.Sprintf("(the first %d rows are left out)\n", t.Left)
	}
	return fmt.Sprintf("(%d of the first %d rows are left out)\n", t.Left, t.LeftOf)
}

// number returns the beginning of a line: the number of the step.
func number(step, width int) string {
	switch {
	case width == 0:
		return ""
	case step == 0:
		return strings.Repeat(" ", width) + separator
	}
	return fmt.Sprintf("%*d%s", width, step, separator)
}

// aligned returns the table with the cells of a task below each other.
func (t *Table) aligned() string {
	var b strings.Builder
	b.WriteString(t.omission())
	columns, steps := t.widths()
	line := func(begin string, cell func(c Column) string) {
		b.WriteString(begin)
		for i, c := range t.Columns {
			if i > 0 {
				b.WriteString(separator)
			}
			text := cell(c)
			b.WriteString(text)
			if i < len(t.Columns)-1 {
				b.WriteString(strings.Repeat(" ", columns[i]-utf8.RuneCountInString(text)))
			}
		}
		b.WriteByte('\n')
	}
	begin := ""
	if steps > 0 {
		begin = fmt.Sprintf("%*s%s", steps, stepTitle, separator)
	}
	line(begin, func(c Column) string { return c.Title })
	for _, r := range t.Rows {
		line(number(r.Step, steps), func(c Column) string {
			if c.Task == r.Task {
				return r.String()
			}
			return ""
		})
	}
	return b.String()
}

// Distances between the beginnings of two columns that overlap. With less than goodShift a table is hard
// to read.
const leastShift, goodShift, mostShift = 2, 8, 24

// shift returns the distance by which the table fits that width; it may be negative.
func (t *Table) shift(width int) int {
	columns, steps := t.widths()
	shift := mostShift
	for i := 1; i < len(columns); i++ {
		shift = min(shift, (width-steps-len(separator)-columns[i])/i)
	}
	return shift
}

// staggered returns the table in which each column begins a little to the right of the one before it,
// and its cells overlap with those to the right of it.
func (t *Table) staggered(width int) string {
	_, steps := t.widths()
	at := map[string]int{}
	for i, c := range t.Columns {
		at[c.Task] = i
	}
	shift := max(t.shift(width), leastShift)
	lane := "|" + strings.Repeat(" ", shift-1)
	var b strings.Builder
	b.WriteString(t.omission())
	for i, c := range t.Columns {
		b.WriteString(number(0, steps) + strings.Repeat(lane, i) + c.Title + "\n")
	}
	for _, r := range t.Rows {
		b.WriteString(number(r.Step, steps) + strings.Repeat(lane, at[r.Task]) + r.String() + "\n")
	}
	return b.String()
}

// others lists in one line, folded to the width, the tasks that are left out of a part of the
// table.
func (t *Table) others(some *Table, width int) string {
	shown := map[string]bool{}
	for _, c := range some.Columns {
		shown[c.Task] = true
	}
	var parts []string
	var run []string // of columns in a row
	n := 0
	flush := func() {
		if len(run) > 2 {
			run = []string{run[0] + " ... " + run[len(run)-1]}
		}
		parts, run = append(parts, run...), nil
	}
	for _, c := range t.Columns {
		if shown[c.Task] {
			flush()
			continue
		}
		run = append(run, c.Task)
		n++
	}
	flush()
	switch n {
	case 0:
		return ""
	case 1:
		return "1 other: " + parts[0] + "\n"
	}
	return plain.Wrap(fmt.Sprintf("%d others: %s", n, strings.Join(parts, ", ")), width, "    ") + "\n"
}
