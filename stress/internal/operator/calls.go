package operator

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// dropIns is the path prefix of the packages that stand for those of the standard library.
const dropIns = "github.com/rouse-go/rouse/hooks/"

// A callee is the function or method that a call calls.
type callee struct {
	pkg  string // "sync/atomic"; for a drop-in, the package that it stands for; "" for a builtin
	recv string // "Mutex" for a method of Mutex or *Mutex
	name string
}

// callee returns the callee of a call, if it is a builtin, or a declared function or method.
func (f *file) callee(call *ast.CallExpr) (c callee, ok bool) {
	switch o := typeutil.Callee(f.info, call).(type) {
	case *types.Builtin:
		return callee{name: o.Name()}, true
	case *types.Func:
		c := callee{name: o.Name(), recv: receiver(o)}
		if p := o.Pkg(); p != nil {
			c.pkg = standsFor(p.Path())
		}
		return c, true
	}
	return callee{}, false
}

func receiver(f *types.Func) string {
	recv := f.Signature().Recv()
	if recv == nil {
		return ""
	}
	t := recv.Type()
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return "?"
}

// standsFor returns the standard package for a drop-in, and other packages unchanged.
func standsFor(path string) string {
	name, ok := strings.CutPrefix(path, dropIns)
	switch {
	case !ok:
		return path
	case name == "atomic":
		return "sync/atomic"
	case name == "sync", name == "context", name == "time":
		return name
	}
	return path
}

// called returns the call that a statement is, deferred or not, and its callee.
func (f *file) called(s ast.Node) (call *ast.CallExpr, c callee, ok bool) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, _ = ast.Unparen(s.X).(*ast.CallExpr)
	case *ast.DeferStmt:
		call = s.Call
	}
	if call == nil {
		return nil, c, false
	}
	c, ok = f.callee(call)
	return call, c, ok
}

// calledFunc returns the function that is called, or nil.
func (f *file) calledFunc(call *ast.CallExpr) types.Object {
	if o, ok := typeutil.Callee(f.info, call).(*types.Func); ok {
		return o.Origin()
	}
	return nil
}

// is reports whether the callee is the named method of one of the types.
func (c callee) is(pkg string, name string, recv ...string) bool {
	return c.pkg == pkg && c.name == name && slices.Contains(recv, c.recv)
}

// method returns the receiver of a method call, as written.
func method(call *ast.CallExpr) (recv ast.Expr, ok bool) {
	s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil, false
	}
	return s.X, true
}

// isNotify reports whether the name of a call's function is that of one that wakes, and the function is
// not in the standard library: its path has a dot, or it is in this package.
func (f *file) isNotify(call *ast.CallExpr) bool {
	o := typeutil.Callee(f.info, call)
	if o == nil || o.Pkg() == nil || o.Pkg().Path()+"/" == dropIns {
		return false
	}
	if first, _, _ := strings.Cut(o.Pkg().Path(), "/"); o.Pkg() != f.pkg && !strings.Contains(first, ".") {
		return false
	}
	name := strings.ToLower(o.Name())
	return slices.ContainsFunc([]string{"notify", "wake", "signal", "unpark"}, func(prefix string) bool {
		return strings.HasPrefix(name, prefix)
	})
}

// same reports whether two expressions have the same text and refer to the same variables.
func (f *file) same(a, b ast.Expr) bool {
	return types.ExprString(a) == types.ExprString(b) && slices.Equal(f.objects(a), f.objects(b))
}

// objects returns the objects that the identifiers of a node refer to, in their order.
func (f *file) objects(n ast.Node) []types.Object {
	var found []types.Object
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			found = append(found, f.info.ObjectOf(id))
		}
		return true
	})
	return found
}
