package operator

import (
	"fmt"
	"slices"
	"strings"
)

const diffContext = 3 // lines

// A change replaces the lines from to to-1 of a text, counted from 0.
type change struct {
	from, to int
	lines    []string
}

// unified returns the unified diff of the edits.
func unified(source []byte, edits []Edit, name string) string {
	lines := split(string(source))
	changes := changed(source, edits, lines)
	if len(changes) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "--- a/%s\n+++ b/%[1]s\n", name)
	shift := 0
	for i := 0; i < len(changes); {
		next := i + 1
		for next < len(changes) && changes[next].from-changes[next-1].to <= 2*diffContext {
			next++
		}
		shift += writeHunk(&b, lines, changes[i:next], shift)
		i = next
	}
	return b.String()
}

// changed returns the changes of lines, ascending. Edits of one line, or of adjacent lines, are one change.
func changed(source []byte, edits []Edit, lines []string) []change {
	starts := make([]int, len(lines)+1)
	for i, l := range lines {
		starts[i+1] = starts[i] + len(l)
	}
	line := func(offset int) int { // the line of an offset
		i, found := slices.BinarySearch(starts, offset)
		if !found {
			i--
		}
		return i
	}
	var changes []change
	for i := 0; i < len(edits); {
		from, to, next := line(edits[i].Start), 0, i
		for ; next < len(edits) && (next == i || line(edits[next].Start) <= to); next++ {
			to = max(to, min(line(edits[next].End)+1, len(lines)))
		}
		from = min(from, to)
		var within []Edit
		for _, e := range edits[i:next] {
			within = append(within, Edit{e.Start - starts[from], e.End - starts[from], e.New})
		}
		c := change{from, to, split(string(apply(source[starts[from]:starts[to]], within)))}
		if c.trim(lines); c.from < c.to || len(c.lines) > 0 {
			changes = append(changes, c)
		}
		i = next
	}
	return changes
}

// split returns the lines of a text, with their ends.
func split(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// trim drops unchanged lines at both ends.
func (c *change) trim(lines []string) {
	for c.from < c.to && len(c.lines) > 0 && lines[c.from] == c.lines[0] {
		c.from, c.lines = c.from+1, c.lines[1:]
	}
	for c.from < c.to && len(c.lines) > 0 && lines[c.to-1] == c.lines[len(c.lines)-1] {
		c.to, c.lines = c.to-1, c.lines[:len(c.lines)-1]
	}
}

// writeHunk writes changes that are close together, and returns by how many lines they make the text
// longer. shift is the sum of that over earlier hunks.
func writeHunk(b *strings.Builder, lines []string, changes []change, shift int) (longer int) {
	from := max(changes[0].from-diffContext, 0)
	to := min(changes[len(changes)-1].to+diffContext, len(lines))
	for _, c := range changes {
		longer += len(c.lines) - (c.to - c.from)
	}
	oldCount, newCount := to-from, to-from+longer
	oldFrom, newFrom := from+1, from+1+shift
	if oldCount == 0 {
		oldFrom--
	}
	if newCount == 0 {
		newFrom--
	}
	fmt.Fprintf(b, "@@ -%d,%d +%d,%d @@\n", oldFrom, oldCount, newFrom, newCount)
	at := from
	for _, c := range changes {
		writeLines(b, ' ', lines[at:c.from])
		writeLines(b, '-', lines[c.from:c.to])
		writeLines(b, '+', c.lines)
		at = c.to
	}
	writeLines(b, ' ', lines[at:to])
	return longer
}

func writeLines(b *strings.Builder, sign byte, lines []string) {
	for _, l := range lines {
		b.WriteByte(sign)
		b.WriteString(l)
		if !strings.HasSuffix(l, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}
