package operator

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/packages"
)

// A checker type-checks the package with one file changed. Of the other files it takes only the
// declarations, so that it takes about as long as the changed file.
type checker struct {
	p    *packages.Package
	bare map[*ast.File]*ast.File // without the bodies of functions
}

func newChecker(p *packages.Package) *checker {
	c := &checker{p: p, bare: map[*ast.File]*ast.File{}}
	for _, f := range p.Syntax {
		bare := *f
		bare.Decls = nil
		for _, d := range f.Decls {
			if function, ok := d.(*ast.FuncDecl); ok {
				without := *function
				without.Body = nil
				d = &without
			}
			bare.Decls = append(bare.Decls, d)
		}
		c.bare[f] = &bare
	}
	return c
}

// Import makes the checker the importer of what the package imports.
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
	offset  int // of the changed text
	message string
}

// faults returns what is wrong with a file if its text is changed. It reports false if that does not
// parse.
func (c *checker) faults(f *file, text []byte) (found []fault, parses bool) {
	fset := c.p.Fset
	changed, err := parser.ParseFile(fset, f.name, text, parser.SkipObjectResolution)
	if changed == nil {
		return nil, false
	}
	t := fset.File(changed.FileStart)
	defer fset.RemoveFile(t)
	if err != nil {
		return nil, false
	}
	var files []*ast.File
	for _, other := range c.p.Syntax {
		if other == f.syntax {
			files = append(files, changed)
		} else {
			files = append(files, c.bare[other])
		}
	}
	config := types.Config{Importer: c, Sizes: c.p.TypesSizes, Error: func(err error) {
		// Without bodies the other files have errors of their own.
		if e := (types.Error{}); errors.As(err, &e) && fset.File(e.Pos) == t {
			found = append(found, fault{t.Offset(e.Pos), e.Msg})
		}
	}}
	if m := c.p.Module; m != nil && m.GoVersion != "" {
		config.GoVersion = "go" + m.GoVersion
	}
	config.Check(c.p.PkgPath, fset, files, nil) // its errors are in found
	return found, true
}

// repair returns the edits with what makes them compile: a variable or an import that they leave
// unused is used. It reports false if they do not compile otherwise.
func (c *checker) repair(f *file, edits []Edit) ([]Edit, bool) {
	for range 4 { // what repairs one fault may show another
		found, parses := c.faults(f, apply(f.source, edits))
		if !parses {
			return nil, false
		}
		if len(found) == 0 {
			return edits, true
		}
		for _, fault := range found {
			offset, ok := original(edits, fault.offset)
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

// use is the edit against an error that something is not used.
func (f *file) use(message string, offset int) (Edit, bool) {
	name, variable := strings.CutPrefix(message, "declared and not used: ")
	imported := strings.HasSuffix(message, "imported and not used") || strings.Contains(message, " imported as ")
	if !variable && !imported {
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

// useVariable adds _ = name behind the declaration.
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
