package sync_test

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// dropins are the packages that replace a standard one. What must hold
// for all of them is tested here, once.
var dropins = []struct{ dir, std string }{
	{"hooks/sync", "sync"},
	{"hooks/atomic", "sync/atomic"},
	{"hooks/time", "time"},
	{"hooks/context", "context"},
}

const module = "github.com/rouse-go/rouse"

// builds are the build tags of the two builds.
var builds = []string{"normal", "chaos"}

// Variables are the exception: Go cannot alias one, and a copy would be in every
// normal binary. docs/hooks.md names them.
func TestDropInsExportWhatTheStandardPackagesExport(t *testing.T) {
	page, err := os.ReadFile("../../docs/hooks.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, tag := range builds {
		src := newSource(tag)
		for _, d := range dropins {
			want, got := src.api(t, d.std), src.api(t, module+"/"+d.dir)
			for _, name := range dropVariables(want) {
				if name = path.Base(d.std) + "." + name; !strings.Contains(string(page), "`"+name+"`") {
					t.Errorf("docs/hooks.md does not name %s, which the drop-in leaves out", name)
				}
			}
			for _, diff := range compare(want, got) {
				t.Errorf("%s, %s build: %s", d.dir, tag, diff)
			}
		}
	}
}

// The comparison must see what it is there to see: each row damages one file of
// a drop-in and says what has to be reported, and nothing else.
func TestComparisonReportsWhatIsMissing(t *testing.T) {
	rows := []struct {
		tag, dir, std string
		old, new      string
		want          []string
	}{
		{"normal", "hooks/sync", "sync", "type Pool = ", "type pool = ",
			[]string{"missing: type Pool", "missing: method Pool.Get", "missing: method Pool.Put", "missing: field Pool.New"}},
		{"normal", "hooks/atomic", "sync/atomic", "func OrUintptr(", "func OrUintPtr(",
			[]string{"missing: OrUintptr", "not in the standard package: OrUintPtr"}},
		{"normal", "hooks/time", "time", "April     =", "april     =", []string{"missing: April"}},
		{"normal", "hooks/time", "time", "= time.Second\n", "= time.Millisecond\n",
			[]string{"different: Second: const time.Duration 1000000, want const time.Duration 1000000000"}},
		{"normal", "hooks/time", "time", "type Time = time.Time\n", "type Time = time.Time\nvar Zone = time.UTC\n",
			[]string{"not in the standard package: Zone"}},
		{"chaos", "hooks/sync", "sync", ") TryLock() bool {\n\tif mutexTryLock.Fail()", ") tryLock() bool {\n\tif mutexTryLock.Fail()",
			[]string{"missing: method Mutex.TryLock"}},
		{"chaos", "hooks/sync", "sync", "Delete(key any) {", "Delete(key string) {",
			[]string{"different: method Map.Delete: pointer func(string), want pointer func(any)"}},
		{"chaos", "hooks/sync", "sync", "func OnceValues[T1, T2 any]", "func onceValues[T1, T2 any]",
			[]string{"missing: OnceValues"}},
		{"chaos", "hooks/atomic", "sync/atomic", "type Pointer[T any] atomic", "type Pointer[T comparable] atomic",
			[]string{"different: type Pointer: [T comparable] struct true, want [T any] struct true"}},
		{"chaos", "hooks/time", "time", "\tC <-chan Time\n", "\tC <-chan Time\n\tD int\n",
			[]string{"not in the standard package: field Ticker.D", "not in the standard package: field Timer.D"}},
	}
	for _, row := range rows {
		src := newSource(row.tag)
		want := src.api(t, row.std)
		dropVariables(want)
		src.damage = func(text string) string { return strings.ReplaceAll(text, row.old, row.new) }
		diffs := compare(want, src.api(t, module+"/"+row.dir))
		slices.Sort(row.want)
		if !slices.Equal(diffs, row.want) {
			t.Errorf("%s, %s build, with %q for %q:\nreported %q\nwant     %q", row.dir, row.tag, row.new, row.old, diffs, row.want)
		}
	}
}

// dropVariables removes the variables from an API and returns their names.
func dropVariables(api map[string]string) (names []string) {
	for name, is := range api {
		if strings.HasPrefix(is, "var ") {
			names = append(names, name)
			delete(api, name)
		}
	}
	return names
}

// compare lists in which ways got is not the API that want is.
func compare(want, got map[string]string) []string {
	var diffs []string
	for name, w := range want {
		switch g, ok := got[name]; {
		case !ok:
			diffs = append(diffs, "missing: "+name)
		case g != w:
			diffs = append(diffs, fmt.Sprintf("different: %s: %s, want %s", name, g, w))
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			diffs = append(diffs, "not in the standard package: "+name)
		}
	}
	slices.Sort(diffs)
	return diffs
}

// A source type-checks packages from source: the module's own under a build tag,
// all others from what the installed compiler has of them.
type source struct {
	fset   *token.FileSet
	std    types.Importer
	build  build.Context
	loaded map[string]*types.Package
	damage func(text string) string // applied to the module's files; nil if not
}

// standard is shared: the standard packages look the same under both tags.
var (
	fset     = token.NewFileSet()
	standard = importer.ForCompiler(fset, "gc", nil)
)

func newSource(tag string) *source {
	s := &source{fset: fset, std: standard, build: build.Default, loaded: make(map[string]*types.Package)}
	s.build.BuildTags = []string{tag} // no file asks for "normal"
	return s
}

// Import implements types.Importer.
func (s *source) Import(path string) (*types.Package, error) {
	dir, ok := strings.CutPrefix(path, module+"/")
	if !ok {
		return s.std.Import(path)
	}
	if p := s.loaded[path]; p != nil {
		return p, nil
	}
	files, err := s.parse(filepath.Join("..", "..", filepath.FromSlash(dir)))
	if err != nil {
		return nil, err
	}
	p, err := (&types.Config{Importer: s, IgnoreFuncBodies: true}).Check(path, s.fset, files, nil)
	if err == nil {
		s.loaded[path] = p
	}
	return p, err
}

func (s *source) parse(dir string) ([]*ast.File, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if match, err := s.build.MatchFile(dir, name); err != nil || !match {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		if s.damage != nil {
			text = []byte(s.damage(string(text)))
		}
		f, err := parser.ParseFile(s.fset, filepath.Join(dir, name), text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// api describes what a package exports, by name; a drop-in is described in terms
// of the package that it replaces.
func (s *source) api(t *testing.T, path string) map[string]string {
	t.Helper()
	p, err := s.Import(path)
	if err != nil {
		t.Fatalf("%s under %q: %v", path, s.build.BuildTags, err)
	}
	api := make(map[string]string)
	for _, name := range p.Scope().Names() {
		if !token.IsExported(name) {
			continue
		}
		switch o := p.Scope().Lookup(name).(type) {
		case *types.Const:
			api[name] = "const " + show(o.Type()) + " " + o.Val().ExactString()
		case *types.Var:
			api[name] = "var " + show(o.Type())
		case *types.Func:
			api[name] = show(o.Type())
		case *types.TypeName:
			describe(api, o)
		}
	}
	return api
}

// describe enters a type, its exported fields and its methods.
func describe(api map[string]string, o *types.TypeName) {
	name, params := o.Name(), ""
	switch t := o.Type().(type) {
	case *types.Alias:
		params = showParams(t.TypeParams())
	case *types.Named:
		params = showParams(t.TypeParams())
	}
	typ := types.Unalias(o.Type())
	under := "struct"
	if st, ok := typ.Underlying().(*types.Struct); ok {
		for f := range st.Fields() {
			if f.Exported() {
				api["field "+name+"."+f.Name()] = show(f.Type())
			}
		}
	} else {
		under = show(typ.Underlying())
	}
	api["type "+name] = fmt.Sprint(params, under, " ", types.Comparable(typ))
	// The methods of *T are those of T too; which are which is part of the API.
	values := types.NewMethodSet(typ)
	for m := range types.NewMethodSet(types.NewPointer(typ)).Methods() {
		if !m.Obj().Exported() {
			continue
		}
		on := "pointer "
		if values.Lookup(m.Obj().Pkg(), m.Obj().Name()) != nil {
			on = "value "
		}
		api["method "+name+"."+m.Obj().Name()] = on + show(m.Type())
	}
}

func showParams(params *types.TypeParamList) string {
	if params.Len() == 0 {
		return ""
	}
	var list []string
	for p := range params.TypeParams() {
		list = append(list, p.Obj().Name()+" "+show(p.Constraint()))
	}
	return "[" + strings.Join(list, ", ") + "] "
}

// show writes a type in terms of the standard packages, without the names of
// parameters, which are not part of an API. (None of these packages has a
// variadic function.)
func show(t types.Type) string {
	if sig, ok := t.(*types.Signature); ok {
		return "func" + showParams(sig.TypeParams()) + showTuple(sig.Params()) + result(sig.Results())
	}
	return types.TypeString(t, func(p *types.Package) string {
		for _, d := range dropins {
			if p.Path() == module+"/"+d.dir {
				return d.std
			}
		}
		return p.Path()
	})
}

func showTuple(vars *types.Tuple) string {
	var list []string
	for v := range vars.Variables() {
		list = append(list, show(v.Type()))
	}
	return "(" + strings.Join(list, ", ") + ")"
}

func result(vars *types.Tuple) string {
	if vars.Len() == 0 {
		return ""
	}
	return " " + showTuple(vars)
}
