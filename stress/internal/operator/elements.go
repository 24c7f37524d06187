package operator

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ast/inspector"
)

// Elements of queues, maps and lists.
var elements = []*Operator{
	{
		Name:   "element-kept",
		Doc:    "an element that is taken is not removed: X = X[1:], delete(m, k), X = X.next",
		Before: "x = queue[0]\nqueue = queue[1:]",
		After:  "x = queue[0]",
		nodes:  []ast.Node{(*ast.AssignStmt)(nil), (*ast.ExprStmt)(nil)},
		find:   elementKept,
	},
	{
		Name:   "element-lost",
		Doc:    "an element is not added: X = append(X, v), m[k] = v",
		Before: "count++\nqueue = append(queue, x)",
		After:  "count++",
		nodes:  []ast.Node{(*ast.AssignStmt)(nil)},
		find:   elementLost,
	},
	{
		Name:   "element-skipped",
		Doc:    "two elements are removed instead of one",
		Before: "x = queue[0]\nqueue = queue[1:]",
		After:  "x = queue[0]\nqueue = queue[min(2, len(queue)):]",
		nodes:  []ast.Node{(*ast.AssignStmt)(nil)},
		find: func(f *file, c inspector.Cursor) {
			x, cut, ok := f.cuts(c)
			if !ok || !cut.first {
				return
			}
			text := f.text(x)
			f.plant(c, f.short(c.Node())+" removes two", f.replace(c.Node(), text+" = "+text+"[min(2, len("+text+")):]"))
		},
	},
	{
		Name:   "fifo-to-lifo",
		Doc:    "the last element is taken instead of the first, or the first instead of the last",
		Before: "x = queue[0]\nqueue = queue[1:]",
		After:  "x = queue[len(queue)-1]\nqueue = queue[:len(queue)-1]",
		nodes:  []ast.Node{(*ast.AssignStmt)(nil)},
		find:   fifoToLifo,
	},
	{
		Name:   "element-doubled",
		Doc:    "an element is added twice",
		Before: "queue = append(queue, x)",
		After:  "queue = append(queue, x, x)",
		nodes:  []ast.Node{(*ast.AssignStmt)(nil)},
		find: func(f *file, c inspector.Cursor) {
			_, call, ok := f.appends(c)
			if ok && len(call.Args) == 2 && !call.Ellipsis.IsValid() {
				f.plant(c, f.short(call.Args[1])+" is added twice", f.insertAfter(call.Args[1], ", "+f.text(call.Args[1])))
			}
		},
	},
	{
		Name:   "append-in-front",
		Doc:    "an element is added before the others instead of after them",
		Before: "queue = append(queue, x)",
		After:  "queue = append([]int{x}, queue...)",
		nodes:  []ast.Node{(*ast.AssignStmt)(nil)},
		find: func(f *file, c inspector.Cursor) {
			x, call, ok := f.appends(c)
			if !ok || len(call.Args) != 2 || call.Ellipsis.IsValid() {
				return
			}
			f.plant(c, f.short(call.Args[1])+" is added before the others", f.replace(call,
				f.text(call.Fun)+"("+f.typeString(f.info.TypeOf(x))+"{"+f.text(call.Args[1])+"}, "+f.text(x)+"...)"))
		},
	},
	{
		Name:   "list-other-end",
		Doc:    "an element of a container/list is added or taken at the other end",
		Before: "jobs.PushBack(x)",
		After:  "jobs.PushFront(x)",
		nodes:  calls,
		find: func(f *file, c inspector.Cursor) {
			call := c.Node().(*ast.CallExpr)
			to, ok := f.callee(call)
			other := map[string]string{"PushBack": "PushFront", "PushFront": "PushBack", "Front": "Back", "Back": "Front",
				"MoveToFront": "MoveToBack", "MoveToBack": "MoveToFront"}[to.name]
			if ok && to.pkg == "container/list" && to.recv == "List" && other != "" {
				f.plant(c, f.short(call)+" is "+other, f.rename(call, other))
			}
		},
	},
}

// A cut is the end of a slice from which an assignment takes one element.
type cut struct{ first, last bool }

// cuts returns X for the statement X = X[1:] or X = X[:len(X)-1], of shared state.
func (f *file) cuts(c inspector.Cursor) (x ast.Expr, which cut, ok bool) {
	s, ok := c.Node().(*ast.AssignStmt)
	if !ok || !inList(c.ParentEdgeKind()) || s.Tok != token.ASSIGN || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return nil, which, false
	}
	slice, ok := ast.Unparen(s.Rhs[0]).(*ast.SliceExpr)
	if !ok || slice.Slice3 || !f.same(slice.X, s.Lhs[0]) || !f.shares(s.Lhs[0]) {
		return nil, which, false
	}
	which.first = slice.High == nil && slice.Low != nil && f.isOne(slice.Low)
	which.last = slice.Low == nil && slice.High != nil && f.isLast(slice.High, slice.X)
	return s.Lhs[0], which, true
}

func (f *file) isOne(e ast.Expr) bool  { return f.isConstant(e, "1") }
func (f *file) isZero(e ast.Expr) bool { return f.isConstant(e, "0") }

func (f *file) isConstant(e ast.Expr, value string) bool {
	v := f.info.Types[e].Value
	return v != nil && v.ExactString() == value
}

// isLast reports whether an expression is len(x)-1.
func (f *file) isLast(e, x ast.Expr) bool {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok || b.Op != token.SUB || !f.isOne(b.Y) {
		return false
	}
	call, ok := ast.Unparen(b.X).(*ast.CallExpr)
	if !ok {
		return false
	}
	to, ok := f.callee(call)
	return ok && to == callee{name: "len"} && f.same(call.Args[0], x)
}

func elementKept(f *file, c inspector.Cursor) {
	if !inList(c.ParentEdgeKind()) {
		return
	}
	call, to, isCall := f.called(c.Node())
	_, which, isCut := f.cuts(c)
	switch s, isAssign := c.Node().(*ast.AssignStmt); {
	case isCall && to == callee{name: "delete"} && f.shares(call.Args[0]):
	case isCall && to.pkg == "container/list" && to.name == "Remove":
	case isCut && (which.first || which.last):
	case isAssign && f.follows(s):
	default:
		return
	}
	f.plant(c, f.short(c.Node())+" is deleted", f.remove(c.Node()))
}

// follows reports whether a statement is X = X.next, for shared X.
func (f *file) follows(s *ast.AssignStmt) bool {
	if s.Tok != token.ASSIGN || len(s.Lhs) != 1 || len(s.Rhs) != 1 || !f.shares(s.Lhs[0]) {
		return false
	}
	next, ok := ast.Unparen(s.Rhs[0]).(*ast.SelectorExpr)
	return ok && f.same(next.X, s.Lhs[0])
}

func elementLost(f *file, c inspector.Cursor) {
	s := c.Node().(*ast.AssignStmt)
	if !inList(c.ParentEdgeKind()) || s.Tok != token.ASSIGN || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return
	}
	_, _, appends := f.appends(c)
	index, isIndex := ast.Unparen(s.Lhs[0]).(*ast.IndexExpr)
	if appends || isIndex && f.shares(index.X) && !f.info.Types[s.Rhs[0]].IsNil() {
		f.plant(c, f.short(s)+" is deleted", f.remove(s))
	}
}

// appends returns X and the call for the statement X = append(X, ...), of shared state.
func (f *file) appends(c inspector.Cursor) (x ast.Expr, call *ast.CallExpr, ok bool) {
	s := c.Node().(*ast.AssignStmt)
	if s.Tok != token.ASSIGN || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return nil, nil, false
	}
	call, ok = ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
	if !ok {
		return nil, nil, false
	}
	to, ok := f.callee(call)
	return s.Lhs[0], call, ok && to == callee{name: "append"} && f.same(call.Args[0], s.Lhs[0]) && f.shares(s.Lhs[0])
}

// fifoToLifo looks in the preceding statements for the read of the element that an assignment cuts off.
func fifoToLifo(f *file, c inspector.Cursor) {
	x, which, ok := f.cuts(c)
	if !ok || !which.first && !which.last {
		return
	}
	text := f.text(x)
	index, slice := "len("+text+")-1", text+"[:len("+text+")-1]"
	if which.last {
		index, slice = "0", text+"[1:]"
	}
	edits := []Edit{f.replace(c.Node().(*ast.AssignStmt).Rhs[0], slice)}
	for s, ok := f.before(c); ok; s, ok = f.before(s) {
		ast.Inspect(s.Node(), func(n ast.Node) bool {
			e, ok := n.(*ast.IndexExpr)
			if ok && f.same(e.X, x) && (which.first && f.isZero(e.Index) || which.last && f.isLast(e.Index, x)) {
				edits = append(edits, f.replace(e.Index, index))
			}
			return true
		})
	}
	if len(edits) > 1 {
		f.plant(c, "the other end of "+f.short(x)+" is taken", edits...)
	}
}
