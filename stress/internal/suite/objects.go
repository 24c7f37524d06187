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
	l := newLegend(p.Objects)
	for i := range p.Table.Rows {
		r := &p.Table.Rows[i]
		s.name(l, r.Objects, use{r.Text, r.File, r.Line})
		r.Line = s.nameSelected(l, r.File, r.Line, r.Via, r.Polls)
	}
	dropNumbers(p)
}

// dropNumbers removes from the rows of a table the numbers that say nothing: those of objects without a name that
// nothing else in the report refers to, such as a lock inside of a library.
func dropNumbers(p *explain.Page) {
	used := map[int]int{}
	for _, r := range p.Table.Rows {
		for _, o := range r.Objects {
			used[o]++
		}
	}
	for _, l := range p.Left {
		used[l.Object] += 2
		for _, o := range l.Others {
			used[o] += 2
		}
	}
	said := strings.Join(p.Why, " ")
	for i := range p.Table.Rows {
		r := &p.Table.Rows[i]
		r.Objects = slices.DeleteFunc(r.Objects, func(o int) bool {
			return p.Objects[o] == "" && used[o] == 1 && !strings.Contains(said, fmt.Sprintf("[%d]", o))
		})
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
func (s *sources) name(l *legend, objects []int, u use) {
	if len(objects) == 0 || u.file == "" || l.names[objects[0]] != "" {
		return
	}
	name, known := s.names[u]
	if !known {
		if x := s.used(u); x != nil {
			name = s.describe(x)
		}
		s.names[u] = name
	}
	l.set(objects[0], name)
}

// A legend holds the names of objects, by their numbers, and which names are taken.
type legend struct {
	names map[int]string
	taken map[string]bool
}

func newLegend(names map[int]string) *legend {
	l := &legend{names, map[string]bool{}}
	for _, name := range names {
		l.taken[name] = true
	}
	return l
}

// set names an object that has no name yet. Of several with one name the second gets " #2", and so on: a variable may
// stand for another object each time, and a call of a library for several.
func (l *legend) set(o int, name string) {
	if name == "" || l.names[o] != "" {
		return
	}
	what, at, _ := strings.Cut(name, " (")
	for n := 2; l.taken[name]; n++ {
		name = fmt.Sprintf("%s #%d (%s", what, n, at)
	}
	l.names[o], l.taken[name] = name, true
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

// nameSelected names the channels of a select that have no name yet, and returns the line of the case that it takes, or
// that of the select. Cases that send are numbered apart from those that receive.
func (s *sources) nameSelected(l *legend, file string, line int, via *explain.Communication, polls []explain.Communication) int {
	if file == "" || via == nil && len(polls) == 0 {
		return line
	}
	var sides [2][]selectCase
	all := s.cases(file, line)
	for _, c := range all {
		sides[side(c.sends)] = append(sides[side(c.sends)], c)
	}
	if via != nil {
		if of := sides[side(via.Send)]; via.Nth < len(of) {
			l.set(via.Object, of[via.Nth].channel)
			return of[via.Nth].line
		}
		return line
	}
	sends := 0
	for _, c := range polls {
		sends += side(c.Send)
	}
	if len(polls) == len(all) && (len(all) == 1 || sends == len(sides[1])) { // otherwise some are nil
		for i, c := range slices.Concat(sides[1], sides[0]) {
			l.set(polls[i].Object, c.channel)
		}
	}
	return line
}

// side is 1 for cases that send, and 0 for others.
func side(sends bool) int {
	if sends {
		return 1
	}
	return 0
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
	switch {
	case several:
		return nil
	case x == nil:
		return s.deferred(f, u, method)
	}
	return x
}

// deferred is used for an operation at the end of a function: that of its only statement to defer such a one.
func (s *sources) deferred(f *ast.File, u use, method string) (x ast.Expr) {
	n := 0
	for _, d := range f.Decls {
		if s.set.Position(d.Pos()).Line > u.line || s.set.Position(d.End()).Line < u.line {
			continue
		}
		ast.Inspect(d, func(node ast.Node) bool {
			if d, is := node.(*ast.DeferStmt); is {
				if e := operand(d.Call, u.text, method); e != nil {
					x, n = e, n+1
				}
			}
			return true
		})
	}
	if n != 1 {
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
