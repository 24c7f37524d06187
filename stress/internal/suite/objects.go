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
	"github.com/rouse-go/rouse/internal/input"
)

// nameObjects names the objects of a report after the sources: the expression in the line that uses an object
// first, with the place of its declaration if that is in the same folder.
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

// ownRows removes operations on objects that the user's own lines do not use: with -race, operations of
// package testing are points too. It shows the end of a function that WaitGroup.Go has called as Done.
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

// sources holds parsed Go files. A file that cannot be parsed is nil.
type sources struct {
	set   *token.FileSet
	files map[string]*ast.File
	names map[use]string // of the used objects; "" if unknown
}

func newSources() *sources {
	return &sources{set: token.NewFileSet(), files: map[string]*ast.File{}, names: map[use]string{}}
}

// name adds the name of the first object of a use, unless that object has one.
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

// A selectCase is a case of a select: its line, and its channel in the form of describe.
type selectCase struct {
	line    int
	sends   bool
	channel string
}

// cases returns the cases of the select at a line, without the default, or nil if the line has several selects. A
// single case with a default is found at its own line.
func (s *sources) cases(file string, line int) (all []selectCase) {
	f := s.file(file)
	if f == nil {
		return nil
	}
	selects := 0
	ast.Inspect(f, func(n ast.Node) bool {
		if n, is := n.(*ast.CommClause); is && n.Comm != nil && s.set.Position(n.Pos()).Line == line {
			selects++
			all = append(all, s.caseOf(n))
		}
		if n, is := n.(*ast.SelectStmt); is && s.set.Position(n.Pos()).Line == line {
			selects++
			for _, c := range n.Body.List {
				if c := c.(*ast.CommClause); c.Comm != nil {
					all = append(all, s.caseOf(c))
				}
			}
		}
		return true
	})
	if selects > 1 {
		return nil
	}
	return all
}

func (s *sources) caseOf(c *ast.CommClause) selectCase {
	is := selectCase{line: s.set.Position(c.Pos()).Line}
	if send, sends := c.Comm.(*ast.SendStmt); sends {
		is.sends, is.channel = true, s.describe(send.Chan)
		return is
	}
	ast.Inspect(c.Comm, func(n ast.Node) bool { // the outermost receive is the one of the case
		if e, receives := n.(*ast.UnaryExpr); receives && e.Op == token.ARROW && is.channel == "" {
			is.channel = s.describe(e.X)
		}
		return is.channel == ""
	})
	return is
}

// nameSelected names the channels of selects that have no name yet, if only one name is possible: a channel that
// one select sends to and another receives from has a name that occurs in both. Then it sets the lines of the
// cases.
func (s *sources) nameSelected(steps []explain.Step, names map[int]string) {
	possible := map[int][]string{}
	selects := map[int][]selectCase{} // by step
	for i, step := range steps {
		if step.Text != "select" || step.File == "" {
			continue
		}
		if selects[i] = s.cases(step.File, step.Line); len(selects[i]) == 0 {
			continue
		}
		for _, o := range step.Objects {
			var here []string
			for _, c := range selects[i] {
				other := func(o2 int) bool { return o2 != o && names[o2] == c.channel }
				if v := step.Via; (v == nil || v.Object != o || v.Send == c.sends) && !slices.ContainsFunc(step.Objects, other) {
					here = append(here, c.channel)
				}
			}
			if before, known := possible[o]; known {
				here = slices.DeleteFunc(here, func(name string) bool { return !slices.Contains(before, name) })
			}
			possible[o] = slices.Compact(here)
		}
	}
	for o, only := range possible {
		if names[o] == "" && len(only) == 1 {
			names[o] = only[0]
		}
	}
	for i, cases := range selects {
		v := steps[i].Via
		if v == nil {
			continue
		}
		fits := slices.DeleteFunc(slices.Clone(cases), func(c selectCase) bool { return c.sends != v.Send })
		if named := slices.IndexFunc(fits, func(c selectCase) bool { return c.channel == names[v.Object] }); named >= 0 {
			steps[i].Case = fits[named].line
		} else if len(fits) == 1 {
			steps[i].Case = fits[0].line
		}
	}
}

// function returns the first and the last line of the function declaration around a line, or 0 and 0 if there is
// none.
func (s *sources) function(file string, line int) (first, last int) {
	f := s.file(file)
	if f == nil {
		return 0, 0
	}
	for _, d := range f.Decls {
		if d, is := d.(*ast.FuncDecl); is && s.set.Position(d.Pos()).Line <= line && line <= s.set.Position(d.End()).Line {
			return s.set.Position(d.Pos()).Line, s.set.Position(d.End()).Line
		}
	}
	return 0, 0
}

func (s *sources) file(name string) *ast.File {
	f, known := s.files[name]
	if !known {
		if text, err := input.Source(name); err == nil {
			if f, err = parser.ParseFile(s.set, name, text, 0); err != nil {
				f = nil
			}
		}
		s.files[name] = f
	}
	return f
}

// used returns the expression that an operation operates on: the receiver of the method that it calls, or a
// channel. It returns nil if that is unknown, also if several expressions of the line are possible.
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

// methodOf returns the name of the method that an operation calls, in upper or lower case: of "sync.(*Mutex).TryLock"
// and of "sync/mutex-try-lock". It returns "" if the operation calls no method.
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

// operand returns the operand of a node if the node is the given operation, and nil otherwise.
func operand(n ast.Node, what, method string) ast.Expr {
	switch n := n.(type) {
	case *ast.CallExpr:
		if isAtomic(n, what, method) {
			return pointedTo(n.Args[0])
		}
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

// isAtomic reports whether a call is the given operation as a function of sync/atomic, such as atomic.LoadInt64. The
// name of a hook point does not have the type.
func isAtomic(n *ast.CallExpr, what, method string) bool {
	f, is := n.Fun.(*ast.SelectorExpr)
	if !is || len(n.Args) == 0 {
		return false
	}
	if _, is := f.X.(*ast.Ident); !is {
		return false
	}
	if name, is := strings.CutPrefix(what, "atomic."); is {
		return f.Sel.Name == name
	}
	if method == "" || !strings.HasPrefix(what, "atomic/") || len(f.Sel.Name) <= len(method) || !strings.EqualFold(f.Sel.Name[:len(method)], method) {
		return false
	}
	return slices.Contains([]string{"Int32", "Int64", "Uint32", "Uint64", "Uintptr", "Pointer"}, f.Sel.Name[len(method):])
}

// pointedTo returns x.f for an expression like &x.f, and any other expression, which is a pointer, unchanged.
func pointedTo(x ast.Expr) ast.Expr {
	if u, is := ast.Unparen(x).(*ast.UnaryExpr); is && u.Op == token.AND {
		return u.X
	}
	return x
}

// describe returns an expression with the place of its declaration or, if that is not known, of its use.
func (s *sources) describe(x ast.Expr) string {
	text := types.ExprString(x)
	switch e := x.(type) {
	case *ast.Ident:
		if e.Obj != nil && e.Obj.Pos().IsValid() {
			return text + s.at(e.Obj.Pos())
		}
	case *ast.SelectorExpr:
		if at := s.field(filepath.Dir(s.set.Position(x.Pos()).Filename), structOf(e.X), e.Sel.Name); at.IsValid() {
			return text + s.at(at)
		}
	}
	return text + s.at(x.Pos())
}

func (s *sources) at(pos token.Pos) string {
	p := s.set.Position(pos)
	return fmt.Sprintf(" (%s:%d)", filepath.Base(p.Filename), p.Line)
}

// structOf returns the name of a variable's type if its declaration shows it, and "" otherwise.
func structOf(x ast.Expr) string {
	id, is := x.(*ast.Ident)
	if !is || id.Obj == nil {
		return ""
	}
	switch d := id.Obj.Decl.(type) {
	case *ast.Field:
		return typeName(d.Type)
	case *ast.ValueSpec:
		return typeName(d.Type)
	case *ast.AssignStmt:
		for i, left := range d.Lhs {
			if l, is := left.(*ast.Ident); is && l.Name == id.Name && len(d.Lhs) == len(d.Rhs) {
				value := d.Rhs[i]
				if u, is := value.(*ast.UnaryExpr); is && u.Op == token.AND {
					value = u.X
				}
				if c, is := value.(*ast.CompositeLit); is {
					return typeName(c.Type)
				}
			}
		}
	}
	return ""
}

// typeName returns the name of a type of the same package or of the type that it points to, or "" if there is none.
func typeName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return typeName(x.X)
	case *ast.IndexExpr:
		return typeName(x.X)
	case *ast.IndexListExpr:
		return typeName(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}

// field returns where the only field called name in the files of a folder is declared. If of is not "", only the
// type of that name counts.
func (s *sources) field(dir, of, name string) (at token.Pos) {
	names, _ := input.GoFiles(dir, ".go")
	n := 0
	for _, file := range names {
		f := s.file(file)
		if f == nil {
			continue
		}
		ast.Inspect(f, func(node ast.Node) bool {
			if t, is := node.(*ast.TypeSpec); is && of != "" {
				return t.Name.Name == of
			}
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
