package operator

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// A function is checked alone in a separate package that has the objects of the real one. There it is a
// function named _, with the receiver as its first parameter.

// changed returns the function that has all of the edits in its body, or nil.
func (f *file) changed(edits []Edit) *ast.FuncDecl {
	if len(edits) == 0 {
		return nil
	}
	for _, d := range f.syntax.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
			start, end := f.offset(d.Body)
			if start < edits[0].Start && edits[len(edits)-1].End < end {
				return d
			}
		}
	}
	return nil
}

// sameFunction returns the changed version of a function of the file.
func sameFunction(before, after *ast.File, d *ast.FuncDecl) *ast.FuncDecl {
	i := slices.Index(before.Decls, ast.Decl(d))
	if i < 0 || len(after.Decls) != len(before.Decls) {
		return nil
	}
	now, _ := after.Decls[i].(*ast.FuncDecl)
	return now
}

// checksAlone reports whether the unchanged function, checked alone, has no errors except for imports
// that only other code uses.
func (c *checker) checksAlone(f *file, d *ast.FuncDecl) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	alone, known := c.alone[d]
	if !known {
		alone = !slices.ContainsFunc(c.checkAlone(f.syntax, d), func(e types.Error) bool {
			return c.p.Fset.File(e.Pos) != f.token || !f.usesElsewhere(e.Msg, f.token.Offset(e.Pos), d)
		})
		c.alone[d] = alone
	}
	return alone
}

// checkAlone checks a function of a file, and returns the errors.
func (c *checker) checkAlone(of *ast.File, d *ast.FuncDecl) []types.Error {
	function := *d
	function.Doc, function.Recv = nil, nil
	function.Name = &ast.Ident{NamePos: d.Name.NamePos, Name: "_"}
	if d.Recv != nil {
		signature := *d.Type
		signature.Params = withReceiver(d)
		if names := receiverParameters(d); len(names) > 0 {
			spec := c.types[names[0]]
			if spec == nil || !slices.Equal(names[1:], parameterNames(spec.TypeParams)) {
				return []types.Error{{Fset: c.p.Fset, Pos: d.Recv.Pos(), Msg: "the receiver has other names"}}
			}
			signature.TypeParams = spec.TypeParams
		}
		function.Type = &signature
	}
	file := *of
	file.Decls = nil
	for _, other := range of.Decls {
		if g, ok := other.(*ast.GenDecl); ok && len(g.Specs) > 0 {
			if _, ok := g.Specs[0].(*ast.ImportSpec); ok {
				file.Decls = append(file.Decls, g)
			}
		}
	}
	file.Decls = append(file.Decls, &function)
	pkg := types.NewPackage(c.p.PkgPath, c.p.Name)
	for _, name := range c.p.Types.Scope().Names() {
		pkg.Scope().Insert(c.p.Types.Scope().Lookup(name))
	}
	return c.check(pkg, []*ast.File{&file})
}

// withReceiver returns the list of parameters with the receiver as the first, all with names.
func withReceiver(d *ast.FuncDecl) *ast.FieldList {
	list := *d.Type.Params
	list.List = nil
	for _, p := range slices.Concat(d.Recv.List, d.Type.Params.List) {
		if len(p.Names) == 0 {
			named := *p
			named.Names = []*ast.Ident{{NamePos: p.Type.Pos(), Name: "_"}}
			p = &named
		}
		list.List = append(list.List, p)
	}
	return &list
}

// receiverParameters returns the name of a receiver's generic type and those of its type parameters,
// or nil.
func receiverParameters(d *ast.FuncDecl) []string {
	t := ast.Unparen(d.Recv.List[0].Type)
	if star, ok := t.(*ast.StarExpr); ok {
		t = ast.Unparen(star.X)
	}
	var parameters []ast.Expr
	switch g := t.(type) {
	case *ast.IndexExpr:
		t, parameters = g.X, []ast.Expr{g.Index}
	case *ast.IndexListExpr:
		t, parameters = g.X, g.Indices
	default:
		return nil
	}
	names := []string{types.ExprString(t)}
	for _, p := range parameters {
		names = append(names, types.ExprString(p))
	}
	return names
}

func parameterNames(list *ast.FieldList) (names []string) {
	if list == nil {
		return nil
	}
	for _, field := range list.List {
		for _, name := range field.Names {
			names = append(names, name.Name)
		}
	}
	return names
}

// usesElsewhere reports whether an error is about an unused import, at an offset of the file, that
// something outside the function uses.
func (f *file) usesElsewhere(message string, offset int, d *ast.FuncDecl) bool {
	if !isUnusedImport(message) {
		return false
	}
	for _, s := range f.syntax.Imports {
		start, end := f.offset(s)
		name := f.info.PkgNameOf(s)
		if offset < start || offset >= end || name == nil {
			continue
		}
		for _, id := range f.imported[name] {
			if id.Pos() < d.Pos() || id.Pos() >= d.End() {
				return true
			}
		}
	}
	return false
}

func isUnusedImport(message string) bool {
	return strings.HasSuffix(message, "imported and not used") || strings.Contains(message, " imported as ")
}

// importedNames returns the identifiers of the file that refer to imports.
func (f *file) importedNames() map[*types.PkgName][]*ast.Ident {
	names := map[*types.PkgName][]*ast.Ident{}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if name, ok := f.info.Uses[id].(*types.PkgName); ok {
				names[name] = append(names[name], id)
			}
		}
		return true
	})
	return names
}
