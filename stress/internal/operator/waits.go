package operator

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
)

// Groups, goroutines, contexts, timers and Once.
var waits = []*Operator{
	{
		Name:   "delete-add",
		Doc:    "a WaitGroup's Add is not called",
		Before: "group.Add(1)\ngo use()",
		After:  "go use()",
		nodes:  statements,
		find:   deleteCalls(func(f *file, _ *ast.CallExpr, c callee) bool { return c.is("sync", "Add", "WaitGroup") }),
	},
	{
		Name:   "delete-done",
		Doc:    "a WaitGroup's Done is not called",
		Before: "go func() {\n\tdefer group.Done()\n\tuse(x)\n}()",
		After:  "go func() {\n\tuse(x)\n}()",
		nodes:  statements,
		find:   deleteCalls(func(f *file, _ *ast.CallExpr, c callee) bool { return c.is("sync", "Done", "WaitGroup") }),
	},
	{
		Name:   "add-in-goroutine",
		Doc:    "a WaitGroup's Add is called in the goroutine",
		Before: "group.Add(1)\ngo func() {\n\tdefer group.Done()\n}()",
		After:  "go func() {\n\tgroup.Add(1)\n\tdefer group.Done()\n}()",
		nodes:  expressionStatements,
		find:   addInGoroutine,
	},
	{
		Name:   "done-at-once",
		Doc:    "a WaitGroup's Done that is deferred is called at once",
		Before: "go func() {\n\tdefer group.Done()\n\tuse(x)\n}()",
		After:  "go func() {\n\tgroup.Done()\n\tuse(x)\n}()",
		nodes:  []ast.Node{(*ast.DeferStmt)(nil)},
		find:   callAtOnce(func(f *file, _ *ast.CallExpr, c callee) bool { return c.is("sync", "Done", "WaitGroup") }),
	},
	{
		Name:   "delete-wait",
		Doc:    "a wait is left out: WaitGroup.Wait, a receive whose value is not used",
		Before: "go use()\ngroup.Wait()",
		After:  "go use()",
		nodes:  statements,
		find: func(f *file, c inspector.Cursor) {
			if !inList(c.ParentEdgeKind()) {
				return
			}
			_, to, ok := f.called(c.Node())
			s, isExpr := c.Node().(*ast.ExprStmt)
			if ok && (to.is("sync", "Wait", "WaitGroup") || to.pkg == dropIns+"channel" && to.name == "Receive") || isExpr && isReceive(s.X) {
				f.plant(c, f.short(c.Node())+" is deleted", f.remove(c.Node()))
			}
		},
	},
	{
		Name:   "go-to-call",
		Doc:    "a go statement is a plain call",
		Before: "go use(x)",
		After:  "use(x)",
		nodes:  []ast.Node{(*ast.GoStmt)(nil)},
		find: func(f *file, c inspector.Cursor) {
			s := c.Node().(*ast.GoStmt)
			f.plant(c, f.short(s)+" is a plain call", f.replace(s, f.text(s.Call)))
		},
	},
	{
		Name:   "delete-cancel",
		Doc:    "a context's cancel function is not called",
		Before: "ctx, cancel := context.WithCancel(ctx)\ndefer cancel()\ndo(ctx)",
		After:  "ctx, cancel := context.WithCancel(ctx); _ = cancel\ndo(ctx)",
		nodes:  statements,
		find:   deleteCalls(func(f *file, call *ast.CallExpr, _ callee) bool { return f.isCancel(call) }),
	},
	{
		Name:   "cancel-at-once",
		Doc:    "a context's cancel function that is deferred is called at once",
		Before: "ctx, cancel := context.WithCancel(ctx)\ndefer cancel()\ndo(ctx)",
		After:  "ctx, cancel := context.WithCancel(ctx)\ncancel()\ndo(ctx)",
		nodes:  []ast.Node{(*ast.DeferStmt)(nil)},
		find:   callAtOnce(func(f *file, call *ast.CallExpr, _ callee) bool { return f.isCancel(call) }),
	},
	{
		Name:   "context-lost",
		Doc:    "a call gets a context that is never cancelled",
		Before: "do(ctx)",
		After:  "do(context.WithoutCancel(ctx))",
		nodes:  calls,
		find:   contextLost,
	},
	{
		Name:   "once-to-call",
		Doc:    "the function of a Once runs each time",
		Before: "once.Do(wakeOne)",
		After:  "wakeOne()",
		nodes:  expressionStatements,
		find: func(f *file, c inspector.Cursor) {
			if call, to, ok := f.called(c.Node()); ok && to.is("sync", "Do", "Once") {
				f.plant(c, f.short(call)+" runs each time", f.replace(call, f.text(call.Args[0])+"()"))
			}
		},
	},
	{
		Name:   "delete-stop",
		Doc:    "a timer or ticker is not stopped",
		Before: "clock.Stop()\nuse(x)",
		After:  "use(x)",
		nodes:  statements,
		find: deleteCalls(func(f *file, _ *ast.CallExpr, c callee) bool {
			return c.is("time", "Stop", "Timer", "Ticker")
		}),
	},
}

// deleteCalls returns an operator's find that deletes statements with the calls that which selects.
func deleteCalls(which func(*file, *ast.CallExpr, callee) bool) func(*file, inspector.Cursor) {
	return func(f *file, c inspector.Cursor) {
		if call, to, _ := f.called(c.Node()); call != nil && inList(c.ParentEdgeKind()) && which(f, call, to) {
			f.plant(c, f.short(call)+" is deleted", f.remove(c.Node()))
		}
	}
}

// callAtOnce returns an operator's find that makes deferred calls that which selects at once.
func callAtOnce(which func(*file, *ast.CallExpr, callee) bool) func(*file, inspector.Cursor) {
	return func(f *file, c inspector.Cursor) {
		if call, to, _ := f.called(c.Node()); call != nil && which(f, call, to) {
			f.plant(c, f.short(call)+" is called at once", f.replace(c.Node(), f.text(call)))
		}
	}
}

func addInGoroutine(f *file, c inspector.Cursor) {
	call, to, ok := f.called(c.Node())
	if !ok || !inList(c.ParentEdgeKind()) || !to.is("sync", "Add", "WaitGroup") {
		return
	}
	next, ok := f.after(c)
	if !ok {
		return
	}
	s, ok := next.Node().(*ast.GoStmt)
	if !ok {
		return
	}
	what := f.short(call) + " is called in the goroutine"
	if l, ok := s.Call.Fun.(*ast.FuncLit); ok {
		at := f.token.Offset(l.Body.Lbrace) + 1
		f.plant(c, what, f.remove(c.Node()), Edit{at, at, " " + f.text(call) + "; "})
	}
}

// isCancel reports whether a call calls a context's cancel function.
func (f *file) isCancel(call *ast.CallExpr) bool {
	n, ok := types.Unalias(f.info.TypeOf(call.Fun)).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || standsFor(n.Obj().Pkg().Path()) != "context" {
		return false
	}
	return n.Obj().Name() == "CancelFunc" || n.Obj().Name() == "CancelCauseFunc"
}

func isReceive(e ast.Expr) bool {
	u, ok := ast.Unparen(e).(*ast.UnaryExpr)
	return ok && u.Op == token.ARROW
}

// contextLost wraps a context that is passed on by its variable.
func contextLost(f *file, c inspector.Cursor) {
	call := c.Node().(*ast.CallExpr)
	name := ""
	for _, s := range f.syntax.Imports {
		if p := f.info.PkgNameOf(s); p != nil && p.Imported().Path() == "context" {
			name = p.Name()
		}
	}
	if to, ok := f.callee(call); name == "" || name == "_" || ok && to.pkg == "context" {
		return
	}
	for _, a := range call.Args {
		id, ok := a.(*ast.Ident)
		if !ok {
			continue
		}
		n, ok := types.Unalias(f.info.TypeOf(id)).(*types.Named)
		if ok && n.Obj().Name() == "Context" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "context" {
			f.plant(c, f.short(call)+" gets a context that is never cancelled", f.replace(id, name+".WithoutCancel("+id.Name+")"))
		}
	}
}

// waits reports whether a loop waits for a condition, a channel or another goroutine's progress, or
// retries a CompareAndSwap and uses its result.
func (f *file) waits(s *ast.ForStmt) (found bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ExprStmt:
			if call, ok := n.X.(*ast.CallExpr); ok {
				found = found || f.waitsByName(call)
				return false
			}
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.CallExpr:
			a, ok := f.atomic(n)
			found = found || ok && a.kind == "CompareAndSwap" || f.waitsByName(n)
		}
		return !found
	})
	return found
}

func (f *file) waitsByName(call *ast.CallExpr) bool {
	c, ok := f.callee(call)
	if !ok {
		return false
	}
	name := strings.ToLower(c.name)
	return c.pkg == "runtime" && name == "gosched" || slices.ContainsFunc([]string{"wait", "park", "sleep", "yield", "receive"}, func(prefix string) bool {
		return strings.HasPrefix(name, prefix)
	})
}

// ownJumps reports whether a loop's body has a break of the loop itself, or a continue if that counts.
func ownJumps(body *ast.BlockStmt, continues bool) (found bool) {
	var visit func(n ast.Node, breaks bool)
	visit = func(n ast.Node, breaks bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			switch s := m.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ForStmt, *ast.RangeStmt:
				return m == n
			case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				if m != n {
					visit(m, false)
					return false
				}
			case *ast.BranchStmt:
				found = found || s.Label == nil && (s.Tok == token.CONTINUE && continues || s.Tok == token.BREAK && breaks)
			}
			return true
		})
	}
	visit(body, true)
	return found
}
