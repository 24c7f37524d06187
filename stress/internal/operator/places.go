package operator

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// inList reports whether a node is a statement of a list.
func inList(kind edge.Kind) bool {
	return kind == edge.BlockStmt_List || kind == edge.CaseClause_Body || kind == edge.CommClause_Body
}

// after returns the statement that follows in the list. Hook points do not count.
func (f *file) after(c inspector.Cursor) (inspector.Cursor, bool) {
	return f.neighbour(c, inspector.Cursor.NextSibling)
}

// before returns the statement that precedes in the list. Hook points do not count.
func (f *file) before(c inspector.Cursor) (inspector.Cursor, bool) {
	return f.neighbour(c, inspector.Cursor.PrevSibling)
}

func (f *file) neighbour(c inspector.Cursor, step func(inspector.Cursor) (inspector.Cursor, bool)) (inspector.Cursor, bool) {
	if !inList(c.ParentEdgeKind()) {
		return c, false
	}
	for {
		next, ok := step(c)
		if !ok || !inList(next.ParentEdgeKind()) { // before a case's statements is the case
			return c, false
		}
		if !f.isHook(next.Node()) {
			return next, true
		}
		c = next
	}
}

// isHook reports whether a statement is a hook point.
func (f *file) isHook(n ast.Node) bool {
	_, c, ok := f.called(n)
	return ok && c.pkg+"/" == dropIns
}

// jumps reports whether a statement may leave the list that it is in, or is the target of a jump.
func jumps(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt, *ast.BranchStmt, *ast.LabeledStmt, *ast.DeferStmt:
			found = true
		}
		return !found
	})
	return found
}

// independent reports whether two statements do not assign variables that the other uses.
func (f *file) independent(a, b ast.Node) bool {
	return !f.uses(b, f.assigned(a)) && !f.uses(a, f.assigned(b))
}

// assigned returns the expressions that a statement assigns.
func (f *file) assigned(n ast.Node) []ast.Expr {
	switch s := n.(type) {
	case *ast.AssignStmt:
		return s.Lhs
	case *ast.IncDecStmt:
		return []ast.Expr{s.X}
	}
	return nil
}

// uses reports whether one of the expressions is a part of the node.
func (f *file) uses(n ast.Node, expressions []ast.Expr) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			for _, x := range expressions {
				found = found || types.ExprString(x) != "_" && f.same(e, x)
			}
		}
		return !found
	})
	return found
}

// shareWritten reports whether a statement is a plain write to shared state.
func (f *file) shareWritten(n ast.Node) bool {
	if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
		return false
	}
	for _, e := range f.assigned(n) {
		if id, ok := ast.Unparen(e).(*ast.Ident); f.shares(e) && !(ok && f.facts.observed[f.info.ObjectOf(id)]) {
			return true
		}
	}
	return false
}

// moveBefore moves a statement in front of another.
func (f *file) moveBefore(n, target ast.Node) []Edit {
	start, _ := f.offset(target)
	indent := f.source[f.lineStart(start):start]
	if len(bytes.TrimSpace(indent)) > 0 {
		indent = nil
	}
	return []Edit{{start, start, f.text(n) + "\n" + string(indent)}, f.remove(n)}
}

// inParens returns the text of an expression for the place of c, in parentheses if they are needed there.
func inParens(c inspector.Cursor, text string) string {
	switch c.ParentEdgeKind() {
	case edge.UnaryExpr_X, edge.BinaryExpr_X, edge.BinaryExpr_Y, edge.StarExpr_X, edge.SelectorExpr_X:
		return "(" + text + ")"
	}
	return text
}

// typeString returns a type in the form that the file can use.
func (f *file) typeString(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == f.pkg {
			return ""
		}
		for _, s := range f.syntax.Imports {
			name := f.info.PkgNameOf(s)
			if name != nil && name.Imported() == p && name.Name() != "_" && name.Name() != "." {
				return name.Name()
			}
		}
		return p.Name()
	})
}

// returns reports whether the function that contains a node has results.
func returns(c inspector.Cursor) bool {
	for c := range c.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		switch n := c.Node().(type) {
		case *ast.FuncDecl:
			return n.Type.Results != nil
		case *ast.FuncLit:
			return n.Type.Results != nil
		}
	}
	return false
}

// enclosing returns the body of the function or function literal that contains a node.
func enclosing(c inspector.Cursor) *ast.BlockStmt {
	for c := range c.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		switch n := c.Node().(type) {
		case *ast.FuncDecl:
			return n.Body
		case *ast.FuncLit:
			return n.Body
		}
	}
	return nil
}
