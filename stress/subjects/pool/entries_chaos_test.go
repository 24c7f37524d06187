//go:build chaos

package pool

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
	"github.com/rouse-go/rouse/stress/subjects/burst"
	"golang.org/x/tools/go/packages"
)

// notStressed are entries that need not be called by a workload in some mode, and why.
var notStressed = map[string]string{
	"DeadlockError.Error":  ofAValue,
	"MisuseError.Error":    ofAValue,
	"PanicError.Error":     ofAValue,
	"PanicError.Unwrap":    ofAValue,
	"StaleUseError.Error":  ofAValue,
	"State.LogValue":       ofAValue,
	"State.String":         ofAValue,
	"Stats.LogValue":       ofAValue,
	"WorkerState.LogValue": ofAValue,
	"WithContext":          "Pool.Group on Default's pool, with all else the same",
	"Default":              "its pool has as many workers as the machine has processors, so no seed would say what it does",
}

const ofAValue = "it formats a value that its caller holds"

// TestEntries: each exported function, method and option of the pool is stressed by a workload, natively and under control,
// or has a reason not to be. A workload calls an entry if the references of its functions lead to it (go/types), and a
// scenario runs the workload in that mode. A reference below `if x.Given("name")` counts for the scenarios that set that
// parameter. Which of its entries an execution calls is often drawn, so a single one may call fewer.
func TestEntries(t *testing.T) {
	graph := loadReferences(t)
	used, entries := map[string]bool{}, 0
	for _, s := range []struct {
		prefix, path, subject, scenarios string
		of                               subject.Subject
	}{
		{"", module + "/pool", module + "/stress/subjects/pool", "../../../scenarios.yaml", Subject()},
		{"burst.", module + "/pool/burst", module + "/stress/subjects/burst", "../burst/scenarios.yaml", burst.Subject()},
	} {
		scenarios, err := scenario.LoadFile(s.scenarios, s.of)
		if err != nil {
			t.Fatal(err)
		}
		cells := graph.cells(s.subject, scenarios)
		for _, e := range graph.exported(s.path) {
			name, modes := s.prefix+e.short, cells[e.object]
			entries++
			for _, mode := range []scenario.Mode{scenario.Native, scenario.Control} {
				switch {
				case len(modes[mode]) > 0:
				case notStressed[name] != "":
					used[name] = true
				default:
					t.Errorf("no workload calls %s, mode %s", name, mode)
				}
			}
		}
	}
	if entries < 100 {
		t.Errorf("%d entries", entries)
	}
	for name := range notStressed {
		if !used[name] {
			t.Errorf("%s has a reason not to be stressed, and is, or is no entry", name)
		}
	}
}

// TestReferencesAreFollowed: what a workload's code names, whatever it is called through, counts for that
// workload and for no other.
func TestReferencesAreFollowed(t *testing.T) {
	graph := loadReferences(t)
	scenarios := []scenario.Scenario{
		{Workload: "storm"}, {Workload: "story", Mode: scenario.Control, Setup: map[string]string{"max-injected": "1"}},
	}
	cells := graph.cells(module+"/stress/subjects/pool", scenarios)
	for name, want := range map[string]string{
		"Pool.GoN":           "native storm", // in a package variable's function
		"New":                "native storm, control story",
		"WithMaxInjected":    "control story", // below if x.Given
		"Worker.JoinContext": "",
	} {
		var got []string
		for _, mode := range []scenario.Mode{scenario.Native, scenario.Control} {
			for _, w := range cells[module+"/pool."+name][mode] {
				got = append(got, fmt.Sprint(mode, " ", w))
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// cells returns, for each name that the workloads of the subject lead to, those workloads, by mode.
func (g *references) cells(subjectPath string, scenarios []scenario.Scenario) map[string]map[scenario.Mode][]string {
	all := map[string]map[scenario.Mode][]string{}
	roots := g.workloads(subjectPath)
	for _, sc := range scenarios {
		root, ok := roots[sc.Workload]
		if !ok {
			g.t.Fatalf("%s: the code of the workload %s was not found", subjectPath, sc.Workload)
		}
		given := func(name string) bool { return sc.Setup[name] != "" || sc.Sizes[name] != "" }
		for name := range g.reach(root, given) {
			if all[name] == nil {
				all[name] = map[scenario.Mode][]string{}
			}
			if !slices.Contains(all[name][sc.Mode], sc.Workload) {
				all[name][sc.Mode] = append(all[name][sc.Mode], sc.Workload)
			}
		}
	}
	for _, modes := range all {
		for _, names := range modes {
			slices.Sort(names)
		}
	}
	return all
}

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
