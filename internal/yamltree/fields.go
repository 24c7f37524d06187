package yamltree

import (
	"slices"
	"time"

	"github.com/goccy/go-yaml/ast"

	"github.com/rouse-go/rouse/internal/nearest"
)

// Fields are the keys of one mapping of the text.
type Fields struct {
	r     *Reader
	what  string // what the mapping is, for messages: "a scenario"
	node  Node
	byKey map[string]field
}

type field struct{ key, value Node }

// Fields reads a mapping whose keys are among names, or any if names is nil. A merged mapping (<<: *anchor) provides the keys
// that the mapping itself lacks.
func (r *Reader) Fields(n Node, what string, names []string) *Fields {
	f := &Fields{r: r, what: what, node: n, byKey: map[string]field{}}
	for _, merged := range f.add(n, names, false) {
		for _, deeper := range f.add(merged, names, true) {
			r.Fail(deeper, "found a merge within a merged mapping, want it directly in %s", what)
		}
	}
	return f
}

// add reads the keys of one mapping and returns the mappings to merge into it.
func (f *Fields) add(n Node, names []string, merging bool) (merge []Node) {
	values, ok := f.r.entries(n)
	switch {
	case !ok && names == nil:
		f.r.Fail(n, "found %s, want a mapping to merge into %s", f.r.Found(n), f.what)
	case !ok:
		f.r.Fail(n, "found %s, want %s: a mapping with the keys %s", f.r.Found(n), f.what, nearest.Enumerate(names))
	}
	first := map[string]Node{}
	for _, v := range values {
		if _, ok := v.Key.(*ast.MergeKeyNode); ok {
			merge = append(merge, v.Value)
			continue
		}
		key, name := Node(v.Key), v.Key.GetToken().Value
		text, ok := v.Key.(*ast.StringNode)
		if ok {
			name = text.Value
		} else if names != nil {
			f.r.Fail(key, "unknown key %q in %s; want one of %s", nearest.Clip(name), f.what, nearest.Enumerate(names))
			return nil
		}
		if prior := first[name]; prior != nil {
			line, column := f.r.Place(prior)
			f.r.Fail(key, "duplicate key %q in %s; the first is at line %d, column %d", nearest.Clip(name), f.what, line, column)
			return nil
		}
		first[name] = key
		if names != nil && !slices.Contains(names, name) {
			f.r.Fail(key, "unknown key %q in %s; %s", nearest.Clip(name), f.what, nearest.Hint(name, names))
			return nil
		}
		if _, set := f.byKey[name]; !set || !merging {
			f.byKey[name] = field{key, v.Value}
		}
	}
	return merge
}

// entries returns the keys and values of a mapping; ok is false if the node is something else.
func (r *Reader) entries(n Node) (all []*ast.MappingValueNode, ok bool) {
	switch m := r.resolve(n).(type) {
	case *ast.MappingNode:
		return m.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{m}, true
	}
	return nil, false
}

// Has reports whether the key is present.
func (f *Fields) Has(key string) bool { _, ok := f.byKey[key]; return ok }

// Need fails unless the keys are present.
func (f *Fields) Need(keys ...string) {
	for _, k := range keys {
		if !f.Has(k) {
			f.r.Fail(f.node, "%s lacks the key %q", f.what, k)
		}
	}
}

// Value returns the value of a key that is present.
func (f *Fields) Value(key string) Node { return f.byKey[key].value }

// Peek returns the value of a key, and whether it is present, without a check of the other keys.
func (r *Reader) Peek(n Node, key string) (Node, bool) {
	values, _ := r.entries(n)
	for _, v := range values {
		if k, ok := v.Key.(*ast.StringNode); ok && k.Value == key {
			return v.Value, true
		}
	}
	return nil, false
}

// A Value is the value of a key, with the methods of Reader for callers that do not handle nodes.
// Messages name its key.
type Value struct {
	r   *Reader
	n   Node
	key string
}

// Get returns the value of a key, and whether the key is present.
func (f *Fields) Get(key string) (Value, bool) {
	v, ok := f.byKey[key]
	return Value{f.r, v.value, key}, ok
}

// Text is Reader.Text.
func (v Value) Text() string { return v.r.Text(v.n, v.key) }

// Texts is Reader.Texts, of any texts.
func (v Value) Texts() []string {
	return v.r.Texts(v.n, v.key, func(n Node) string { return v.r.Text(n, v.key) })
}

// Number is Reader.Number.
func (v Value) Number(low, high int64) int64 { return v.r.Number(v.n, v.key, low, high) }

// Unsigned is Reader.Unsigned.
func (v Value) Unsigned() uint64 { return v.r.Unsigned(v.n, v.key) }

// Fraction is Reader.Fraction.
func (v Value) Fraction() float64 { return v.r.Fraction(v.n, v.key) }

// Duration is Reader.Duration.
func (v Value) Duration() time.Duration { return v.r.Duration(v.n, v.key) }

// Durations is Reader.Durations.
func (v Value) Durations() (low, high time.Duration) { return v.r.Durations(v.n, v.key) }

// Written is Reader.Written.
func (v Value) Written() string { return v.r.Written(v.n) }

// Fail is Reader.Fail.
func (v Value) Fail(format string, args ...any) { v.r.Fail(v.n, format, args...) }

// FailElement is Fail at the i-th of the elements that Texts reads, from 0.
func (v Value) FailElement(i int, format string, args ...any) {
	n := v.n
	if v.r.IsList(n) {
		n = v.r.Elements(n, v.key)[i]
	}
	v.r.Fail(n, format, args...)
}
