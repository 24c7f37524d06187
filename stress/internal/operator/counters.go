package operator

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/ast/inspector"
)

var counters = []*Operator{
	{
		Name:   "delete-count",
		Doc:    "a change of a shared counter is left out",
		Before: "mu.Lock()\ncount++\nmu.Unlock()",
		After:  "mu.Lock()\nmu.Unlock()",
		nodes:  []ast.Node{(*ast.IncDecStmt)(nil), (*ast.AssignStmt)(nil)},
		find: func(f *file, c inspector.Cursor) {
			if a, ok := c.Node().(*ast.AssignStmt); ok && a.Tok != token.ADD_ASSIGN && a.Tok != token.SUB_ASSIGN {
				return
			}
			if inList(c.ParentEdgeKind()) && f.shareWritten(c.Node()) {
				f.plant(c, f.short(c.Node())+" is deleted", f.remove(c.Node()))
			}
		},
	},
	{
		Name:   "off-by-one-count",
		Doc:    "a counter changes by one more: an atomic Add, a WaitGroup's Add, ++ and -- of shared state",
		Before: "group.Add(1)\ngo use()",
		After:  "group.Add(2)\ngo use()",
		nodes:  []ast.Node{(*ast.IncDecStmt)(nil), (*ast.CallExpr)(nil)},
		find:   offByOneCount,
	},
}

func offByOneCount(f *file, c inspector.Cursor) {
	switch n := c.Node().(type) {
	case *ast.IncDecStmt:
		if inList(c.ParentEdgeKind()) && f.shareWritten(n) {
			op := map[token.Token]string{token.INC: " += 2", token.DEC: " -= 2"}[n.Tok]
			f.plant(c, f.short(n)+" changes by two", f.replace(n, f.text(n.X)+op))
		}
	case *ast.CallExpr:
		var delta ast.Expr
		if a, ok := f.atomic(n); ok && a.kind == "Add" {
			delta = a.args[0]
		} else if to, ok := f.callee(n); ok && to.is("sync", "Add", "WaitGroup") {
			delta = n.Args[0]
		}
		if delta != nil {
			f.plant(c, f.short(n)+" adds one more", f.replace(delta, f.more(delta)))
		}
	}
}

// more returns the text of a number that is one further from zero, or one more if it is not constant.
func (f *file) more(e ast.Expr) string {
	if l, ok := e.(*ast.BasicLit); ok {
		if n, err := strconv.Atoi(l.Value); err == nil {
			return strconv.Itoa(n + 1)
		}
	}
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.SUB {
		if _, ok := u.X.(*ast.BasicLit); ok {
			return "-" + f.more(u.X)
		}
	}
	return f.operandOf(e) + "+1"
}

// operandOf returns the text of an expression as the operand of a sum.
func (f *file) operandOf(e ast.Expr) string {
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op.Precedence() < token.ADD.Precedence() {
		return "(" + f.text(e) + ")"
	}
	return f.text(e)
}

func (f *file) integer(e ast.Expr) bool {
	t := f.info.TypeOf(e)
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}
