package operator

import "golang.org/x/tools/go/ast/inspector"

var conditions = []*Operator{
	{
		Name:   "delete-signal",
		Doc:    "a condition's Signal or Broadcast is not called",
		Before: "mu.Lock()\nqueue = append(queue, 1)\ncond.Signal()\nmu.Unlock()",
		After:  "mu.Lock()\nqueue = append(queue, 1)\nmu.Unlock()",
		nodes:  statements,
		find: func(f *file, c inspector.Cursor) {
			call, to, ok := f.called(c.Node())
			if ok && inList(c.ParentEdgeKind()) && (to.is("sync", "Signal", "Cond") || to.is("sync", "Broadcast", "Cond")) {
				f.plant(c, f.short(call)+" is deleted", f.remove(c.Node()))
			}
		},
	},
}
