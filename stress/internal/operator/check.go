package operator

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
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
