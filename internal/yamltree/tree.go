package yamltree

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/goccy/go-yaml/ast"
)

// maxValues bounds the number of values to which aliases and merge keys can expand a text.
const maxValues = 256 << 10

// A Tree is a node with anchors, aliases and merge keys resolved.
type Tree struct {
	What   string           // its name in messages: "a scenario"
	Fields map[string]*Tree // of a mapping
	Items  []*Tree          // of a list
	// Scalar is another value: a bool, int64, uint64, float64 or string; nil stands for null, for a
	// tag, and for a number that is not finite.
	Scalar any

	r         *Reader
	node, key Node
	site      *Tree // where the value was inherited, for errors
}

// Tree returns the tree of a node. Messages call the elements of a list by the name that elements has
// for its key. The elements of the list with the key opaque are left out, as null.
func (r *Reader) Tree(n Node, what string, elements map[string]string, opaque string) *Tree {
	b := treeBuilder{r, elements, opaque, maxValues}
	return b.tree(nil, n, what)
}

type treeBuilder struct {
	r        *Reader
	elements map[string]string
	opaque   string
	left     int // values
}

func (b *treeBuilder) tree(key, n Node, what string) *Tree {
	t := &Tree{What: what, r: b.r, node: n, key: key}
	if b.left--; b.left < 0 {
		b.r.Fail(n, "aliases and merges make more than %d values of the text, want fewer", maxValues)
	}
	if b.r.Err != nil {
		return t
	}
	switch v := b.r.resolve(n).(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		t.Fields = map[string]*Tree{}
		fields := b.r.Fields(n, what, nil).byKey
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			t.Fields[name] = b.tree(fields[name].key, fields[name].value, name)
		}
	case *ast.SequenceNode:
		t.Items = []*Tree{}
		for _, e := range v.Values {
			element := what
			if name := b.elements[what]; name != "" {
				element = name
			}
			if what == b.opaque {
				t.Items = append(t.Items, &Tree{What: element, r: b.r, node: e})
			} else {
				t.Items = append(t.Items, b.tree(nil, e, element))
			}
		}
	default:
		t.Scalar = scalar(v)
	}
	return t
}

func scalar(n Node) any {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value
	case *ast.LiteralNode:
		return n.Value.Value
	case *ast.IntegerNode:
		return n.Value
	case *ast.BoolNode:
		return n.Value
	case *ast.FloatNode:
		if !math.IsNaN(n.Value) && !math.IsInf(n.Value, 0) {
			return n.Value
		}
	}
	return nil
}

// Plain returns the tree as values of encoding/json.
func (t *Tree) Plain() any {
	switch {
	case t.Fields != nil:
		all := map[string]any{}
		for key, value := range t.Fields {
			all[key] = value.Plain()
		}
		return all
	case t.Items != nil:
		all := []any{}
		for _, value := range t.Items {
			all = append(all, value.Plain())
		}
		return all
	}
	return t.Scalar
}

// At returns the tree at the end of a path of keys and indices, or the last one on the path.
func (t *Tree) At(path []string) *Tree {
	for _, step := range path {
		next := t.Fields[step]
		if i, err := strconv.Atoi(step); err == nil && i < len(t.Items) {
			next = t.Items[i]
		}
		if next == nil {
			break
		}
		t = next
	}
	return t
}

// Get returns the value of a key, or an empty tree if it is absent.
func (t *Tree) Get(key string) *Tree {
	if value := t.Fields[key]; value != nil {
		return value
	}
	return &Tree{}
}

// Element returns the i-th element of a list, modulo its length, or the tree itself if it is no list.
func (t *Tree) Element(i int) *Tree {
	if len(t.Items) > 0 {
		return t.Items[i%len(t.Items)]
	}
	return t
}

// Text returns the text, and Texts the only text or the texts of a list. They ignore other values.
func (t *Tree) Text() string {
	s, _ := t.Scalar.(string)
	return s
}

func (t *Tree) Texts() (all []string) {
	for _, e := range append([]*Tree{t}, t.Items...) {
		if s, ok := e.Scalar.(string); ok {
			all = append(all, s)
		}
	}
	return all
}

// Int returns the whole number.
func (t *Tree) Int() int64 {
	switch n := t.Scalar.(type) {
	case int64:
		return n
	case uint64:
		return int64(n)
	case float64:
		return int64(n)
	}
	return 0
}

// Inherit adds the fields of base that the mapping lacks, except for the keys in without. If both have a
// key in deep whose value is a mapping, that mapping inherits as well. Errors in inherited values are
// reported at site.
func (t *Tree) Inherit(base, site *Tree, without, deep []string) {
	for key, inherited := range base.Fields {
		switch own := t.Fields[key]; {
		case slices.Contains(without, key):
		case own == nil:
			t.Fields[key] = inherited.at(site)
		case slices.Contains(deep, key) && own.Fields != nil:
			own.Inherit(inherited, site, nil, nil)
		}
	}
}

// at returns a copy whose errors are reported at site.
func (t *Tree) at(site *Tree) *Tree {
	c := *t
	c.site = site
	if t.Fields != nil {
		c.Fields = map[string]*Tree{}
	}
	for key, value := range t.Fields {
		c.Fields[key] = value.at(site)
	}
	c.Items = slices.Clone(t.Items)
	for i := range c.Items {
		c.Items[i] = c.Items[i].at(site)
	}
	return &c
}

// Mapping reads the keys of the node, as Fields does.
func (t *Tree) Mapping(keys []string, read func(*Fields)) {
	r := *t.r
	read(r.Fields(t.node, t.What, keys))
	switch {
	case r.Err == nil:
	case t.site != nil:
		t.Fail("%s", r.Err.Problem)
	default:
		t.r.Err = r.Err
	}
}

// Found describes the value for a message.
func (t *Tree) Found() string { return t.r.Found(t.node) }

// Written returns a scalar as written, without quotation marks, or "" for other values.
func (t *Tree) Written() string { return t.r.Written(t.node) }

// Fail records an error at the value.
func (t *Tree) Fail(format string, args ...any) { t.fail(t.node, format, args...) }

// FailKey records an error at the key.
func (t *Tree) FailKey(format string, args ...any) { t.fail(t.key, format, args...) }

func (t *Tree) fail(n Node, format string, args ...any) {
	if t.site != nil {
		t.site.Fail("what comes from there does not fit: "+format, args...)
	} else {
		t.r.Fail(n, format, args...)
	}
}

// Place returns where an error at the value is reported.
func (t *Tree) Place() (line, column int) {
	if t.site != nil {
		return t.site.Place()
	}
	return t.r.Place(t.node)
}
