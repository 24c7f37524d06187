package main

import (
	"go/ast"
	"strings"
)

// memoryPath is what follows the path of hooks to the operations with declared
// orders.
const memoryPath = "/memory"

// memoryVerbs are what the names of these operations begin with - the methods that
// they stand for - and how many orders each has as its last arguments.
var memoryVerbs = []struct {
	method string
	orders int
}{{"CompareAndSwap", 2}, {"Load", 1}, {"Store", 1}, {"Swap", 1}, {"Add", 1}, {"And", 1}, {"Or", 1}}

// memoryCall returns e as a call of package hooks/memory, and the name called.
func (s *source) memoryCall(e ast.Expr) (*ast.CallExpr, string) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil, ""
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || s.packageOf(sel) != s.hooks()+memoryPath {
		return nil, ""
	}
	return call, sel.Sel.Name
}

// isFence reports whether e is a call of memory.Fence.
func (s *source) isFence(e ast.Expr) bool {
	call, name := s.memoryCall(e)
	return call != nil && name == "Fence"
}

// memory makes a method's call of one with a declared order, and reports whether it
// was one.
func (s *source) memory(call *ast.CallExpr) bool {
	if c, _ := s.memoryCall(call); c != call {
		return false
	}
	_, name := s.memoryCall(call)
	for _, v := range memoryVerbs {
		kept := len(call.Args) - v.orders
		if !strings.HasPrefix(name, v.method) || kept < 1 {
			continue
		}
		args := call.Args[:kept]
		s.mark()
		s.cut(call.Pos(), args[0].Pos(), "(")
		s.walk(args[0])
		at := args[0].End()
		open := ")." + v.method + "("
		for _, arg := range args[1:] {
			s.cut(at, arg.Pos(), open)
			s.walk(arg)
			at, open = arg.End(), ", "
		}
		if kept == 1 {
			open += ")"
		} else {
			open = ")"
		}
		s.cut(at, call.End(), open)
		return true
	}
	return false
}
