package operator

import (
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
)

var statements = []ast.Node{(*ast.ExprStmt)(nil), (*ast.DeferStmt)(nil)}
var expressionStatements = []ast.Node{(*ast.ExprStmt)(nil)}

var locks = []*Operator{
	{
		Name:   "delete-unlock",
		Doc:    "an Unlock is not called",
		Before: "mu.Lock()\nif closed.Load() {\n\tmu.Unlock()\n\treturn\n}",
		After:  "mu.Lock()\nif closed.Load() {\n\treturn\n}",
		nodes:  statements,
		find: func(f *file, c inspector.Cursor) {
			if l, ok := f.lockCall(c); ok && l.unlocks() {
				f.plant(c, f.short(l.call)+" is deleted", f.remove(c.Node()))
			}
		},
	},
	{
		Name:   "delete-lock",
		Doc:    "a Lock and its Unlocks are not called",
		Before: "mu.Lock()\ncount++\nmu.Unlock()",
		After:  "count++",
		nodes:  expressionStatements,
		find: func(f *file, c inspector.Cursor) {
			l, ok := f.lockCall(c)
			if !ok || l.unlocks() {
				return
			}
			edits := []Edit{f.remove(c.Node())}
			for _, u := range f.unlocksOf(l) {
				edits = append(edits, f.remove(u.c.Node()))
			}
			if len(edits) > 1 {
				f.plant(c, f.short(l.call)+" and its Unlock are deleted", edits...)
			}
		},
	},
	{
		Name:   "lock-to-read-lock",
		Doc:    "a Lock is an RLock",
		Before: "table.Lock()\ndefer table.Unlock()\ncount++",
		After:  "table.RLock()\ndefer table.RUnlock()\ncount++",
		nodes:  expressionStatements,
		find: func(f *file, c inspector.Cursor) {
			l, ok := f.lockCall(c)
			if !ok || !l.is("sync", "Lock", "RWMutex") {
				return
			}
			edits := []Edit{f.rename(l.call, "RLock")}
			for _, u := range f.unlocksOf(l) {
				edits = append(edits, f.rename(u.call, "RUnlock"))
			}
			f.plant(c, f.short(l.call)+" is an RLock", edits...)
		},
	},
	{
		Name:   "unlock-at-once",
		Doc:    "an Unlock that is deferred is called at once",
		Before: "mu.Lock()\ndefer mu.Unlock()\ncount++",
		After:  "mu.Lock()\nmu.Unlock()\ncount++",
		nodes:  []ast.Node{(*ast.DeferStmt)(nil)},
		find: func(f *file, c inspector.Cursor) {
			if l, ok := f.lockCall(c); ok && l.unlocks() {
				f.plant(c, f.short(l.call)+" is called at once", f.replace(c.Node(), f.text(l.call)))
			}
		},
	},
	{
		Name:   "lock-late",
		Doc:    "the first statement of a critical section runs before the Lock",
		Before: "mu.Lock()\nn := count\ncount = n + 1\nmu.Unlock()",
		After:  "n := count\nmu.Lock()\ncount = n + 1\nmu.Unlock()",
		nodes:  expressionStatements,
		find:   lockLate,
	},
	{
		Name:   "unlock-early",
		Doc:    "the last statement of a critical section runs after the Unlock",
		Before: "mu.Lock()\nn := count\ncount = n + 1\nmu.Unlock()",
		After:  "mu.Lock()\nn := count\nmu.Unlock()\ncount = n + 1",
		nodes:  expressionStatements,
		find: func(f *file, c inspector.Cursor) {
			l, ok := f.lockCall(c)
			if !ok || !l.unlocks() {
				return
			}
			s, ok := f.before(c)
			if ok && f.movable(s.Node(), l) && f.shares(s.Node()) && !jumps(s.Node()) {
				f.plant(s, f.short(s.Node())+" runs after "+f.short(l.call), f.swap(s.Node(), c.Node())...)
			}
		},
	},
	{
		Name:   "lock-early",
		Doc:    "a statement before a critical section that may block runs inside it",
		Before: "n := <-inbox\nmu.Lock()\ncount += n\nmu.Unlock()",
		After:  "mu.Lock()\nn := <-inbox\ncount += n\nmu.Unlock()",
		nodes:  expressionStatements,
		find: func(f *file, c inspector.Cursor) {
			if l, ok := f.lockCall(c); ok && !l.unlocks() {
				s, ok := f.before(c)
				f.moveIn(s, l, ok)
			}
		},
	},
	{
		Name:   "unlock-late",
		Doc:    "a statement after a critical section that may block runs inside it",
		Before: "mu.Lock()\nn := count\nmu.Unlock()\noutbox <- n",
		After:  "mu.Lock()\nn := count\noutbox <- n\nmu.Unlock()",
		nodes:  expressionStatements,
		find: func(f *file, c inspector.Cursor) {
			if l, ok := f.lockCall(c); ok && l.unlocks() {
				s, ok := f.after(c)
				f.moveIn(s, l, ok)
			}
		},
	},
	{
		Name:   "keep-locked",
		Doc:    "a lock that is released for some statements is held during them",
		Before: "mu.Lock()\nmu.Unlock()\nuse(<-inbox)\nmu.Lock()\ncount++\nmu.Unlock()",
		After:  "mu.Lock()\nuse(<-inbox)\ncount++\nmu.Unlock()",
		nodes:  expressionStatements,
		find:   keepLocked,
	},
	{
		Name:   "swap-locks",
		Doc:    "two locks are taken in the other order",
		Before: "mu.Lock()\nother.Lock()\ncount++\nother.Unlock()\nmu.Unlock()",
		After:  "other.Lock()\nmu.Lock()\ncount++\nother.Unlock()\nmu.Unlock()",
		nodes:  expressionStatements,
		find: func(f *file, c inspector.Cursor) {
			a, ok := f.lockCall(c)
			next, ok2 := f.after(c)
			if !ok || !ok2 || a.unlocks() {
				return
			}
			if b, ok := f.lockCall(next); ok && !b.unlocks() && !f.same(a.lock, b.lock) {
				f.plant(c, f.short(a.call)+" runs after "+f.short(b.call), f.swap(c.Node(), next.Node())...)
			}
		},
	},
}

// lockLate moves the statement that follows a Lock, and perhaps the defer of its Unlock, before the Lock.
func lockLate(f *file, c inspector.Cursor) {
	l, ok := f.lockCall(c)
	if !ok || l.unlocks() {
		return
	}
	s, ok := f.after(c)
	if u, isLock := f.lockCall(s); ok && isLock && u.unlocks() && u.deferred() && f.same(l.lock, u.lock) {
		s, ok = f.after(s)
	}
	if ok && f.movable(s.Node(), l) && f.shares(s.Node()) && !takesAddress(s.Node()) {
		f.plant(s, f.short(s.Node())+" runs before "+f.short(l.call), f.moveBefore(s.Node(), c.Node())...)
	}
}

// moveIn moves a statement that may block over the Lock after it, or the Unlock before it.
func (f *file) moveIn(s inspector.Cursor, l lockCall, ok bool) {
	if !ok || !f.movable(s.Node(), l) || jumps(s.Node()) || !f.blocks(s.Node()) {
		return
	}
	f.plant(s, f.short(s.Node())+" runs with "+f.short(l.lock)+" locked", f.swap(s.Node(), l.c.Node())...)
}

func keepLocked(f *file, c inspector.Cursor) {
	u, ok := f.lockCall(c)
	if !ok || !u.unlocks() {
		return
	}
	for s, ok := f.after(c); ok; s, ok = f.after(s) {
		l, isLock := f.lockCall(s)
		if isLock && f.same(l.lock, u.lock) {
			if !l.unlocks() {
				f.plant(c, f.short(u.call)+" and the next Lock are deleted", f.remove(c.Node()), f.remove(s.Node()))
			}
			return
		}
	}
}

// A lockCall is a statement that locks or unlocks.
type lockCall struct {
	c    inspector.Cursor
	call *ast.CallExpr
	lock ast.Expr
	callee
}

// lockCall returns the lockCall that a statement of a list is, if it is one. The zero cursor is no
// statement.
func (f *file) lockCall(c inspector.Cursor) (l lockCall, ok bool) {
	if !c.Valid() || !inList(c.ParentEdgeKind()) {
		return l, false
	}
	call, to, ok := f.called(c.Node())
	if !ok || to.pkg != "sync" || to.recv != "Mutex" && to.recv != "RWMutex" && to.recv != "Locker" {
		return l, false
	}
	switch to.name {
	case "Lock", "RLock", "Unlock", "RUnlock":
		lock, ok := method(call)
		return lockCall{c, call, lock, to}, ok
	}
	return l, false
}

func (l lockCall) unlocks() bool { return l.name == "Unlock" || l.name == "RUnlock" }

func (l lockCall) deferred() bool {
	_, ok := l.c.Node().(*ast.DeferStmt)
	return ok
}

// unlocksOf returns the Unlocks of a Lock: those in its function between it and the next Lock.
func (f *file) unlocksOf(l lockCall) []lockCall {
	body := enclosing(l.c)
	if body == nil {
		return nil
	}
	root, ok := f.root.FindNode(body)
	if !ok {
		return nil
	}
	unlock := map[string]string{"Lock": "Unlock", "RLock": "RUnlock"}[l.name]
	var found []lockCall
	for c := range root.Preorder(statements...) {
		u, ok := f.lockCall(c)
		switch {
		case !ok || c.Node().Pos() <= l.c.Node().Pos() || !f.same(u.lock, l.lock):
		case u.name == l.name:
			return found
		case u.name == unlock:
			found = append(found, u)
		}
	}
	return found
}

// rename returns the edit that makes a call call another method.
func (f *file) rename(call *ast.CallExpr, name string) Edit {
	return f.replace(ast.Unparen(call.Fun).(*ast.SelectorExpr).Sel, name)
}

// movable reports whether a statement can be moved over a Lock or Unlock: it is no declaration or
// defer, and does not lock, unlock or wait.
func (f *file) movable(s ast.Node, l lockCall) bool {
	if _, c, ok := f.called(s); ok && c.pkg == "sync" && strings.HasSuffix(strings.ToLower(c.name), "lock") {
		return false
	}
	switch s.(type) {
	case *ast.DeferStmt, *ast.DeclStmt, *ast.LabeledStmt, *ast.ReturnStmt, *ast.BranchStmt:
		return false
	}
	movable := true
	ast.Inspect(s, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return movable
		}
		if lock, isMethod := method(call); isMethod {
			c, ok := f.callee(call)
			movable = movable && !(ok && c.pkg == "sync" && (f.same(lock, l.lock) || c.recv == "Cond" && c.name == "Wait"))
		}
		return movable
	})
	return movable
}

// takesAddress reports whether a statement only sets a variable to the address of something.
func takesAddress(s ast.Node) bool {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.DEFINE || len(a.Rhs) != 1 {
		return false
	}
	u, ok := a.Rhs[0].(*ast.UnaryExpr)
	return ok && u.Op == token.AND
}
