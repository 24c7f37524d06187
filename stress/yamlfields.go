package stress

import (
	"slices"

	"github.com/goccy/go-yaml/ast"

	"github.com/rouse-go/rouse/internal/nearest"
)

// fields are the keys of one mapping of the file.
type fields struct {
	r     *reader
	what  string // what the mapping is, for messages: "a scenario"
	node  ast.Node
	byKey map[string]field
}

type field struct{ key, value ast.Node }

// fields reads a mapping whose keys are among names. Merged mappings
// (<<: *anchor) give what the mapping itself does not.
func (r *reader) fields(n ast.Node, what string, names []string) *fields {
	f := &fields{r: r, what: what, node: n, byKey: map[string]field{}}
	if r.taken != nil {
		r.taken[what] = names
	}
	for _, merged := range f.add(n, names, false) {
		for _, deeper := range f.add(merged, names, true) {
			r.fail(deeper, "found a merge within a merged mapping, want it directly in %s", what)
		}
	}
	for _, lower := range r.beneath[n] {
		for _, merged := range f.add(lower, names, true) {
			f.add(merged, names, true)
		}
	}
	return f
}

// add takes the keys of one mapping and returns the mappings that are to be
// merged into it.
func (f *fields) add(n ast.Node, names []string, merging bool) (merge []ast.Node) {
	var values []*ast.MappingValueNode
	switch m := f.r.resolve(n).(type) {
	case *ast.MappingNode:
		values = m.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{m}
	default:
		f.r.fail(n, "found %s, want %s: a mapping with the keys %s", found(m), f.what, enumerate(names))
		return nil
	}
	first := map[string]ast.Node{}
	for _, v := range values {
		if _, ok := v.Key.(*ast.MergeKeyNode); ok {
			merge = append(merge, v.Value)
			continue
		}
		key, ok := v.Key.(*ast.StringNode)
		if !ok {
			name := nearest.Clip(v.Key.GetToken().Value)
			f.r.fail(v.Key, "unknown key %q in %s; want one of %s", name, f.what, enumerate(names))
			return nil
		}
		name := key.Value
		if prior := first[name]; prior != nil {
			p := position(prior.GetToken())
			f.r.fail(key, "duplicate key %q in %s; the first is at line %d, column %d", name, f.what, p.Line, p.Column)
			return nil
		}
		first[name] = key
		if !slices.Contains(names, name) {
			f.r.fail(key, "unknown key %q in %s; %s", nearest.Clip(name), f.what, nearest.Hint(name, names))
			return nil
		}
		if _, set := f.byKey[name]; !set || !merging {
			f.byKey[name] = field{key, v.Value}
		}
	}
	return merge
}

func enumerate(names []string) string {
	s := ""
	for i, n := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			s += " and "
		default:
			s += ", "
		}
		s += n
	}
	return s
}

func (f *fields) has(key string) bool { _, ok := f.byKey[key]; return ok }

// need fails unless the key is there.
func (f *fields) need(keys ...string) {
	for _, k := range keys {
		if !f.has(k) {
			f.r.fail(f.node, "%s lacks the key %q", f.what, k)
		}
	}
}

// value of a key that is there.
func (f *fields) value(key string) ast.Node { return f.byKey[key].value }

// at is the key itself, for messages about what it stands for.
func (f *fields) at(key string) ast.Node { return f.byKey[key].key }

// each calls read with the value of every key that is there, in the order of
// the map keys given.
func (f *fields) each(reads []fieldReader) {
	for _, r := range reads {
		if f.has(r.key) && f.r.err == nil {
			r.read(f.value(r.key))
		}
	}
}

type fieldReader struct {
	key  string
	read func(ast.Node)
}

// keysOf lists the keys of the readers: what a mapping may hold.
func keysOf(reads []fieldReader) []string {
	var keys []string
	for _, r := range reads {
		keys = append(keys, r.key)
	}
	return keys
}
