package operator

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var calls = []ast.Node{(*ast.CallExpr)(nil)}

var atomics = []*Operator{
	{
		Name:   "delete-store",
		Doc:    "an atomic write is left out, or the call of a function that does nothing else",
		Before: "value = 1\nready.Store(true)",
		After:  "value = 1",
		nodes:  expressionStatements,
		find: func(f *file, c inspector.Cursor) {
			if a, ok := f.atomicStatement(c); ok && a.writes() {
				f.plant(c, f.short(a.call)+" is deleted", f.remove(c.Node()))
			}
		},
	},
	{
		Name:   "cas-to-store",
		Doc:    "a CompareAndSwap stores without comparing",
		Before: "if closed.CompareAndSwap(false, true) {\n\tclose(inbox)\n}",
		After:  "if closed.Store(true); true {\n\tclose(inbox)\n}",
		nodes:  calls,
		find:   casToStore,
	},
	{
		Name:   "cas-to-load",
		Doc:    "a CompareAndSwap compares and does not store",
		Before: "if closed.CompareAndSwap(false, true) {\n\tclose(inbox)\n}",
		After:  "if closed.Load() == false {\n\tclose(inbox)\n}",
		nodes:  calls,
		find: func(f *file, c inspector.Cursor) {
			a, ok := f.cas(c)
			if ok && c.ParentEdgeKind() != edge.ExprStmt_X {
				text := a.other("Load") + " == " + f.operand(a.args[0])
				f.plant(c, f.short(a.call)+" only compares", f.replace(a.call, inParens(c, text)))
			}
		},
	},
	{
		Name:   "cas-to-load-and-store",
		Doc:    "a CompareAndSwap compares and stores in two steps",
		Before: "return ready.CompareAndSwap(false, true)",
		After:  "return func() bool { if ready.Load() != false { return false }; ready.Store(true); return true }()",
		nodes:  calls,
		find: func(f *file, c inspector.Cursor) {
			a, ok := f.cas(c)
			if !ok {
				return
			}
			load, store := a.other("Load")+" != "+f.operand(a.args[0]), a.other("Store", f.text(a.args[1]))
			f.plant(c, f.short(a.call)+" is a Load and a Store",
				f.replace(a.call, "func() bool { if "+load+" { return false }; "+store+"; return true }()"))
		},
	},
	{
		Name:   "cas-ignored",
		Doc:    "the result of a CompareAndSwap is ignored: it counts as successful",
		Before: "if closed.CompareAndSwap(false, true) {\n\tclose(inbox)\n}",
		After:  "if closed.CompareAndSwap(false, true) || true {\n\tclose(inbox)\n}",
		nodes:  calls,
		find: func(f *file, c inspector.Cursor) {
			a, ok := f.cas(c)
			if ok && c.ParentEdgeKind() != edge.ExprStmt_X {
				f.plant(c, f.short(a.call)+" counts as successful", f.replace(a.call, inParens(c, f.text(a.call)+" || true")))
			}
		},
	},
	{
		Name:   "swap-to-load",
		Doc:    "a Swap does not write",
		Before: "if !closed.Swap(true) {\n\tclose(inbox)\n}",
		After:  "if !closed.Load() {\n\tclose(inbox)\n}",
		nodes:  calls,
		find: func(f *file, c inspector.Cursor) {
			a, ok := f.atomicValue(c, "Swap")
			if ok {
				f.plant(c, f.short(a.call)+" does not write", f.replace(a.call, a.other("Load")))
			}
		},
	},
	{
		Name:   "swap-to-load-and-store",
		Doc:    "a Swap is a Load and a Store",
		Before: "use(head.Swap(nil))",
		After:  "use(func() *task { old := head.Load(); head.Store(nil); return old }())",
		nodes:  calls,
		find: func(f *file, c inspector.Cursor) {
			a, ok := f.atomicValue(c, "Swap")
			if ok {
				f.plant(c, f.short(a.call)+" is a Load and a Store", f.replace(a.call, "func() "+f.typeString(f.info.TypeOf(a.call))+
					" { old := "+a.other("Load")+"; "+a.other("Store", f.text(a.args[0]))+"; return old }()"))
			}
		},
	},
	{
		Name:   "add-to-load-and-store",
		Doc:    "an atomic Add is a Load and a Store",
		Before: "pending.Add(1)",
		After:  "pending.Store(pending.Load() + 1)",
		nodes:  calls,
		find:   addToLoadAndStore,
	},
	{
		Name:   "load-again",
		Doc:    "an atomic variable is loaded again where the value loaded before is used",
		Before: "for old := head.Load(); old != nil; {\n\thead.CompareAndSwap(old, old.next)\n}",
		After:  "for old := head.Load(); old != nil; {\n\thead.CompareAndSwap(old, head.Load().next)\n}",
		nodes:  []ast.Node{(*ast.AssignStmt)(nil)},
		find:   loadAgain,
	},
	{
		Name:   "atomic-to-plain",
		Doc:    "a Load, Store or Add by a function of sync/atomic is plain",
		Before: "atomic.StoreUint32(&word, 1)",
		After:  "word = 1",
		nodes:  calls,
		find:   atomicToPlain,
	},
}

// cas returns the CompareAndSwap that c is.
func (f *file) cas(c inspector.Cursor) (atomicCall, bool) {
	a, ok := f.atomic(c.Node().(*ast.CallExpr))
	switch c.ParentEdgeKind() {
	case edge.DeferStmt_Call, edge.GoStmt_Call:
		return a, false
	}
	return a, ok && a.kind == "CompareAndSwap"
}

// atomicValue returns the operation of some kind that c is, if its result is used.
func (f *file) atomicValue(c inspector.Cursor, kind string) (atomicCall, bool) {
	a, ok := f.atomic(c.Node().(*ast.CallExpr))
	switch c.ParentEdgeKind() {
	case edge.DeferStmt_Call, edge.GoStmt_Call, edge.ExprStmt_X:
		return a, false
	}
	return a, ok && a.kind == kind
}

// operand returns the text of an expression as the operand of a comparison.
func (f *file) operand(e ast.Expr) string {
	if _, ok := e.(*ast.BinaryExpr); ok {
		return "(" + f.text(e) + ")"
	}
	return f.text(e)
}

// casToStore replaces a CompareAndSwap by a Store. If it is the condition of an if, the Store becomes the init
// statement of that if.
func casToStore(f *file, c inspector.Cursor) {
	a, ok := f.cas(c)
	if !ok {
		return
	}
	store, what := a.other("Store", f.text(a.args[1])), f.short(a.call)+" only stores"
	if c.ParentEdgeKind() == edge.ExprStmt_X {
		f.plant(c, what, f.replace(a.call, store))
		return
	}
	condition, result := c, "true"
	if u, ok := c.Parent().Node().(*ast.UnaryExpr); ok && c.Parent().ParentEdgeKind() == edge.IfStmt_Cond {
		condition, result = c.Parent(), "false"
		_ = u
	}
	if s, ok := condition.Parent().Node().(*ast.IfStmt); ok && s.Init == nil && s.Cond == condition.Node() {
		f.plant(c, what, f.replace(condition.Node(), store+"; "+result))
		return
	}
	f.plant(c, what, f.replace(a.call, "func() bool { "+store+"; return true }()"))
}

func addToLoadAndStore(f *file, c inspector.Cursor) {
	a, ok := f.atomic(c.Node().(*ast.CallExpr))
	if !ok || a.kind != "Add" {
		return
	}
	sum, what := a.other("Load")+" + "+f.operand(a.args[0]), f.short(a.call)+" is a Load and a Store"
	if c.ParentEdgeKind() == edge.ExprStmt_X {
		f.plant(c, what, f.replace(a.call, a.other("Store", sum)))
		return
	}
	if a, ok = f.atomicValue(c, "Add"); ok {
		f.plant(c, what, f.replace(a.call, "func() "+f.typeString(f.info.TypeOf(a.call))+
			" { sum := "+sum+"; "+a.other("Store", "sum")+"; return sum }()"))
	}
}

// loadAgain looks for uses of v, for v := x.Load().
func loadAgain(f *file, c inspector.Cursor) {
	s := c.Node().(*ast.AssignStmt)
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return
	}
	call, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
	if !ok {
		return
	}
	a, ok := f.atomic(call)
	id, isIdent := s.Lhs[0].(*ast.Ident)
	body := enclosing(c)
	if !ok || !isIdent || a.kind != "Load" || f.info.Defs[id] == nil || body == nil {
		return
	}
	for _, use := range f.usesToReload(f.info.Defs[id], body) {
		if at, ok := f.root.FindNode(use); ok {
			f.plant(at, f.short(call)+" is loaded again for "+id.Name, f.replace(use, f.text(call)))
		}
	}
}

// usesToReload returns the last use of a variable, and its uses as the expected value of a
// CompareAndSwap, or nil if the variable is assigned again.
func (f *file) usesToReload(variable types.Object, body *ast.BlockStmt) (found []*ast.Ident) {
	assigned, last := false, (*ast.Ident)(nil)
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				assigned = assigned || f.info.Uses[identOf(l)] == variable
			}
		case *ast.IncDecStmt:
			assigned = assigned || f.info.Uses[identOf(n.X)] == variable
		case *ast.CallExpr:
			if a, ok := f.atomic(n); ok && a.kind == "CompareAndSwap" {
				if old := identOf(a.args[0]); f.info.Uses[old] == variable {
					found = append(found, old)
				}
			}
		case *ast.Ident:
			if f.info.Uses[n] == variable {
				last = n
			}
		}
		return true
	})
	switch {
	case assigned || last == nil:
		return nil
	case !slices.Contains(found, last):
		found = append(found, last)
	}
	return found
}

// identOf returns the identifier that an expression is, or nil.
func identOf(e ast.Expr) *ast.Ident {
	id, _ := ast.Unparen(e).(*ast.Ident)
	return id
}

// atomicToPlain replaces an atomic operation by a plain one on the variable without its &.
func atomicToPlain(f *file, c inspector.Cursor) {
	a, ok := f.atomic(c.Node().(*ast.CallExpr))
	if !ok || a.before == "" {
		return
	}
	u, ok := a.variable.(*ast.UnaryExpr)
	if to, _ := f.callee(a.call); !ok || to.recv != "" || to.pkg != "sync/atomic" {
		return
	}
	switch {
	case a.kind == "Load":
		f.plant(c, f.short(a.call)+" is plain", f.replace(a.call, f.text(u.X)))
	case a.kind == "Store" && c.ParentEdgeKind() == edge.ExprStmt_X:
		f.plant(c, f.short(a.call)+" is plain", f.replace(a.call, f.text(u.X)+" = "+f.text(a.args[0])))
	case a.kind == "Add" && c.ParentEdgeKind() == edge.ExprStmt_X:
		f.plant(c, f.short(a.call)+" is plain", f.replace(a.call, f.text(u.X)+" += "+f.text(a.args[0])))
	}
}

// An atomicCall is a call of an atomic operation: a method of the types of sync/atomic, a function of
// that package, or a function of the drop-in hooks/memory.
type atomicCall struct {
	call     *ast.CallExpr
	kind     string     // Load, Store, Swap, CompareAndSwap, Add, And, Or; Call for a function that does one
	variable ast.Expr   // x or &x, as written
	args     []ast.Expr // the values
	// The call of another operation on the same variable is before + kind + between + values + behind.
	before, between, behind string
}

var atomicKinds = []string{"CompareAndSwap", "Load", "Store", "Swap", "Add", "And", "Or"}

// atomicKind returns which atomic operation a call is, and the rest of the function's name.
func (f *file) atomicKind(call *ast.CallExpr) (kind, suffix string, c callee) {
	c, ok := f.callee(call)
	if !ok || c.pkg != "sync/atomic" && c.pkg != dropIns+"memory" {
		return "", "", c
	}
	for _, kind := range atomicKinds {
		if suffix, ok := strings.CutPrefix(c.name, kind); ok {
			return kind, suffix, c
		}
	}
	return "", "", c
}

// atomic returns the atomic operation that a call is.
func (f *file) atomic(call *ast.CallExpr) (a atomicCall, ok bool) {
	kind, suffix, c := f.atomicKind(call)
	if kind == "" {
		return a, false
	}
	a.call, a.kind = call, kind
	if c.recv != "" {
		a.variable, ok = method(call)
		if !ok {
			return a, false
		}
		a.args, a.before, a.between = call.Args, f.text(a.variable)+".", "("
	} else {
		a.variable, a.args = call.Args[0], call.Args[1:]
		if s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			a.before = f.text(s.X) + "."
		}
		a.between = suffix + "(" + f.text(a.variable)
		if c.pkg != "sync/atomic" { // the last arguments are memory orders
			a.args, a.behind = a.args[:values(kind)], ", "+a.before+"SeqCst"
		}
	}
	a.behind += ")"
	return a, true
}

// values returns how many values an operation has.
func values(kind string) int {
	switch kind {
	case "Load":
		return 0
	case "CompareAndSwap":
		return 2
	}
	return 1
}

// other returns the call of another operation on the same variable.
func (a atomicCall) other(kind string, values ...string) string {
	text := a.before + kind + a.between
	for i, v := range values {
		if i > 0 || !strings.HasSuffix(a.between, "(") {
			text += ", "
		}
		text += v
	}
	return text + a.behind
}

// writes reports whether the operation may write.
func (a atomicCall) writes() bool { return a.kind != "Load" }

// atomicStatement returns the atomic operation that a statement of a list is, or assigns. A call of a
// function that only does an atomic write has the kind "Call", and the function as its variable.
func (f *file) atomicStatement(c inspector.Cursor) (atomicCall, bool) {
	if !c.Valid() || !inList(c.ParentEdgeKind()) {
		return atomicCall{}, false
	}
	var e ast.Expr
	switch s := c.Node().(type) {
	case *ast.ExprStmt:
		e = s.X
	case *ast.AssignStmt:
		if len(s.Rhs) == 1 {
			e = s.Rhs[0]
		}
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return atomicCall{}, false
	}
	if f.facts.wrappers[f.calledFunc(call)] {
		return atomicCall{call: call, kind: "Call", variable: call.Fun}, true
	}
	return f.atomic(call)
}
