package measure

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf8"
)

// A Table is a Markdown table that can be read as text, too. The first column is
// aligned to the left, all others to the right unless they are Text.
type Table struct {
	Head []string
	Text bool
	rows [][]string
}

// Row adds a row: as many cells as Head has.
func (t *Table) Row(cells ...string) { t.rows = append(t.rows, cells) }

// String returns the table, which ends in a newline.
func (t *Table) String() string {
	widths := make([]int, len(t.Head))
	for _, row := range append([][]string{t.Head}, t.rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell), 3)
		}
	}
	var b strings.Builder
	line := func(cells []string) {
		for i, cell := range cells {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i == 0 || t.Text {
				fmt.Fprintf(&b, "| %s%s ", cell, pad)
			} else {
				fmt.Fprintf(&b, "| %s%s ", pad, cell)
			}
		}
		b.WriteString("|\n")
	}
	line(t.Head)
	for i, width := range widths {
		if i == 0 || t.Text {
			fmt.Fprintf(&b, "| %s ", strings.Repeat("-", width))
		} else {
			fmt.Fprintf(&b, "| %s: ", strings.Repeat("-", width-1))
		}
	}
	b.WriteString("|\n")
	for _, row := range t.rows {
		line(row)
	}
	return b.String()
}

// Nanoseconds formats a number of nanoseconds with three significant digits.
func Nanoseconds(ns float64) string {
	if math.IsNaN(ns) {
		return "-"
	}
	unit, name := time.Nanosecond, "ns"
	switch {
	case ns >= 1e9:
		unit, name = time.Second, "s"
	case ns >= 1e6:
		unit, name = time.Millisecond, "ms"
	case ns >= 1e3:
		unit, name = time.Microsecond, "us"
	}
	x := ns / float64(unit)
	digits := 0
	switch {
	case x < 10 && name != "ns":
		digits = 2
	case x < 100 && name != "ns":
		digits = 1
	}
	return fmt.Sprintf("%.*f %s", digits, x, name)
}

// Ratio formats the ratios of several rounds: their median, and the bounds of their
// middle half.
func Ratio(s Series) string {
	sorted := s.Sorted()
	return fmt.Sprintf("%.2f (%.2f-%.2f)", sorted.Quantile(0.5), sorted.Quantile(0.25), sorted.Quantile(0.75))
}
