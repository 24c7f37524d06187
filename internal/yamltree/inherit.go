package yamltree

import (
	"maps"

	"github.com/goccy/go-yaml/ast"
)

// Adopt lets the fields of this reader inherit from those of the other.
func (r *Reader) Adopt(other *Reader) {
	maps.Copy(r.anchors, other.anchors)
	maps.Copy(r.beneath, other.beneath)
}

// Inherit adds the fields of base among keys that f lacks. Where both have one of deep, which are
// mappings, the mapping of f inherits the keys that it lacks. Until Own, errors in what was inherited
// are reported at site.
func (f *Fields) Inherit(base *Fields, site Node, keys, deep []string) {
	for _, key := range keys {
		inherited, ok := base.byKey[key]
		if !ok {
			continue
		}
		if !f.Has(key) {
			f.byKey[key] = inherited
			f.r.inherited(inherited)
			continue
		}
		for _, d := range deep {
			if key == d {
				own := f.Value(key)
				f.r.beneath[own] = append([]Node{inherited.value}, f.r.beneath[inherited.value]...)
				f.r.inherited(inherited)
			}
		}
	}
	f.r.site = site
}

// Own ends the effect of Inherit on the places of errors.
func (r *Reader) Own() {
	r.site = nil
	clear(r.foreign)
}

// inherited records the tokens of an inherited field.
func (r *Reader) inherited(from field) {
	for _, n := range append([]Node{from.key, from.value}, r.beneath[from.value]...) {
		ast.Walk(foreignVisitor{r}, n)
	}
}

// A foreignVisitor records the tokens of all nodes that it visits, aliases included.
type foreignVisitor struct{ *Reader }

func (s foreignVisitor) Visit(n Node) ast.Visitor {
	s.foreign[startOf(n)] = true
	s.foreign[n.GetToken()] = true
	if alias, ok := n.(*ast.AliasNode); ok {
		ast.Walk(s, s.anchors[alias])
	}
	return s
}
