package operator

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/packages"
)

// A checker type-checks the package with one file changed. If the change is within a function, it
// checks only that function if possible; otherwise the file, with the declarations of the other
// files.
type checker struct {
	p     *packages.Package
	bare  map[*ast.File]*ast.File  // without the bodies of functions
	types map[string]*ast.TypeSpec // the types of the package

	mu    sync.Mutex
	alone map[*ast.FuncDecl]bool // whether a function can be checked alone
}

func newChecker(p *packages.Package) *checker {
	c := &checker{p: p, bare: map[*ast.File]*ast.File{}, types: map[string]*ast.TypeSpec{}, alone: map[*ast.FuncDecl]bool{}}
	for _, f := range p.Syntax {
		bare := *f
		bare.Decls = nil
		for _, d := range f.Decls {
			switch declared := d.(type) {
			case *ast.FuncDecl:
				without := *declared
				without.Body = nil
				d = &without
			case *ast.GenDecl:
				for _, s := range declared.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						c.types[s.Name.Name] = s
					}
				}
			}
			bare.Decls = append(bare.Decls, d)
		}
		c.bare[f] = &bare
	}
	return c
}

// Import implements types.Importer for the imports of the package.
func (c *checker) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := c.p.Imports[path]; p != nil && p.Types != nil {
		return p.Types, nil
	}
	return nil, errors.New("not imported: " + path)
}

// A fault is an error in the changed file.
type fault struct {
	offset  int // in the changed text
	message string
}

// faults returns what is wrong with a file after some edits. It reports false if it does not parse.
func (c *checker) faults(f *file, edits []Edit) (found []fault, parses bool) {
	fset := c.p.Fset
	changed, err := parser.ParseFile(fset, f.name, apply(f.source, edits), parser.SkipObjectResolution)
	if changed == nil {
		return nil, false
	}
	t := fset.File(changed.FileStart)
	defer fset.RemoveFile(t)
	if err != nil {
		return nil, false
	}
	if d := f.changed(edits); d != nil && c.checksAlone(f, d) {
		if now := sameFunction(f.syntax, changed, d); now != nil {
			for _, e := range c.checkAlone(changed, now) {
				if offset, ok := original(edits, t.Offset(e.Pos)); !ok || !f.usesElsewhere(e.Msg, offset, d) {
					found = append(found, fault{t.Offset(e.Pos), e.Msg})
				}
			}
			return found, true
		}
	}
	var files []*ast.File
	for _, other := range c.p.Syntax {
		if other == f.syntax {
			files = append(files, changed)
		} else {
			files = append(files, c.bare[other])
		}
	}
	for _, e := range c.check(types.NewPackage(c.p.PkgPath, c.p.Name), files) {
		if fset.File(e.Pos) == t { // without bodies the other files have errors of their own
			found = append(found, fault{t.Offset(e.Pos), e.Msg})
		}
	}
	return found, true
}

// check type-checks files as parts of a package, and returns the errors.
func (c *checker) check(pkg *types.Package, files []*ast.File) (found []types.Error) {
	config := types.Config{Importer: c, Sizes: c.p.TypesSizes, Error: func(err error) {
		if e := (types.Error{}); errors.As(err, &e) {
			found = append(found, e)
		}
	}}
	if m := c.p.Module; m != nil && m.GoVersion != "" {
		config.GoVersion = "go" + m.GoVersion
	}
	types.NewChecker(&config, c.p.Fset, pkg, nil).Files(files) // its errors are in found
	return found
}

// repair returns the edits with additions that make them compile: a variable or an import that they
// leave unused is used. It reports false if that is not enough.
func (c *checker) repair(f *file, edits []Edit) ([]Edit, bool) {
	for range 4 { // the repair of one fault may reveal another
		found, parses := c.faults(f, edits)
		if !parses {
			return nil, false
		}
		if len(found) == 0 {
			return edits, true
		}
		checked := edits
		for _, fault := range found {
			offset, ok := original(checked, fault.offset)
			if !ok {
				return nil, false
			}
			e, ok := f.use(fault.message, offset)
			if !ok {
				return nil, false
			}
			edits = append(edits, e)
			if edits, ok = ordered(edits); !ok {
				return nil, false
			}
		}
	}
	return nil, false
}

// use returns the edit that fixes an error about something unused.
func (f *file) use(message string, offset int) (Edit, bool) {
	name, variable := strings.CutPrefix(message, "declared and not used: ")
	if !variable && !isUnusedImport(message) {
		return Edit{}, false
	}
	pos := f.token.Pos(offset)
	c, ok := f.root.FindByPos(pos, pos)
	if !ok {
		return Edit{}, false
	}
	if variable {
		return f.useVariable(c, name)
	}
	for c := range c.Enclosing((*ast.ImportSpec)(nil)) {
		s := c.Node().(*ast.ImportSpec)
		if s.Name != nil {
			return f.replace(s.Name, "_"), true
		}
		return f.insertBefore(s.Path, "_ "), true
	}
	return Edit{}, false
}

// useVariable adds _ = name after the declaration.
func (f *file) useVariable(c inspector.Cursor, name string) (Edit, bool) {
	after := func(pos token.Pos) (Edit, bool) {
		at := f.token.Offset(pos) + 1
		return Edit{at, at, " _ = " + name + ";"}, true
	}
	for ; c.Node() != nil; c = c.Parent() {
		switch kind := c.ParentEdgeKind(); {
		case inList(kind):
			return f.insertAfter(c.Node(), "; _ = "+name), true
		case kind == edge.IfStmt_Init:
			return after(c.Parent().Node().(*ast.IfStmt).Body.Lbrace)
		case kind == edge.ForStmt_Init:
			return after(c.Parent().Node().(*ast.ForStmt).Body.Lbrace)
		case kind == edge.RangeStmt_Key, kind == edge.RangeStmt_Value:
			return after(c.Parent().Node().(*ast.RangeStmt).Body.Lbrace)
		case kind == edge.CommClause_Comm:
			return after(c.Parent().Node().(*ast.CommClause).Colon)
		case kind == edge.SwitchStmt_Init, kind == edge.TypeSwitchStmt_Init, kind == edge.TypeSwitchStmt_Assign, kind == edge.FuncDecl_Body:
			return Edit{}, false
		}
	}
	return Edit{}, false
}

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
