package operator

import (
	"go/ast"

	"golang.org/x/tools/go/ast/inspector"
)

// Operations in another order.
var orders = []*Operator{
	{
		Name:   "swap-atomics",
		Doc:    "two atomic operations change places",
		Before: "pending.Add(1)\nready.Store(true)",
		After:  "ready.Store(true)\npending.Add(1)",
		nodes:  []ast.Node{(*ast.ExprStmt)(nil), (*ast.AssignStmt)(nil)},
		find: func(f *file, c inspector.Cursor) {
			next, follows := f.after(c)
			a, ok := f.atomicStatement(c)
			if !ok || !follows {
				return
			}
			b, ok := f.atomicStatement(next)
			if ok && !f.same(a.variable, b.variable) {
				f.swapStatements(c, next, f.short(a.call)+" runs after "+f.short(b.call))
			}
		},
	},
	{
		Name:   "store-before-write",
		Doc:    "an atomic write runs before the plain write that it publishes",
		Before: "value = 1\nready.Store(true)",
		After:  "ready.Store(true)\nvalue = 1",
		nodes:  expressionStatements,
		find: func(f *file, c inspector.Cursor) {
			a, ok := f.atomicStatement(c)
			if !ok || !a.writes() {
				return
			}
			if s, ok := f.before(c); ok && f.shareWritten(s.Node()) && !f.observesIn(s.Node()) {
				f.swapStatements(s, c, f.short(a.call)+" runs before "+f.short(s.Node()))
			}
		},
	},
	{
		Name:   "read-before-load",
		Doc:    "a plain read runs before the atomic Load that guards it",
		Before: "ok := ready.Load()\nx = value\nuse(ok)",
		After:  "x = value\nok := ready.Load()\nuse(ok)",
		nodes:  []ast.Node{(*ast.AssignStmt)(nil)},
		find: func(f *file, c inspector.Cursor) {
			a, ok := f.atomicStatement(c)
			next, follows := f.after(c)
			if !ok || !follows || a.writes() {
				return
			}
			if s, ok := next.Node().(*ast.AssignStmt); ok && len(s.Rhs) == 1 && f.shares(s.Rhs[0]) && !f.observesIn(s) {
				f.swapStatements(c, next, f.short(s)+" runs before "+f.short(a.call))
			}
		},
	},
}

// swapStatements plants a mutant in which a statement changes places with a later one, if they do
// not depend on each other.
func (f *file) swapStatements(a, b inspector.Cursor, what string) {
	if f.independent(a.Node(), b.Node()) && !jumps(a.Node()) && !jumps(b.Node()) {
		f.plant(a, what, f.swap(a.Node(), b.Node())...)
	}
}

// observesIn reports whether a statement contains an atomic operation, a TryLock or a receive.
func (f *file) observesIn(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && f.observes(e) {
			found = true
		}
		return !found
	})
	return found
}
