package operator

import (
	"go/ast"

	"golang.org/x/tools/go/ast/inspector"
)

var atomics = []*Operator{
	{
		Name:   "delete-store",
		Doc:    "an atomic Store is not done",
		Before: "value = 1\nready.Store(true)",
		After:  "value = 1",
		nodes:  []ast.Node{(*ast.ExprStmt)(nil)},
		find: func(f *file, c inspector.Cursor) {
			call, to, ok := f.called(c.Node())
			if ok && inList(c.ParentEdgeKind()) && to.pkg == "sync/atomic" && to.recv != "" && to.name == "Store" {
				f.plant(c, f.short(call)+" is deleted", f.remove(c.Node()))
			}
		},
	},
}
