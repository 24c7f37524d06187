package shorthand

import (
	"bytes"
	"strings"
)

// A Text is YAML made of what a user wrote.
type Text struct {
	YAML []byte // a list
	Rest *Place // where what was left out begins; nil if nothing was
	// origins are those of its lines.
	origins []origin
}

// An origin is what of the user's text a line has, and how much was written before it.
type origin struct {
	line, column, length int // from 1, in characters
	prefix               int
}

// Place is where what stands in the YAML stands in the user's text. What was added is at
// the beginning or the end of what it was added to.
func (t *Text) Place(line, column int) (int, int) {
	if len(t.origins) == 0 {
		return 1, 1
	}
	o := t.origins[min(max(line, 1), len(t.origins))-1]
	return o.line, o.column + min(max(column-o.prefix-1, 0), o.length)
}

// Expand writes a list of mappings in full. The text, whose lines end in \n, is a list in YAML, in which
//
//   - dashes may be left out: each line that is indented no further than the first begins
//     an element, and those that are go on with it;
//   - braces may be left out of an element that has several keys on a line;
//   - a semicolon, outside quotation marks and brackets, begins the next element.
//
// A text that makes no use of that is not changed but for its indentation, and but for a
// mapping at the top, which becomes the one element. Whoever reads it finds what is no
// YAML. After more than most elements the rest is left out: it is too many anyway.
//
// The error is that a quotation mark or a bracket lacks its other; nil if none does.
func Expand(text string, most int) (*Text, *Unclosed) {
	s := scanner{level: -1, most: most}
	for i, line := range strings.Split(text, "\n") {
		s.lines = append(s.lines, []rune(line))
		s.scan(i)
		if s.rest != nil {
			break
		}
	}
	if open := s.unclosed(); open != nil && s.rest == nil {
		return nil, open
	}
	w := writer{lines: s.lines, level: max(s.level, 0)}
	for i, item := range s.items {
		end := len(s.lines)
		if i+1 < len(s.items) {
			end = s.items[i+1].begin.line
		} else if s.rest != nil {
			end = s.rest.Line - 1
		}
		w.item(item, end)
	}
	w.YAML, w.Rest = w.b.Bytes(), s.rest
	return &w.Text, nil
}

// A Place is one in the user's text, from 1.
type Place struct{ Line, Column int }

// An Unclosed mark stands there.
type Unclosed struct {
	Place
	Mark string // what it is
}

// A writer writes items in full.
type writer struct {
	Text
	lines [][]rune
	level int
	b     bytes.Buffer
}

// item writes one; end is the line after its last.
func (w *writer) item(it *item, end int) {
	if it.block || !it.short {
		first, rest := "", ""
		if !it.dash {
			first, rest = "- ", "  "
		}
		for n := it.begin.line; n < end; n++ {
			from := min(w.level, blanks(w.lines[n]))
			w.write(first, place{n, from}, len(w.lines[n]), "")
			first = rest
		}
		return
	}
	for _, p := range it.pieces {
		if p.to != p.from {
			w.piece(p)
		}
	}
}

// piece writes one as an element of its own.
func (w *writer) piece(p piece) {
	prefix, indent, suffix := "- {", "   ", "}"
	if strings.ContainsRune("{[&*!", w.lines[p.from.line][p.from.column]) {
		prefix, indent, suffix = "- ", "  ", ""
	}
	for n := p.from.line; n <= p.to.line; n++ {
		at, end, after := place{n, 0}, len(w.lines[n]), ""
		if n == p.from.line {
			at = p.from
		}
		if n == p.to.line {
			end, after = p.to.column, suffix
		}
		w.write(prefix, at, end, after)
		prefix = indent
	}
}

// write writes a line: what stands from there to the end, in the midst of what is added.
func (w *writer) write(prefix string, from place, end int, suffix string) {
	if end == from.column && suffix == "" {
		prefix = "" // an empty line stays one
	}
	w.origins = append(w.origins, origin{from.line + 1, from.column + 1, end - from.column, len(prefix)})
	w.b.WriteString(prefix + string(w.lines[from.line][from.column:end]) + suffix + "\n")
}

// blanks counts those that a line begins with.
func blanks(line []rune) int {
	for i, r := range line {
		if r != ' ' && r != '\t' {
			return i
		}
	}
	return len(line)
}
