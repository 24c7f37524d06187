package suite

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/explain"
)

// nameObjects names the objects of a report by the sources: as the line that uses one first has it, and
// where that is declared, if it is in the same folder.
func nameObjects(p *explain.Page) {
	if p.Table == nil {
		return
	}
	s := newSources()
	p.Objects = map[int]string{}
	for _, r := range p.Table.Rows {
		s.name(p.Objects, r.Objects, use{r.Text, r.File, r.Line})
	}
}

// ownRows removes operations on objects that the user's own lines do not use: with -race the operations
// of package testing are points. The end of a function that WaitGroup.Go has called is Done.
func ownRows(t *explain.Table) {
	if t == nil {
		return
	}
	own := map[int]bool{}
	for _, r := range t.Rows {
		for _, o := range r.Objects {
			own[o] = own[o] || r.File != ""
		}
	}
	t.Rows = slices.DeleteFunc(t.Rows, func(r explain.Row) bool {
		return r.File == "" && strings.HasPrefix(r.Text, "atomic.") && !r.Kept &&
			!slices.ContainsFunc(r.Objects, func(o int) bool { return own[o] })
	})
	for i := range t.Rows {
		if r := &t.Rows[i]; r.File == "" && r.Text == "sync.(*WaitGroup).Add" {
			r.Text = "sync.(*WaitGroup).Done"
		}
	}
}

// A use is an operation at a line.
type use struct {
	text, file string
	line       int
}

// sources are files of Go, parsed; nil if that was not possible.
type sources struct {
	set   *token.FileSet
	files map[string]*ast.File
	names map[use]string // of what is used; "" is unknown
}

func newSources() *sources {
	return &sources{set: token.NewFileSet(), files: map[string]*ast.File{}, names: map[use]string{}}
}

// name adds the name of the first of the objects of a use, unless it has one.
func (s *sources) name(names map[int]string, objects []int, u use) {
	if len(objects) == 0 || u.file == "" || names[objects[0]] != "" {
		return
	}
	name, known := s.names[u]
	if !known {
		if x := s.used(u); x != nil {
			name = s.describe(x)
		}
		s.names[u] = name
	}
	if name != "" {
		names[objects[0]] = name
	}
}

func (s *sources) file(name string) *ast.File {
	f, known := s.files[name]
	if !known {
		var err error
		if f, err = parser.ParseFile(s.set, name, nil, 0); err != nil {
			f = nil
		}
		s.files[name] = f
	}
	return f
}

// used returns the expression for what an operation is about: the receiver of the method that it calls, or a
// channel. nil is unknown, and so is which of several it is that the line has.
func (s *sources) used(u use) (x ast.Expr) {
	f := s.file(u.file)
	if f == nil {
		return nil
	}
	method := methodOf(u.text)
	several := false
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil || s.set.Position(n.Pos()).Line > u.line || s.set.Position(n.End()).Line < u.line {
			return false
		}
		if e := operand(n, u.text, method); e != nil && s.set.Position(e.End()).Line == u.line {
			several = several || x != nil && types.ExprString(x) != types.ExprString(e)
			x = e // the last one is the innermost
		}
		return true
	})
	if several {
		return nil
	}
	return x
}

// methodOf is the name of the method that an operation calls, in any case: of "sync.(*Mutex).TryLock" and of
// "sync/mutex-try-lock"; "" is none.
func methodOf(operation string) string {
	if _, name, is := strings.Cut(operation, ")."); is {
		return name
	}
	of, name, _ := strings.Cut(operation, "/")
	switch {
	case operation == "atomic/cas":
		return "CompareAndSwap"
	case of != "atomic" && of != "sync":
		return ""
	}
	if _, after, is := strings.Cut(name, "-"); is {
		name = after
	}
	return strings.ReplaceAll(name, "-", "")
}

// operand returns what a node is about, if it is that operation; nil if it is another.
func operand(n ast.Node, what, method string) ast.Expr {
	switch n := n.(type) {
	case *ast.CallExpr:
		if f, is := n.Fun.(*ast.SelectorExpr); is && method != "" && strings.EqualFold(f.Sel.Name, method) {
			return f.X
		}
		if f, is := n.Fun.(*ast.SelectorExpr); is && what != "channel/select" && len(n.Args) > 0 && strings.EqualFold("channel/"+f.Sel.Name, what) {
			return n.Args[0]
		}
		if f, is := n.Fun.(*ast.Ident); is && f.Name == "close" && what == "close" && len(n.Args) == 1 {
			return n.Args[0]
		}
	case *ast.UnaryExpr:
		if n.Op == token.ARROW && what == "receive" {
			return n.X
		}
	case *ast.RangeStmt:
		if what == "receive" {
			return n.X
		}
	case *ast.SendStmt:
		if what == "send" {
			return n.Chan
		}
	}
	return nil
}

// describe is an expression with the place of its declaration; if that is not known, of its use.
func (s *sources) describe(x ast.Expr) string {
	text := types.ExprString(x)
	switch e := x.(type) {
	case *ast.Ident:
		if e.Obj != nil && e.Obj.Pos().IsValid() {
			return text + s.at(e.Obj.Pos())
		}
	case *ast.SelectorExpr:
		if at := s.field(filepath.Dir(s.set.Position(x.Pos()).Filename), e.Sel.Name); at.IsValid() {
			return text + s.at(at)
		}
	}
	return text + s.at(x.Pos())
}

func (s *sources) at(pos token.Pos) string {
	p := s.set.Position(pos)
	return fmt.Sprintf(" (%s:%d)", filepath.Base(p.Filename), p.Line)
}

// field returns where the only field of that name is declared in the files of a folder.
func (s *sources) field(dir, name string) (at token.Pos) {
	names, _ := filepath.Glob(filepath.Join(escapeGlob(dir), "*.go"))
	n := 0
	for _, file := range names {
		f := s.file(file)
		if f == nil {
			continue
		}
		ast.Inspect(f, func(node ast.Node) bool {
			if t, is := node.(*ast.StructType); is {
				for _, field := range t.Fields.List {
					for _, id := range field.Names {
						if id.Name == name {
							at, n = id.Pos(), n+1
						}
					}
				}
			}
			return true
		})
	}
	if n != 1 {
		return token.NoPos
	}
	return at
}
