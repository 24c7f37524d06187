package yamltree

import (
	"maps"

	"github.com/goccy/go-yaml/ast"
)

// Adopt lets fields of the other reader be inherited by those of this one.
func (r *Reader) Adopt(other *Reader) {
	maps.Copy(r.anchors, other.anchors)
	maps.Copy(r.beneath, other.beneath)
}

// Inherit gives the fields those of base that they do not have, among keys. Where both
// have one of deep, which are mappings, each key of base's that the own does not have is
// inherited. What is wrong with any of that is an error at site from here on; until Own.
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

// Own ends what Inherit has begun: errors stand where they are.
func (r *Reader) Own() {
	r.site = nil
	clear(r.foreign)
}

// inherited notes where else the field is from.
func (r *Reader) inherited(from field) {
	for _, n := range append([]Node{from.key, from.value}, r.beneath[from.value]...) {
		ast.Walk(strangers{r}, n)
	}
}

// strangers notes the tokens of all nodes that it visits, and of those that aliases stand for.
type strangers struct{ *Reader }

func (s strangers) Visit(n Node) ast.Visitor {
	s.foreign[startOf(n)] = true
	s.foreign[n.GetToken()] = true
	if alias, ok := n.(*ast.AliasNode); ok {
		ast.Walk(s, s.anchors[alias])
	}
	return s
}
