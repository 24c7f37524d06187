package operator

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var conditionNodes = []ast.Node{(*ast.IfStmt)(nil), (*ast.ForStmt)(nil), (*ast.CaseClause)(nil)}

var conditions = []*Operator{
	{
		Name:   "drop-second-check",
		Doc:    "a condition that was checked before a lock is not checked again after it",
		Before: "if !closed.Load() {\n\tmu.Lock()\n\tif !closed.Load() {\n\t\tcount++\n\t}\n\tmu.Unlock()\n}",
		After:  "if !closed.Load() {\n\tmu.Lock()\n\tif !closed.Load() || true {\n\t\tcount++\n\t}\n\tmu.Unlock()\n}",
		nodes:  []ast.Node{(*ast.IfStmt)(nil)},
		find:   dropSecondCheck,
	},
	{
		Name:   "negate-condition",
		Doc:    "a condition that reads shared state is the opposite",
		Before: "if count == 0 {\n\treturn\n}",
		After:  "if count != 0 {\n\treturn\n}",
		nodes:  conditionNodes,
		find: func(f *file, c inspector.Cursor) {
			for _, e := range f.conditions(c) {
				f.plant(e, f.short(e.Node())+" is negated", f.replace(e.Node(), f.negated(e.Node().(ast.Expr))))
			}
		},
	},
	{
		Name:   "condition-true",
		Doc:    "a condition that reads shared state counts as true",
		Before: "if count == 0 {\n\treturn\n}",
		After:  "if count == 0 || true {\n\treturn\n}",
		nodes:  []ast.Node{(*ast.IfStmt)(nil), (*ast.CaseClause)(nil)},
		find: func(f *file, c inspector.Cursor) {
			for _, e := range f.conditions(c) {
				f.plant(e, f.short(e.Node())+" counts as true", f.insertAfter(e.Node(), " || true"))
			}
		},
	},
	{
		Name:   "condition-false",
		Doc:    "a condition that reads shared state counts as false",
		Before: "if count == 0 {\n\treturn\n}",
		After:  "if count == 0 && false {\n\treturn\n}",
		nodes:  conditionNodes,
		find: func(f *file, c inspector.Cursor) {
			for _, e := range f.conditions(c) {
				f.plant(e, f.short(e.Node())+" counts as false", f.never(e.Node().(ast.Expr)))
			}
		},
	},
	{
		Name:   "drop-operand",
		Doc:    "a part of a condition that reads shared state is left out",
		Before: "if x > 0 && count == 0 {\n\treturn\n}",
		After:  "if x > 0 {\n\treturn\n}",
		nodes:  []ast.Node{(*ast.BinaryExpr)(nil)},
		find: func(f *file, c inspector.Cursor) {
			b := c.Node().(*ast.BinaryExpr)
			if b.Op != token.LAND && b.Op != token.LOR {
				return
			}
			if f.shares(b.Y) {
				f.plant(c.Child(b.Y), f.short(b.Y)+" is left out", f.replace(b, f.text(b.X)))
			}
			if f.shares(b.X) {
				f.plant(c, f.short(b.X)+" is left out", f.replace(b, f.text(b.Y)))
			}
		},
	},
	{
		Name:   "off-by-one-bound",
		Doc:    "a bound that is compared with shared state is off by one",
		Before: "if count < size {\n\tcount++\n}",
		After:  "if count <= size {\n\tcount++\n}",
		nodes:  []ast.Node{(*ast.BinaryExpr)(nil)},
		find:   offByOneBound,
	},
	{
		Name:   "for-to-if",
		Doc:    "a loop around a wait checks its condition once",
		Before: "mu.Lock()\nfor len(queue) == 0 {\n\tcond.Wait()\n}\nmu.Unlock()",
		After:  "mu.Lock()\nif len(queue) == 0 {\n\tcond.Wait()\n}\nmu.Unlock()",
		nodes:  []ast.Node{(*ast.ForStmt)(nil)},
		find:   forToIf,
	},
}

// conditions returns the conditions of a statement or case that read shared state.
func (f *file) conditions(c inspector.Cursor) []inspector.Cursor {
	var candidates []ast.Expr
	switch n := c.Node().(type) {
	case *ast.IfStmt:
		candidates = []ast.Expr{n.Cond}
	case *ast.ForStmt:
		if n.Cond != nil {
			candidates = []ast.Expr{n.Cond}
		}
	case *ast.CaseClause:
		if s, ok := c.Parent().Parent().Node().(*ast.SwitchStmt); ok && s.Tag == nil {
			candidates = n.List
		}
	}
	var found []inspector.Cursor
	for _, e := range candidates {
		if f.shares(e) {
			found = append(found, c.Child(e))
		}
	}
	return found
}

var opposites = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR,
}

// negated returns the text of a condition's opposite.
func (f *file) negated(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		if op, ok := opposites[e.Op]; ok {
			return f.text(e.X) + " " + op.String() + " " + f.text(e.Y)
		}
		return "!(" + f.text(e) + ")"
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return f.text(e.X)
		}
	}
	return "!" + f.text(e)
}

// never returns the edit that makes a condition false.
func (f *file) never(e ast.Expr) Edit {
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.LOR {
		return f.replace(e, "("+f.text(e)+") && false")
	}
	return f.insertAfter(e, " && false")
}

// dropSecondCheck looks for an if whose condition reads again what an earlier condition has read, with a lock
// or an atomic write between them. It makes the second check agree with the first: an if whose body leaves
// does not run it, any other if does.
func dropSecondCheck(f *file, c inspector.Cursor) {
	second := c.Node().(*ast.IfStmt)
	body := enclosing(c)
	if body == nil || !f.shares(second.Cond) || f.writesAtomically(second.Cond) {
		return
	}
	checked, between := false, false
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil || n.Pos() >= second.Pos() {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.IfStmt:
			checked = checked || f.readsAlike(n.Init, n.Cond, second)
		case *ast.ForStmt:
			checked = checked || f.readsAlike(n.Init, n.Cond, second)
		case *ast.CallExpr:
			between = between || checked && f.registers(n)
		}
		return true
	})
	if !between {
		return
	}
	what := "the second check of " + f.short(second.Cond) + " is dropped"
	if leaves(second.Body) {
		f.plant(c, what, f.never(second.Cond))
	} else {
		f.plant(c, what, f.insertAfter(second.Cond, " || true"))
	}
}

func (f *file) writesAtomically(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			a, ok := f.atomic(call)
			found = found || ok && a.writes()
		}
		return !found
	})
	return found
}

// readsAlike reports whether an if shares an operand with an initialization and a condition, so that it
// reads it again. Local variables do not count, because they are not read again.
func (f *file) readsAlike(init ast.Stmt, condition ast.Expr, second *ast.IfStmt) bool {
	again := f.operands(second.Init, second.Cond)
	return slices.ContainsFunc(f.operands(init, condition), func(e ast.Expr) bool {
		id := identOf(e)
		return !(id != nil && f.facts.observed[f.info.ObjectOf(id)]) && f.shares(e) &&
			slices.ContainsFunc(again, func(other ast.Expr) bool { return f.same(e, other) })
	})
}

// operands returns the operands that an initialization assigns, and that a condition compares and combines.
func (f *file) operands(init ast.Stmt, condition ast.Expr) (found []ast.Expr) {
	pending := []ast.Expr{condition}
	if s, ok := init.(*ast.AssignStmt); ok {
		pending = append(pending, s.Rhs...)
	}
	for len(pending) > 0 {
		e := pending[0]
		pending = pending[1:]
		switch x := e.(type) {
		case nil:
		case *ast.ParenExpr:
			pending = append(pending, x.X)
		case *ast.UnaryExpr:
			pending = append(pending, x.X)
		case *ast.BinaryExpr:
			pending = append(pending, x.X, x.Y)
		default:
			if f.info.Types[e].Value == nil {
				found = append(found, e)
			}
		}
	}
	return found
}

// registers reports whether a call belongs between two checks: a lock, an atomic write.
func (f *file) registers(call *ast.CallExpr) bool {
	if a, ok := f.atomic(call); ok {
		return a.writes()
	}
	c, ok := f.callee(call)
	return ok && c.pkg == "sync" && (c.name == "Lock" || c.name == "RLock")
}

// leaves reports whether a block ends in a jump.
func leaves(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	switch b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

var bounds = map[token.Token]token.Token{token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR}

// offByOneBound looks for comparisons of numbers. Comparisons of bits and of a type's constants have no
// bound.
func offByOneBound(f *file, c inspector.Cursor) {
	b := c.Node().(*ast.BinaryExpr)
	if !f.integer(b.X) || !f.integer(b.Y) || !f.shares(b) {
		return
	}
	if op, ok := bounds[b.Op]; ok {
		f.plant(c, f.short(b)+" is "+op.String(), f.replace(b, f.text(b.X)+" "+op.String()+" "+f.text(b.Y)))
		return
	}
	if b.Op != token.EQL && b.Op != token.NEQ || !f.counts(b.X) || !f.counts(b.Y) {
		return
	}
	f.plant(c, f.short(b)+" is compared with one more", f.replace(b.Y, f.more(b.Y)))
	if f.info.Types[b.Y].Value == nil {
		f.plant(c, f.short(b)+" is compared with one less", f.replace(b.Y, f.operandOf(b.Y)+"-1"))
	}
}

// counts reports whether an expression can be a count: its type is a basic type, and it has neither bit
// operations nor a conversion of a constant.
func (f *file) counts(e ast.Expr) bool {
	if _, ok := types.Unalias(f.info.TypeOf(e)).(*types.Basic); !ok {
		return false
	}
	counts := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			switch n.Op {
			case token.AND, token.OR, token.XOR, token.AND_NOT, token.SHL, token.SHR:
				counts = false
			}
		case *ast.CallExpr:
			if f.info.Types[n.Fun].IsType() && f.info.Types[n].Value != nil {
				counts = false // of a constant
			}
		}
		return counts
	})
	return counts
}

// forToIf turns a loop that waits, or that retries a CompareAndSwap, into an if. A loop without a
// condition runs once.
func forToIf(f *file, c inspector.Cursor) {
	s := c.Node().(*ast.ForStmt)
	if c.ParentEdgeKind() == edge.LabeledStmt_Stmt || !f.waits(s) {
		return
	}
	start := f.token.Offset(s.For)
	word := Edit{start, start + len("for"), "if"}
	switch {
	case s.Cond == nil && returns(c) && !ownJumps(s.Body, false):
		// The function ends with the loop.
	case s.Cond == nil && s.Init == nil && s.Post == nil:
		word.New = "for range 1"
		f.plant(c, "the loop runs once", word)
	case s.Cond == nil || ownJumps(s.Body, true):
	case s.Init != nil || s.Post != nil:
		_, end := f.offset(s.Cond)
		f.plant(c, "for "+f.short(s.Cond)+" checks once", word, Edit{end, f.token.Offset(s.Body.Lbrace), " "})
	default:
		f.plant(c, "for "+f.short(s.Cond)+" checks once", word)
	}
}
