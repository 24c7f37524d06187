package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// isVerb reports whether e is hooks.name in this file.
func (s *source) isVerb(e ast.Expr, names ...string) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	return ok && s.packageOf(sel) == s.hooks() && slices.Contains(names, sel.Sel.Name)
}

// call returns e as a call of one of the named functions of hooks, or nil.
func (s *source) call(e ast.Expr, names ...string) *ast.CallExpr {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && s.isVerb(call.Fun, names...) {
		return call
	}
	return nil
}

// walk strips what is below n.
func (s *source) walk(n ast.Node) {
	if n != nil {
		ast.Inspect(n, s.visit)
	}
}

// visit strips one node and reports whether what is below it is still to be seen.
func (s *source) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ExprStmt:
		if s.call(n.X, "At", "Name") != nil || s.isFence(n.X) {
			s.mark()
			s.remove(n)
			return false
		}
	case *ast.IfStmt:
		return !s.ifEnabled(n)
	case *ast.RangeStmt:
		return !s.rangeNotify(n)
	case *ast.CallExpr:
		return !s.verb(n) && !s.memory(n)
	case *ast.SelectorExpr:
		if !s.selector(n) {
			s.walk(n.X)
		}
		return false
	case *ast.Ident:
		if s.dropped[s.pkg][n.Name] && s.global(n) {
			s.mark()
			s.replace(n, "struct{}{}")
		}
	case *ast.FuncDecl, *ast.Field, *ast.KeyValueExpr, *ast.LabeledStmt, *ast.BranchStmt:
		s.unnamed(n)
		return false
	}
	return true
}

// unnamed walks a node around the name in it: a name may be that of a point and
// not mean it.
func (s *source) unnamed(n ast.Node) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		if n.Recv != nil {
			s.walk(n.Recv)
		}
		s.walk(n.Type)
		if n.Body != nil {
			s.walk(n.Body)
		}
	case *ast.Field:
		s.walk(n.Type)
	case *ast.KeyValueExpr:
		if _, ok := n.Key.(*ast.Ident); !ok {
			s.walk(n.Key)
		}
		s.walk(n.Value)
	case *ast.LabeledStmt:
		s.walk(n.Stmt)
	}
}

// mark records that the function being walked is hooked.
func (s *source) mark() { s.out.hooked[s.where] = true }

// global reports whether id refers to the package scope.
func (s *source) global(id *ast.Ident) bool {
	return id.Obj == nil || s.file.Scope.Lookup(id.Name) == id.Obj
}

// ifEnabled strips an if statement whose condition is hooks.Enabled or its
// opposite, or whose else branch is `if hooks.Enabled { ... }`.
func (s *source) ifEnabled(n *ast.IfStmt) bool {
	if s.onlyEnabled(n.Else) {
		s.mark()
		s.cut(n.Body.End(), n.Else.End(), "")
		if n.Init != nil {
			s.walk(n.Init)
		}
		s.walk(n.Cond)
		s.walk(n.Body)
		return true
	}
	if n.Init == nil && s.isNotEnabled(n.Cond) {
		s.mark()
		s.cut(n.Pos(), n.Body.Pos(), "")
		s.walk(n.Body)
		if n.Else != nil {
			s.cut(n.Body.End(), n.Else.End(), "")
		}
		return true
	}
	if n.Init != nil || !s.isVerb(n.Cond, "Enabled") {
		return false
	}
	s.mark()
	if n.Else == nil {
		s.remove(n)
		return true
	}
	s.cut(n.Pos(), n.Else.Pos(), "")
	s.walk(n.Else)
	return true
}

// isNotEnabled reports whether e is !hooks.Enabled.
func (s *source) isNotEnabled(e ast.Expr) bool {
	not, ok := ast.Unparen(e).(*ast.UnaryExpr)
	return ok && not.Op == token.NOT && s.isVerb(not.X, "Enabled")
}

// onlyEnabled reports whether stmt is `if hooks.Enabled { ... }` without an else.
func (s *source) onlyEnabled(stmt ast.Stmt) bool {
	n, ok := stmt.(*ast.IfStmt)
	return ok && n.Init == nil && n.Else == nil && s.isVerb(n.Cond, "Enabled")
}

// rangeNotify strips a loop that sends a notification as often as hooks says. The
// loop may end in `if !hooks.Enabled { break }`, which spares the normal build the
// second look at a count that is one.
func (s *source) rangeNotify(n *ast.RangeStmt) bool {
	if s.call(n.X, "Notify") == nil || n.Key != nil {
		return false
	}
	body := n.Body.List
	var end ast.Stmt
	if last := len(body) - 1; last >= 0 && s.breaksUnlessEnabled(body[last]) {
		body, end = body[:last], body[last]
	}
	if leaves(body) {
		return false
	}
	s.mark()
	s.cut(n.Pos(), n.Body.Pos(), "")
	for _, stmt := range body {
		s.walk(stmt)
	}
	if end != nil {
		s.remove(end)
	}
	return true
}

// breaksUnlessEnabled reports whether stmt is `if !hooks.Enabled { break }`.
func (s *source) breaksUnlessEnabled(stmt ast.Stmt) bool {
	n, ok := stmt.(*ast.IfStmt)
	if !ok || n.Init != nil || n.Else != nil || len(n.Body.List) != 1 || !s.isNotEnabled(n.Cond) {
		return false
	}
	br, ok := n.Body.List[0].(*ast.BranchStmt)
	return ok && br.Tok == token.BREAK && br.Label == nil
}

// verb strips a call of hooks that yields a value.
func (s *source) verb(call *ast.CallExpr) bool {
	arg := func(i int) ast.Expr { return call.Args[i] }
	keep := func(open string, e ast.Expr) {
		s.cut(call.Pos(), e.Pos(), open)
		s.walk(e)
		s.cut(e.End(), call.End(), ")")
	}
	switch {
	case s.call(call, "Notify") != nil:
		s.replace(call, "1")
	case s.call(call, "Fail", "Unwinding", "Controlled") != nil:
		s.replace(call, "false")
	case s.call(call, "Goroutine") != nil:
		s.replace(call, "uintptr(0)")
	case s.call(call, "Value") != nil && len(call.Args) == 2:
		keep("uint64(", arg(1))
	case s.call(call, "Task") != nil && len(call.Args) == 1:
		keep("(", arg(0))
	case s.call(call, "Declare") != nil:
		s.replace(call, "struct{}{}")
	default:
		return false
	}
	s.mark()
	return true
}

// selector strips a mention of hooks that is no call, and notes drop-ins. It
// reports whether sel selects from a package.
func (s *source) selector(sel *ast.SelectorExpr) bool {
	from := s.packageOf(sel)
	switch {
	case from == "":
		return false
	case from == s.hooks():
		s.mark()
		switch sel.Sel.Name {
		case "Enabled":
			s.replace(sel, "false")
		case "Point":
			s.replace(sel, "struct{}")
		default:
			s.leave(sel, "hooks.%s is used other than by calling it", sel.Sel.Name)
		}
	case s.isHooks(from):
		s.mark()
		if _, ok := dropIns[strings.TrimPrefix(from, s.hooks())]; !ok {
			s.leave(sel, "%s stands for no standard package", from)
		}
	case s.dropped[from][sel.Sel.Name]:
		s.mark()
		s.replace(sel, "struct{}{}")
	}
	return true
}

func (s *source) leave(n ast.Node, format string, args ...any) {
	at := s.fset.Position(n.Pos())
	s.out.left = append(s.out.left, finding{
		fn: linkName(s.pkg) + "." + s.where,
		what: fmt.Sprintf("%s:%d:%d: %s: this cannot be stripped",
			s.show(at.Filename), at.Line, at.Column, fmt.Sprintf(format, args...)),
	})
}

// leaves reports whether a loop body has a break or continue that could mean the
// loop around it.
func leaves(body []ast.Stmt) bool {
	found := false
	for _, stmt := range body {
		ast.Inspect(stmt, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BranchStmt:
				found = found || n.Tok == token.BREAK || n.Tok == token.CONTINUE
			case *ast.FuncLit:
				return false
			}
			return !found
		})
	}
	return found
}
