package operator

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

func apply(source []byte, edits []Edit) []byte {
	var text []byte
	at := 0
	for _, e := range edits {
		text = append(text, source[at:e.Start]...)
		text = append(text, e.New...)
		at = e.End
	}
	return append(text, source[at:]...)
}

// ordered sorts edits. It reports false if two overlap.
func ordered(edits []Edit) ([]Edit, bool) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	for i := 1; i < len(edits); i++ {
		if edits[i].Start < edits[i-1].End {
			return nil, false
		}
	}
	return edits, true
}

// original returns the offset in the source of an offset in the changed text. It reports false for
// new text.
func original(edits []Edit, offset int) (int, bool) {
	shift := 0 // of the changed text
	for _, e := range edits {
		if offset < e.Start+shift {
			break
		}
		if offset < e.Start+shift+len(e.New) {
			return 0, false
		}
		shift += len(e.New) - (e.End - e.Start)
	}
	return offset - shift, true
}

func (f *file) offset(n ast.Node) (start, end int) {
	return f.token.Offset(n.Pos()), f.token.Offset(n.End())
}

// lineStart returns the offset at which the line of an offset begins.
func (f *file) lineStart(offset int) int { return bytes.LastIndexByte(f.source[:offset], '\n') + 1 }

// text returns the source of a node.
func (f *file) text(n ast.Node) string {
	start, end := f.offset(n)
	return string(f.source[start:end])
}

func (f *file) replace(n ast.Node, text string) Edit {
	start, end := f.offset(n)
	return Edit{start, end, text}
}

// swap returns the edits that exchange two nodes.
func (f *file) swap(a, b ast.Node) []Edit {
	return []Edit{f.replace(a, f.text(b)), f.replace(b, f.text(a))}
}

// remove deletes a statement, with its lines and their comment if nothing else is on them.
func (f *file) remove(n ast.Node) Edit {
	start, end := f.offset(n)
	first := f.lineStart(start)
	last := len(f.source)
	if i := bytes.IndexByte(f.source[end:], '\n'); i >= 0 {
		last = end + i + 1
	}
	rest := bytes.TrimSpace(f.source[end:last])
	switch {
	case len(bytes.TrimSpace(f.source[first:start])) > 0 || len(rest) > 0 && !bytes.HasPrefix(rest, []byte("//")):
	default:
		return Edit{first, last, ""}
	}
	if bytes.HasPrefix(rest, []byte(";")) {
		end += bytes.IndexByte(f.source[end:], ';') + 1
		for end < len(f.source) && f.source[end] == ' ' {
			end++
		}
	}
	return Edit{start, end, ""}
}

// insertAfter adds text after a node.
func (f *file) insertAfter(n ast.Node, text string) Edit {
	_, end := f.offset(n)
	return Edit{end, end, text}
}

// insertBefore adds text before a node.
func (f *file) insertBefore(n ast.Node, text string) Edit {
	start, _ := f.offset(n)
	return Edit{start, start, text}
}

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
