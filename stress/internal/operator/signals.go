package operator

import (
	"go/ast"

	"golang.org/x/tools/go/ast/inspector"
)

var signals = []*Operator{
	{
		Name:   "delete-signal",
		Doc:    "a condition's Signal or Broadcast is not called",
		Before: "mu.Lock()\nqueue = append(queue, x)\ncond.Signal()\nmu.Unlock()",
		After:  "mu.Lock()\nqueue = append(queue, x)\nmu.Unlock()",
		nodes:  statements,
		find: func(f *file, c inspector.Cursor) {
			call, to, ok := f.called(c.Node())
			if ok && inList(c.ParentEdgeKind()) && (to.is("sync", "Signal", "Cond") || to.is("sync", "Broadcast", "Cond")) {
				f.plant(c, f.short(call)+" is deleted", f.remove(c.Node()))
			}
		},
	},
	{
		Name:   "broadcast-to-signal",
		Doc:    "a condition's Broadcast wakes one waiter",
		Before: "cond.Broadcast()",
		After:  "cond.Signal()",
		nodes:  calls,
		find: func(f *file, c inspector.Cursor) {
			call := c.Node().(*ast.CallExpr)
			if to, ok := f.callee(call); ok && to.is("sync", "Broadcast", "Cond") {
				f.plant(c, f.short(call)+" is a Signal", f.rename(call, "Signal"))
			}
		},
	},
	{
		Name:   "delete-notify",
		Doc:    "a function whose name begins with notify, wake, signal or unpark is not called",
		Before: "mu.Lock()\nqueue = append(queue, x)\nmu.Unlock()\nwakeOne()",
		After:  "mu.Lock()\nqueue = append(queue, x)\nmu.Unlock()",
		nodes:  statements,
		find: func(f *file, c inspector.Cursor) {
			call, _, _ := f.called(c.Node())
			if call != nil && inList(c.ParentEdgeKind()) && f.isNotify(call) {
				f.plant(c, f.short(call)+" is deleted", f.remove(c.Node()))
			}
		},
	},
	{
		Name:   "wake-early",
		Doc:    "a waiter is woken before what it waits for is written",
		Before: "ready.Store(true)\nclose(inbox)",
		After:  "close(inbox)\nready.Store(true)",
		nodes:  []ast.Node{(*ast.ExprStmt)(nil), (*ast.SendStmt)(nil)},
		find:   wakeEarly,
	},
}

func wakeEarly(f *file, c inspector.Cursor) {
	s, ok := f.before(c)
	if !ok || !f.wakes(c.Node()) {
		return
	}
	a, isAtomic := f.atomicStatement(s)
	if !f.shareWritten(s.Node()) && !(isAtomic && a.writes()) {
		return
	}
	if call, to, ok := f.called(c.Node()); ok && (to.recv == "Cond" || f.isNotify(call)) && f.locked(c) {
		return // a waiter cannot check before the Unlock
	}
	f.swapStatements(s, c, f.short(c.Node())+" runs before "+f.short(s.Node()))
}

// wakes reports whether a statement wakes a waiter: a signal, a notification, a close, a send.
func (f *file) wakes(n ast.Node) bool {
	if _, ok := n.(*ast.SendStmt); ok {
		return true
	}
	call, c, ok := f.called(n)
	if call == nil {
		return false
	}
	return f.isNotify(call) || f.isCancel(call) || ok && (c.is("sync", "Signal", "Cond") || c.is("sync", "Broadcast", "Cond") ||
		c.is("sync", "Done", "WaitGroup") || c.pkg == "" && c.name == "close" ||
		c.pkg == dropIns+"channel" && (c.name == "Send" || c.name == "Close"))
}

// locked reports whether a lock is held at a statement: the last lock call before it in its list, or in
// the lists around it, locks.
func (f *file) locked(c inspector.Cursor) bool {
	for at := range c.Enclosing() {
		switch at.Node().(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return false
		}
		for s, ok := f.before(at); ok; s, ok = f.before(s) {
			if l, isLock := f.lockCall(s); isLock {
				return !l.unlocks() || l.deferred()
			}
		}
	}
	return false
}
