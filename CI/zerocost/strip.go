package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A stripper removes hooks from the files of one package. What is left keeps its line numbers.
//
//	hooks.At(p)  hooks.Name(s)  memory.Fence(o)   nothing
//	for range hooks.Notify(p) { send }            { send }, without `if !hooks.Enabled { break }` at its end
//	hooks.Notify(p)                               1
//	hooks.Fail(p)  Unwinding(v)  Controlled()     false
//	hooks.Goroutine()                             0
//	hooks.Value(p, v)                             v
//	go hooks.Task(f)()                            go f()
//	if hooks.Enabled { ... } else { x }           { x }; nothing without else
//	if !hooks.Enabled { x } else { ... }          { x }
//	hooks.Enabled                                 false
//	hooks.Point  hooks.Declare(...)               struct{} and its value
//	hooks/sync, atomic, time, context             the standard package
//	memory.AddUint32(&x, d, o)                    (&x).Add(d), and so on
type stripper struct {
	hooks   string // the import path of package hooks
	fset    *token.FileSet
	imports map[string]string // of the file: name -> import path
	where   string            // the function

	functions []string        // all, as the linker names them: F, T.M, (*T).M
	hooked    map[string]bool // the functions that had a hook or a drop-in in them
	points    []string        // the package's variables that hold hook points
	left      []finding       // uses of hooks that have no meaning without them
}

// dropIns maps a package below hooks to the package that it replaces.
var dropIns = map[string]string{"sync": "sync", "atomic": "sync/atomic", "time": "time", "context": "context"}

func newStripper(modulePath string) *stripper {
	return &stripper{hooks: modulePath + "/hooks", fset: token.NewFileSet(), hooked: map[string]bool{}}
}

// file returns a file without hooks.
func (s *stripper) file(name string, text []byte) ([]byte, error) {
	file, err := parser.ParseFile(s.fset, name, text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	s.imports = map[string]string{}
	for _, spec := range file.Imports {
		s.imports[importName(spec)] = importPath(spec)
	}
	for _, decl := range file.Decls {
		s.where = "init"
		if fn, ok := decl.(*ast.FuncDecl); ok {
			s.where = funcName(fn)
			s.functions = append(s.functions, s.where)
		}
		ast.Inspect(decl, s.visit)
		ast.Inspect(decl, s.findLeft)
	}
	s.dropImports(file)
	// Comments on removed statements have lost their positions; only directives matter.
	file.Comments = slices.DeleteFunc(file.Comments, func(g *ast.CommentGroup) bool {
		return !slices.ContainsFunc(g.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:") })
	})
	var out bytes.Buffer
	err = (&printer.Config{Mode: printer.SourcePos | printer.TabIndent, Tabwidth: 8}).Fprint(&out, s.fset, file)
	return out.Bytes(), err
}

func importPath(spec *ast.ImportSpec) string {
	p, _ := strconv.Unquote(spec.Path.Value) // the parser has checked it
	return p
}

var version = regexp.MustCompile(`/v\d+$`)

// importName returns the name of an import in its file. It assumes that a package has the name at the end of
// its path: where that is wrong the result does not compile.
func importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	return path.Base(version.ReplaceAllString(importPath(spec), ""))
}

// funcName names a function as the linker does.
func funcName(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	recv, format := fn.Recv.List[0].Type, "%s.%s"
	if star, ok := recv.(*ast.StarExpr); ok {
		recv, format = star.X, "(*%s).%s"
	}
	switch generic := recv.(type) {
	case *ast.IndexExpr:
		recv = generic.X
	case *ast.IndexListExpr:
		recv = generic.X
	}
	return fmt.Sprintf(format, recv.(*ast.Ident).Name, fn.Name.Name)
}

// hook returns the name that e selects from hooks, as "At", or from a package below it, as "memory.Fence";
// else "".
func (s *stripper) hook(e ast.Expr) string {
	if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
		if id, ok := sel.X.(*ast.Ident); ok && id.Obj == nil {
			if from := s.imports[id.Name]; from == s.hooks {
				return sel.Sel.Name
			} else if below, ok := strings.CutPrefix(from, s.hooks+"/"); ok {
				return below + "." + sel.Sel.Name
			}
		}
	}
	return ""
}

// call returns e as a call, or nil, and the name of the hook that it calls, or "".
func (s *stripper) call(e ast.Expr) (*ast.CallExpr, string) {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		return call, s.hook(call.Fun)
	}
	return nil, ""
}

// visit strips one node; its children come next.
func (s *stripper) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BlockStmt:
		n.List = s.statements(n.List)
	case *ast.CaseClause:
		n.Body = s.statements(n.Body)
	case *ast.CommClause:
		n.Body = s.statements(n.Body)
	case *ast.IfStmt:
		n.Else = s.statement(n.Else)
		s.expression(&n.Cond)
	case *ast.BinaryExpr:
		s.expression(&n.X)
		s.expression(&n.Y)
	case *ast.UnaryExpr:
		s.expression(&n.X)
	case *ast.Field:
		s.expression(&n.Type)
	case *ast.ValueSpec:
		s.expression(&n.Type)
		for i, value := range n.Values {
			if _, name := s.call(value); name == "Declare" {
				s.points = append(s.points, n.Names[i].Name)
			}
		}
	case *ast.CallExpr:
		s.called(n)
	case *ast.SelectorExpr:
		if pkg, _, ok := strings.Cut(s.hook(n), "."); ok && dropIns[pkg] != "" {
			s.hooked[s.where] = true
		}
	}
	return true
}

func (s *stripper) statements(list []ast.Stmt) (kept []ast.Stmt) {
	for _, stmt := range list {
		if stmt = s.statement(stmt); stmt != nil {
			kept = append(kept, stmt)
		}
	}
	return kept
}

// statement returns the replacement of a statement; nil removes it.
func (s *stripper) statement(stmt ast.Stmt) ast.Stmt {
	with := stmt
	switch n := stmt.(type) {
	case *ast.ExprStmt:
		if _, name := s.call(n.X); name == "At" || name == "Name" || name == "memory.Fence" {
			with = nil
		}
	case *ast.IfStmt:
		switch {
		case n.Init != nil:
		case s.hook(n.Cond) == "Enabled":
			with = s.statement(n.Else)
		case s.isNotEnabled(n.Cond):
			with = n.Body
		}
	case *ast.RangeStmt:
		body := s.withoutBreak(n.Body.List)
		if _, name := s.call(n.X); name == "Notify" && n.Key == nil && !leaves(body) {
			with = &ast.BlockStmt{Lbrace: n.Body.Lbrace, List: body, Rbrace: n.Body.Rbrace}
		}
	}
	if with != stmt {
		s.hooked[s.where] = true
	}
	return with
}

// isNotEnabled reports whether e is !hooks.Enabled.
func (s *stripper) isNotEnabled(e ast.Expr) bool {
	not, ok := ast.Unparen(e).(*ast.UnaryExpr)
	return ok && not.Op == token.NOT && s.hook(not.X) == "Enabled"
}

// withoutBreak returns the body of a loop without `if !hooks.Enabled { break }` at its end, which
// spares the normal build a second check of a count that is one.
func (s *stripper) withoutBreak(body []ast.Stmt) []ast.Stmt {
	if len(body) > 0 {
		last, ok := body[len(body)-1].(*ast.IfStmt)
		if ok && last.Init == nil && last.Else == nil && s.isNotEnabled(last.Cond) && len(last.Body.List) == 1 && leaves(last.Body.List) {
			return body[:len(body)-1]
		}
	}
	return body
}

// leaves reports whether a loop body has a break or continue that could mean the loop around it.
func leaves(body []ast.Stmt) (found bool) {
	ast.Inspect(&ast.BlockStmt{List: body}, func(n ast.Node) bool {
		br, ok := n.(*ast.BranchStmt)
		found = found || ok && (br.Tok == token.BREAK || br.Tok == token.CONTINUE)
		_, closure := n.(*ast.FuncLit)
		return !closure
	})
	return found
}

// expression replaces hooks.Enabled and hooks.Point.
func (s *stripper) expression(e *ast.Expr) {
	switch at := *e; s.hook(at) {
	case "Enabled":
		*e = &ast.Ident{NamePos: at.Pos(), Name: "false"}
	case "Point":
		*e = &ast.Ident{NamePos: at.Pos(), Name: "struct{}"}
	default:
		return
	}
	s.hooked[s.where] = true
}

// orders is the number of trailing arguments of an operation of hooks/memory that are memory orders, by
// the method that it replaces.
var orders = map[string]int{"CompareAndSwap": 2, "Load": 1, "Store": 1, "Swap": 1, "Add": 1, "And": 1, "Or": 1}

var operation = regexp.MustCompile(`^memory\.(CompareAndSwap|[A-Z][a-z]+)`)

// called replaces a call of hooks with a conversion or a method call.
func (s *stripper) called(n *ast.CallExpr) {
	convert := func(to, value string) {
		n.Fun, n.Args = &ast.Ident{NamePos: n.Pos(), Name: to}, []ast.Expr{&ast.Ident{NamePos: n.Pos(), Name: value}}
	}
	if task, name := s.call(n.Fun); name == "Task" && len(task.Args) == 1 {
		n.Fun = &ast.ParenExpr{Lparen: n.Pos(), X: task.Args[0], Rparen: n.Pos()}
		s.hooked[s.where] = true
	}
	name := s.hook(n.Fun)
	switch {
	case name == "Notify":
		convert("int", "1")
	case name == "Fail" || name == "Unwinding" || name == "Controlled":
		convert("bool", "false")
	case name == "Goroutine":
		convert("uintptr", "0")
	case name == "Declare":
		convert("struct{}", "struct{}{}")
	case name == "Value" && len(n.Args) == 2:
		n.Fun, n.Args = &ast.Ident{NamePos: n.Pos(), Name: "uint64"}, n.Args[1:]
	default:
		m := operation.FindStringSubmatch(name)
		if m == nil || len(n.Args) <= orders[m[1]] || orders[m[1]] == 0 {
			return
		}
		on := &ast.ParenExpr{Lparen: n.Pos(), X: n.Args[0], Rparen: n.Args[0].End()}
		n.Fun = &ast.SelectorExpr{X: on, Sel: &ast.Ident{NamePos: n.Args[0].End(), Name: m[1]}}
		n.Args = n.Args[1 : len(n.Args)-orders[m[1]]]
	}
	s.hooked[s.where] = true
}

// findLeft reports uses of hooks that remain after visit.
func (s *stripper) findLeft(n ast.Node) bool {
	if e, ok := n.(*ast.SelectorExpr); ok && s.hook(e) != "" {
		if pkg, _, below := strings.Cut(s.hook(e), "."); !below || dropIns[pkg] == "" {
			s.left = append(s.left, finding{s.where, fmt.Sprintf("%s: %s of hooks is used in a way that cannot be removed", s.fset.Position(e.Pos()), s.hook(e))})
		}
	}
	return true
}

// dropImports drops the imports that stripping has left unused, and replaces those of drop-ins
// with the standard packages.
func (s *stripper) dropImports(file *ast.File) {
	used := map[string]bool{"_": true, ".": true}
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && id.Obj == nil {
				used[id.Name] = true
			}
		}
		return true
	})
	for _, decl := range file.Decls {
		if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.IMPORT {
			gen.Specs = slices.DeleteFunc(gen.Specs, func(spec ast.Spec) bool { return !used[importName(spec.(*ast.ImportSpec))] })
		}
	}
	for _, spec := range file.Imports {
		if below, ok := strings.CutPrefix(importPath(spec), s.hooks+"/"); ok && dropIns[below] != "" {
			spec.Path.Value = strconv.Quote(dropIns[below])
		}
	}
}
