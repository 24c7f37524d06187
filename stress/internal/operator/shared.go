package operator

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// facts holds the parts of a package that its goroutines may share, as far as types and names show.
type facts struct {
	// structs are the struct types with a lock, an atomic variable or a channel among their fields, and those
	// that can be reached from them.
	structs map[*types.TypeName]bool
	// variables are the package variables that a function assigns, and the variables that a function literal
	// uses and that are assigned after their declaration.
	variables map[types.Object]bool
	// observed are local variables that hold the result of an atomic operation, TryLock or a receive.
	observed map[types.Object]bool
	// blocking are the functions that may block: they lock, wait, use a channel.
	blocking map[types.Object]bool
	// wrappers are the functions that do one atomic write and call nothing else.
	wrappers map[types.Object]bool
}

func newFacts(p *packages.Package) *facts {
	w := &facts{
		structs:   map[*types.TypeName]bool{},
		variables: map[types.Object]bool{},
		observed:  map[types.Object]bool{},
		blocking:  map[types.Object]bool{},
		wrappers:  map[types.Object]bool{},
	}
	scope := p.Types.Scope()
	for _, name := range scope.Names() {
		if t, ok := scope.Lookup(name).(*types.TypeName); ok && !t.IsAlias() {
			if s, ok := t.Type().Underlying().(*types.Struct); ok && synchronizes(s, 3) {
				w.reach(t.Type(), p.Types, map[*types.TypeName]bool{})
			}
		}
	}
	for _, syntax := range p.Syntax {
		f := &file{info: p.TypesInfo, pkg: p.Types}
		for _, d := range syntax.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				w.function(f, d)
			}
		}
	}
	return w
}

// synchronizes reports whether a struct has a lock, an atomic variable or a channel: in itself or in
// a struct that is a field, down to some depth.
func synchronizes(s *types.Struct, depth int) bool {
	for field := range s.Fields() {
		t := types.Unalias(field.Type())
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		} else if inner, ok := t.Underlying().(*types.Struct); ok && depth > 0 && synchronizes(inner, depth-1) {
			return true
		}
		if _, ok := t.Underlying().(*types.Chan); ok {
			return true
		}
		if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil {
			switch standsFor(n.Obj().Pkg().Path()) {
			case "sync", "sync/atomic", dropIns + "memory":
				return true
			}
		}
	}
	return false
}

// reach marks the struct types of the package that a type leads to.
func (w *facts) reach(t types.Type, pkg *types.Package, seen map[*types.TypeName]bool) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		name := t.Origin().Obj()
		for a := range t.TypeArgs().Types() {
			w.reach(a, pkg, seen)
		}
		if name.Pkg() == pkg && !seen[name] && !w.structs[name] {
			seen[name] = true
			if _, ok := t.Underlying().(*types.Struct); ok {
				w.structs[name] = true
			}
			w.reach(t.Origin().Underlying(), pkg, seen)
		}
	case *types.Struct:
		for f := range t.Fields() {
			w.reach(f.Type(), pkg, seen)
		}
	case *types.Map:
		w.reach(t.Key(), pkg, seen)
		w.reach(t.Elem(), pkg, seen)
	case interface{ Elem() types.Type }: // a pointer, slice, array, channel
		w.reach(t.Elem(), pkg, seen)
	}
}

// function collects variables, and whether the function may block.
func (w *facts) function(f *file, d *ast.FuncDecl) {
	assigned, captured := map[types.Object]bool{}, map[types.Object]bool{}
	var literals []*ast.FuncLit
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			literals = append(literals, n)
		case *ast.IncDecStmt:
			w.assign(f, n.X, assigned)
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if n.Tok != token.DEFINE {
					w.assign(f, l, assigned)
				}
				if id, ok := l.(*ast.Ident); ok && f.observes(n.Rhs[min(i, len(n.Rhs)-1)]) {
					w.observed[f.info.ObjectOf(id)] = true
				}
			}
		}
		return true
	})
	for _, l := range literals {
		ast.Inspect(l.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if v, ok := f.info.Uses[id].(*types.Var); ok && (v.Pos() < l.Pos() || v.Pos() > l.End()) {
					captured[v] = true
				}
			}
			return true
		})
	}
	for o := range assigned {
		if captured[o] {
			w.variables[o] = true
		}
	}
	w.blocking[f.info.Defs[d.Name]] = f.blocks(d.Body)
	w.wrappers[f.info.Defs[d.Name]] = f.wrapsAtomic(d.Body)
}

// wrapsAtomic reports whether a function does one atomic write, and calls nothing else but hooks.
func (f *file) wrapsAtomic(body *ast.BlockStmt) bool {
	writes, others := 0, 0
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.GoStmt, *ast.DeferStmt, *ast.FuncLit, *ast.SendStmt:
			others++
		case *ast.CallExpr:
			kind, _, c := f.atomicKind(n)
			switch {
			case kind != "" && kind != "Load":
				writes++
			case f.info.Types[n.Fun].IsType() || f.info.Types[n.Fun].IsBuiltin() || c.pkg+"/" == dropIns:
			default:
				others++
			}
		}
		return true
	})
	return writes == 1 && others == 0
}

// assign records that an expression is assigned.
func (w *facts) assign(f *file, e ast.Expr, assigned map[types.Object]bool) {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			e = x.X
			continue
		case *ast.Ident:
			o := f.info.ObjectOf(x)
			if assigned[o] = true; o != nil && o.Parent() == f.pkg.Scope() {
				w.variables[o] = true
			}
		}
		return
	}
}

// observes reports whether an expression is an atomic operation, a TryLock or a receive.
func (f *file) observes(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		return e.Op == token.ARROW
	case *ast.CallExpr:
		kind, _, c := f.atomicKind(e)
		return kind != "" ||
			c.pkg == "sync" && (c.name == "TryLock" || c.name == "TryRLock") ||
			c.pkg == dropIns+"channel" && (c.name == "Receive" || c.name == "ReceiveOK")
	}
	return false
}

// shares reports whether a node reads or writes state that other goroutines may use. Function literals
// do not count.
func (f *file) shares(n ast.Node) (found bool) {
	if n == nil {
		return false
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			found = found || f.observes(n) || f.asks(n)
		case *ast.UnaryExpr:
			found = found || f.observes(n)
		case *ast.SelectorExpr:
			found = found || f.sharedField(n)
		case *ast.Ident:
			o := f.info.Uses[n]
			found = found || o != nil && (f.facts.variables[o] || f.facts.observed[o])
		}
		return !found
	})
	return found
}

// asks reports whether a call is of a shared struct's own method, or for the length or capacity of a channel.
func (f *file) asks(call *ast.CallExpr) bool {
	if c, ok := f.callee(call); ok && c.pkg == "" && (c.name == "len" || c.name == "cap") && len(call.Args) == 1 {
		_, isChannel := f.info.TypeOf(call.Args[0]).Underlying().(*types.Chan)
		return isChannel
	}
	s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	selection := f.info.Selections[s]
	return selection != nil && selection.Kind() == types.MethodVal && selection.Obj().Pkg() == f.pkg && f.sharedStruct(selection.Recv())
}

// sharedField reports whether a selector is a data field of a shared struct: not a function, lock or
// atomic variable, whose use shows at the call.
func (f *file) sharedField(s *ast.SelectorExpr) bool {
	selection := f.info.Selections[s]
	if selection == nil || selection.Kind() != types.FieldVal || !f.sharedStruct(selection.Recv()) {
		return false
	}
	t := types.Unalias(selection.Type())
	if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil {
		switch standsFor(n.Obj().Pkg().Path()) {
		case "sync", "sync/atomic", dropIns + "memory":
			return false
		}
	}
	_, isFunction := t.Underlying().(*types.Signature)
	return !isFunction
}

func (f *file) sharedStruct(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && f.facts.structs[n.Origin().Obj()]
}

// blocks reports whether a node locks, waits, uses a channel, or calls a function value.
func (f *file) blocks(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt:
			return false
		case *ast.SendStmt, *ast.SelectStmt:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.CallExpr:
			found = found || f.callBlocks(n)
		}
		return !found
	})
	return found
}

func (f *file) callBlocks(call *ast.CallExpr) bool {
	if t := f.info.Types[call.Fun]; t.IsType() {
		return false
	}
	c, ok := f.callee(call)
	switch {
	case !ok: // a function value
		return true
	case c.pkg == "sync":
		return c.name == "Lock" || c.name == "RLock" || c.name == "Wait" || c.recv == "Once"
	case c.pkg == dropIns+"channel":
		return true
	}
	return f.facts != nil && f.facts.blocking[f.calledFunc(call)]
}
