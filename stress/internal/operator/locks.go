package operator

import (
	"go/ast"

	"golang.org/x/tools/go/ast/inspector"
)

var locks = []*Operator{
	{
		Name:   "delete-unlock",
		Doc:    "an Unlock or RUnlock is not called",
		Before: "mu.Lock()\ncount++\nmu.Unlock()",
		After:  "mu.Lock()\ncount++",
		nodes:  statements,
		find: func(f *file, c inspector.Cursor) {
			if call, ok := f.lockCall(c.Node(), "Unlock", "RUnlock"); ok && inList(c.ParentEdgeKind()) {
				f.plant(c, f.short(call)+" is deleted", f.remove(c.Node()))
			}
		},
	},
}

var statements = []ast.Node{(*ast.ExprStmt)(nil), (*ast.DeferStmt)(nil)}

// lockCall returns the call of one of the methods of a lock that a statement is.
func (f *file) lockCall(s ast.Node, methods ...string) (*ast.CallExpr, bool) {
	call, c, ok := f.called(s)
	if !ok {
		return nil, false
	}
	for _, m := range methods {
		if c.is("sync", m, "Mutex", "RWMutex", "Locker") {
			return call, true
		}
	}
	return nil, false
}
