//go:build chaos

package pool

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"testing"

	"golang.org/x/tools/go/packages"
)

const module = "github.com/rouse-go/rouse"

// An exportedEntry is an exported function or method: Submit, Pool.Go. A promoted method is another type's
// object.
type exportedEntry struct{ short, object string }

// A reference is what a declaration names. given is the parameter that its scenario has to set; "" is none.
type reference struct{ to, given string }

// references are what the declarations of the subjects name, by name.
type references struct {
	t        *testing.T
	packages map[string]*packages.Package
	of       map[string][]reference
	args     map[types.Object][]ast.Expr // of the parameters of functions, and of local variables
}

// loadReferences loads the subjects and what they stress.
func loadReferences(t *testing.T) *references {
	t.Helper()
	config := &packages.Config{
		Mode:       packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedExportFile,
		BuildFlags: []string{"-tags=chaos"},
	}
	loaded, err := packages.Load(config, module+"/pool", module+"/pool/burst", module+"/internal/forkjoin",
		module+"/stress/subjects/pool", module+"/stress/subjects/burst")
	if err != nil {
		t.Fatal(err)
	}
	g := &references{t: t, packages: map[string]*packages.Package{}, of: map[string][]reference{}, args: map[types.Object][]ast.Expr{}}
	for _, p := range loaded {
		for _, e := range p.Errors {
			t.Fatal(e)
		}
		g.packages[p.PkgPath] = p
	}
	for _, p := range loaded {
		for _, f := range p.Syntax {
			g.file(p, f)
		}
	}
	return g
}

// file notes what each declaration of a file names.
func (g *references) file(p *packages.Package, f *ast.File) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := objectName(p.TypesInfo.Defs[d.Name])
			g.of[name] = append(g.of[name], g.walk(p, d, "")...)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				v, ok := s.(*ast.ValueSpec)
				if !ok {
					continue
				}
				for _, n := range v.Names {
					name := objectName(p.TypesInfo.Defs[n])
					g.of[name] = append(g.of[name], g.walk(p, v, "")...)
				}
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool { g.bind(p, n); return true })
}

// bind notes the values of local variables, and the arguments of parameters.
func (g *references) bind(p *packages.Package, n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			if id, ok := left.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) {
				if o := p.TypesInfo.Defs[id]; o != nil {
					g.args[o] = append(g.args[o], n.Rhs[i])
				}
			}
		}
	case *ast.CallExpr:
		id, ok := n.Fun.(*ast.Ident)
		if !ok {
			return
		}
		f, ok := p.TypesInfo.Uses[id].(*types.Func)
		if !ok {
			return
		}
		params := f.Signature().Params()
		for i, a := range n.Args {
			if i < params.Len() {
				g.args[params.At(i)] = append(g.args[params.At(i)], a)
			}
		}
	}
}

// walk returns what a node names.
func (g *references) walk(p *packages.Package, n ast.Node, given string) (all []reference) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			if name := givenParam(n.Cond); name != "" && given == "" {
				all = append(all, g.walk(p, n.Body, name)...)
				if n.Else != nil {
					all = append(all, g.walk(p, n.Else, "")...)
				}
				return false
			}
		case *ast.Ident:
			if name := objectName(p.TypesInfo.Uses[n]); name != "" {
				all = append(all, reference{name, given})
			}
		}
		return true
	})
	return all
}

// givenParam is the name in x.Given("name"); "" if the condition is another.
func givenParam(cond ast.Expr) string {
	call, ok := cond.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return ""
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || f.Sel.Name != "Given" {
		return ""
	}
	lit, ok := call.Args[0].(*ast.BasicLit)
	if !ok {
		return ""
	}
	name, err := strconv.Unquote(lit.Value)
	if err != nil {
		return ""
	}
	return name
}

// objectName is the name of a function, a method or a variable of a package, with the package's path; "" for
// any other object.
func objectName(o types.Object) string {
	if o == nil || o.Pkg() == nil {
		return ""
	}
	switch o := o.(type) {
	case *types.Func:
		recv := o.Signature().Recv()
		if recv == nil {
			return o.Pkg().Path() + "." + o.Name()
		}
		t := recv.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if named, ok := t.(*types.Named); ok {
			return o.Pkg().Path() + "." + named.Obj().Name() + "." + o.Name()
		}
	case *types.Var:
		if o.Parent() == o.Pkg().Scope() {
			return o.Pkg().Path() + "." + o.Name()
		}
	}
	return ""
}

// workloads returns what the literal of each workload of a subject names, and the target's New. A workload is
// a composite literal with a name and a function to run.
func (g *references) workloads(path string) map[string][]reference {
	p, roots := g.packages[path], map[string][]reference{}
	var setup []reference // of what is built for each execution
	for _, f := range p.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			var name string
			runs := false
			for _, e := range lit.Elts {
				kv, ok := e.(*ast.KeyValueExpr)
				if !ok {
					continue
				}
				switch key, _ := kv.Key.(*ast.Ident); {
				case key == nil:
				case key.Name == "name" || key.Name == "Name":
					if v, ok := kv.Value.(*ast.BasicLit); ok && v.Kind == token.STRING {
						name, _ = strconv.Unquote(v.Value)
					}
				case key.Name == "run" || key.Name == "Run":
					runs = true
				case key.Name == "New":
					setup = append(setup, g.root(p, kv.Value, nil)...)
				}
			}
			if name != "" && runs {
				roots[name] = g.root(p, lit, nil)
			}
			return true
		})
	}
	for name := range roots {
		roots[name] = append(roots[name], setup...)
	}
	return roots
}

// root returns what a workload's literal names, also by local variables and parameters.
func (g *references) root(p *packages.Package, n ast.Node, seen []types.Object) []reference {
	all := g.walk(p, n, "")
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		if o := p.TypesInfo.Uses[id]; o != nil && !slices.Contains(seen, o) {
			for _, a := range g.args[o] {
				all = append(all, g.root(p, a, append(slices.Clone(seen), o))...)
			}
		}
		return true
	})
	return all
}

// reach returns all that these references lead to, in packages other than those that are stressed.
func (g *references) reach(from []reference, given func(name string) bool) map[string]bool {
	reached := map[string]bool{}
	for todo := slices.Clone(from); len(todo) > 0; {
		r := todo[0]
		todo = todo[1:]
		if reached[r.to] || r.given != "" && !given(r.given) {
			continue
		}
		reached[r.to] = true
		if !g.stressed(r.to) {
			todo = append(todo, g.of[r.to]...)
		}
	}
	return reached
}

// stressed reports whether the name is one of a package that the subjects stress.
func (g *references) stressed(name string) bool {
	for _, path := range []string{module + "/pool", module + "/pool/burst"} {
		if len(name) > len(path) && name[:len(path)] == path && name[len(path)] == '.' {
			return true
		}
	}
	return false
}

// exported returns the exported functions of a package, and the exported methods of its exported types, by
// name.
func (g *references) exported(path string) (all []exportedEntry) {
	scope := g.packages[path].Types.Scope()
	for _, name := range scope.Names() {
		o := scope.Lookup(name)
		if !o.Exported() {
			continue
		}
		if _, ok := o.(*types.Func); ok {
			all = append(all, exportedEntry{name, objectName(o)})
		}
		t, ok := o.(*types.TypeName)
		if !ok {
			continue
		}
		methods := types.NewMethodSet(types.NewPointer(t.Type()))
		for i := range methods.Len() {
			if m := methods.At(i).Obj(); m.Exported() {
				all = append(all, exportedEntry{name + "." + m.Name(), objectName(m)})
			}
		}
	}
	return all
}
