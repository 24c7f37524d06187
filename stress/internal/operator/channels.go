package operator

import (
	"bytes"
	"go/ast"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/ast/inspector"
)

var channels = []*Operator{
	{
		Name:   "delete-close",
		Doc:    "a channel is not closed",
		Before: "ready.Store(true)\nclose(inbox)",
		After:  "ready.Store(true)",
		nodes:  statements,
		find: deleteCalls(func(f *file, _ *ast.CallExpr, c callee) bool {
			return c.pkg == "" && c.name == "close" || c.pkg == dropIns+"channel" && c.name == "Close"
		}),
	},
	{
		Name:   "delete-send",
		Doc:    "a value is not sent",
		Before: "count++\noutbox <- x",
		After:  "count++",
		nodes:  []ast.Node{(*ast.SendStmt)(nil), (*ast.ExprStmt)(nil)},
		find: func(f *file, c inspector.Cursor) {
			if inList(c.ParentEdgeKind()) && f.sends(c.Node()) {
				f.plant(c, f.short(c.Node())+" is deleted", f.remove(c.Node()))
			}
		},
	},
	{
		Name:   "send-may-drop",
		Doc:    "a value is dropped if it cannot be sent at once",
		Before: "outbox <- x",
		After:  "select { case outbox <- x: default: }",
		nodes:  []ast.Node{(*ast.SendStmt)(nil)},
		find: func(f *file, c inspector.Cursor) {
			if inList(c.ParentEdgeKind()) {
				f.plant(c, f.short(c.Node())+" may drop the value", f.replace(c.Node(), "select { case "+f.text(c.Node())+": default: }"))
			}
		},
	},
	{
		Name:   "drop-case",
		Doc:    "a case of a select is left out",
		Before: "select {\ncase x = <-inbox:\ncase <-ctx.Done():\n\treturn\n}",
		After:  "select {\ncase x = <-inbox:\n}",
		nodes:  []ast.Node{(*ast.SelectStmt)(nil), (*ast.CallExpr)(nil)},
		find:   dropCase,
	},
	{
		Name:   "drop-default",
		Doc:    "a select without its default blocks",
		Before: "select {\ncase outbox <- x:\ndefault:\n}",
		After:  "select {\ncase outbox <- x:\n}",
		nodes:  []ast.Node{(*ast.SelectStmt)(nil), (*ast.CallExpr)(nil)},
		find:   dropDefault,
	},
	{
		Name:   "add-default",
		Doc:    "a select does not wait",
		Before: "select {\ncase outbox <- x:\ncase <-ctx.Done():\n}",
		After:  "select {\ncase outbox <- x:\ncase <-ctx.Done():\ndefault:\n}",
		nodes:  []ast.Node{(*ast.SelectStmt)(nil), (*ast.CallExpr)(nil)},
		find:   addDefault,
	},
	{
		Name:   "buffer-more",
		Doc:    "a channel's buffer has one place more",
		Before: "inbox = make(chan int)",
		After:  "inbox = make(chan int, 1)",
		nodes:  calls,
		find: func(f *file, c inspector.Cursor) {
			call, ok := f.makesChannel(c)
			switch {
			case !ok:
			case len(call.Args) == 1:
				f.plant(c, f.short(call)+" has a buffer", f.insertAfter(call.Args[0], ", 1"))
			default:
				f.plant(c, f.short(call)+" has one place more", f.replace(call.Args[1], f.more(call.Args[1])))
			}
		},
	},
	{
		Name:   "buffer-less",
		Doc:    "a channel's buffer has one place less",
		Before: "inbox = make(chan int, 1)",
		After:  "inbox = make(chan int, 0)",
		nodes:  calls,
		find:   bufferLess,
	},
}

// sends reports whether a statement sends a value.
func (f *file) sends(n ast.Node) bool {
	if _, ok := n.(*ast.SendStmt); ok {
		return true
	}
	_, c, ok := f.called(n)
	return ok && c.pkg == dropIns+"channel" && c.name == "Send"
}

func (f *file) makesChannel(c inspector.Cursor) (*ast.CallExpr, bool) {
	call := c.Node().(*ast.CallExpr)
	to, ok := f.callee(call)
	if !ok || to.pkg != "" || to.name != "make" || to.recv != "" {
		return call, false
	}
	_, ok = f.info.TypeOf(call).Underlying().(*types.Chan)
	return call, ok
}

func bufferLess(f *file, c inspector.Cursor) {
	call, ok := f.makesChannel(c)
	if !ok || len(call.Args) == 1 {
		return
	}
	size := call.Args[1]
	less := "max(" + f.operandOf(size) + "-1, 0)"
	if l, ok := size.(*ast.BasicLit); ok {
		n, err := strconv.Atoi(l.Value)
		if err != nil || n == 0 {
			return
		}
		less = strconv.Itoa(n - 1)
	}
	f.plant(c, f.short(call)+" has one place less", f.replace(size, less))
}

// dropIn returns the Select of the drop-in that c is.
func (f *file) dropIn(c inspector.Cursor) (call *ast.CallExpr, hasDefault, ok bool) {
	call, ok = c.Node().(*ast.CallExpr)
	if !ok {
		return nil, false, false
	}
	to, ok := f.callee(call)
	if !ok || to.pkg != dropIns+"channel" || to.name != "Select" || call.Ellipsis.IsValid() || len(call.Args) == 0 {
		return nil, false, false
	}
	last := call.Args[len(call.Args)-1]
	if s, ok := last.(*ast.SelectorExpr); ok {
		o := f.info.Uses[s.Sel]
		hasDefault = o != nil && o.Pkg() != nil && o.Pkg().Path() == to.pkg && o.Name() == "Default"
	}
	return call, hasDefault, true
}

// cutArgument returns the edit that removes an argument, other than the first, from a call.
func (f *file) cutArgument(call *ast.CallExpr, i int) Edit {
	_, start := f.offset(call.Args[i-1])
	_, end := f.offset(call.Args[i])
	return Edit{start, end, ""}
}

// dropCase drops one case of several. In the drop-in's Select it drops the last one, so that the others
// keep their numbers.
func dropCase(f *file, c inspector.Cursor) {
	if call, hasDefault, ok := f.dropIn(c); ok {
		last := len(call.Args) - 1
		if hasDefault {
			last--
		}
		if last > 0 {
			f.plant(c, f.short(call.Args[last])+" is left out", f.cutArgument(call, last))
		}
		return
	}
	s, ok := c.Node().(*ast.SelectStmt)
	if !ok || len(s.Body.List) < 2 {
		return
	}
	for _, clause := range s.Body.List {
		if comm := clause.(*ast.CommClause).Comm; comm != nil {
			at, _ := c.FindNode(clause)
			f.plant(at, "case "+f.short(comm)+" is left out", f.removeClause(s, clause))
		}
	}
}

func dropDefault(f *file, c inspector.Cursor) {
	if call, hasDefault, ok := f.dropIn(c); ok && hasDefault && len(call.Args) > 1 {
		f.plant(c, "the default is left out", f.cutArgument(call, len(call.Args)-1))
	}
	s, ok := c.Node().(*ast.SelectStmt)
	if !ok || len(s.Body.List) < 2 {
		return
	}
	for _, clause := range s.Body.List {
		if clause.(*ast.CommClause).Comm == nil {
			at, _ := c.FindNode(clause)
			f.plant(at, "the default is left out", f.removeClause(s, clause))
		}
	}
}

// removeClause deletes a case with its comments: up to the next, or the end.
func (f *file) removeClause(s *ast.SelectStmt, clause ast.Stmt) Edit {
	start, _ := f.offset(clause)
	end := f.token.Offset(s.Body.Rbrace)
	for _, next := range s.Body.List {
		if next.Pos() > clause.Pos() {
			end, _ = f.offset(next)
			break
		}
	}
	// Delete whole lines if the clause and the next one begin lines of their own.
	first, last := f.lineStart(start), f.lineStart(end)
	if len(bytes.TrimSpace(f.source[first:start])) == 0 && len(bytes.TrimSpace(f.source[last:end])) == 0 {
		return Edit{first, last, ""}
	}
	return Edit{start, end, ""}
}

func addDefault(f *file, c inspector.Cursor) {
	if call, hasDefault, ok := f.dropIn(c); ok && !hasDefault {
		if s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			f.plant(c, "the select does not wait", f.insertAfter(call.Args[len(call.Args)-1], ", "+f.text(s.X)+".Default"))
		}
	}
	s, ok := c.Node().(*ast.SelectStmt)
	if !ok || len(s.Body.List) == 0 {
		return
	}
	if body := enclosing(c); body != nil && returns(c) && body.List[len(body.List)-1] == ast.Stmt(s) {
		return // the function ends with it
	}
	for _, clause := range s.Body.List {
		if clause.(*ast.CommClause).Comm == nil {
			return
		}
	}
	at := f.token.Offset(s.Body.Rbrace)
	text := "default: "
	if first := f.lineStart(at); len(bytes.TrimSpace(f.source[first:at])) == 0 {
		text = "default:\n" + string(f.source[first:at])
	}
	f.plant(c, "the select does not wait", Edit{at, at, text})
}
