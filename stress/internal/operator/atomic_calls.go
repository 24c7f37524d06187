package operator

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
)

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
