package operator

import (
	"bytes"
	"cmp"
	"go/ast"
	"slices"
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
