package rouse_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// declared returns what a package declares, in either build: "Name" and "Type.Method", promoted or not.
func declared(t *testing.T, dir string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %q, %v", dir, files, err)
	}
	var embedded [][2]string // a type, and one that it embeds
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				name := d.Name.Name
				if d.Recv != nil {
					name = receiver(d.Recv.List[0].Type) + "." + name
				}
				names = append(names, name)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						names = append(names, s.Name.Name)
						if fields, ok := s.Type.(*ast.StructType); ok {
							for _, f := range fields.Fields.List {
								for _, n := range f.Names {
									names = append(names, s.Name.Name+"."+n.Name)
								}
								if len(f.Names) == 0 {
									embedded = append(embedded, [2]string{s.Name.Name, receiver(f.Type)})
								}
							}
						}
					case *ast.ValueSpec:
						for _, n := range s.Names {
							names = append(names, n.Name)
						}
					}
				}
			}
		}
	}
	for _, e := range embedded {
		for _, name := range names {
			if method, ok := strings.CutPrefix(name, e[1]+"."); ok {
				names = append(names, e[0]+"."+method)
			}
		}
	}
	return names
}

// receiver returns the name of a receiver's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// Catches: a page that names what a package does not export any more.
func TestPagesNameWhatExists(t *testing.T) {
	packages := map[string]string{
		"hooks": "hooks", "channel": "hooks/channel", "memory": "hooks/memory", "chaos": "chaos", "native": "chaos/native", "control": "chaos/control", "core": "chaos/internal/core",
		"strategy": "chaos/strategy", "plan": "chaos/plan", "remote": "chaos/remote", "pool": "pool", "sleep": "sleep", "stress": "stress", "subject": "stress/subject",
	}
	names := map[string][]string{}
	for name, dir := range packages {
		names[name] = declared(t, dir)
	}
	name := regexp.MustCompile("`(\\w+)\\.([A-Z]\\w*)(\\.[A-Z]\\w*)?")
	found := 0
	for _, page := range append(pages(t), "CONTRIBUTING.md", "SECURITY.md") {
		for _, m := range name.FindAllStringSubmatch(read(t, page), -1) {
			pkg, what := m[1], m[2]+m[3]
			if _, ok := packages[pkg]; !ok {
				if pkg[0] >= 'a' { // a variable, or another module's
					continue
				}
				pkg, what = "", m[1]+"."+m[2] // a type and its method
			}
			found++
			if pkg != "" && !slices.Contains(names[pkg], what) {
				t.Errorf("%s: there is no %s.%s", page, pkg, what)
			}
			if pkg == "" && !slices.ContainsFunc([]string{"pool", "subject", "chaos", "control", "core"}, func(p string) bool { return slices.Contains(names[p], what) }) {
				t.Errorf("%s: there is no %s in pool, subject, chaos, control or core", page, what)
			}
		}
	}
	if found < 30 {
		t.Errorf("the pages name %d things of packages, want 30 at least", found)
	}
}

// Catches: a function of the engine, or a package, by which stress debug knows where it is, and that has another name
// now.
func TestDebugNamesWhatExists(t *testing.T) {
	name := regexp.MustCompile(`"github\.com/rouse-go/rouse/([a-z/]+?)[./]?(?:\(\*(\w+)\)\.(\w+))?"`)
	methods := 0
	for _, m := range name.FindAllStringSubmatch(read(t, "stress/internal/command/debug.star"), -1) {
		if info, err := os.Stat(m[1]); err != nil || !info.IsDir() {
			t.Errorf("%s: there is no such folder", m[0])
		} else if m[3] != "" {
			methods++
			if !slices.Contains(declared(t, m[1]), m[2]+"."+m[3]) {
				t.Errorf("%s: there is no such method", m[0])
			}
		}
	}
	if methods == 0 {
		t.Error("the script names no method")
	}
}

// Catches: a page that names a flag of chaos.Explore that is gone.
func TestPagesNameFlags(t *testing.T) {
	source := read(t, "chaos/flags.go")
	found := 0
	for _, page := range pages(t) {
		for _, m := range regexp.MustCompile(`-(chaos\.[a-z]+)`).FindAllStringSubmatch(read(t, page), -1) {
			if found++; !strings.Contains(source, `"`+m[1]+`"`) {
				t.Errorf("%s: there is no flag -%s", page, m[1])
			}
		}
	}
	if found < 7 {
		t.Errorf("the pages name %d flags, want 7 at least", found)
	}
}

// Catches: a promise of SECURITY.md whose test there is not, or no more.
func TestPromisesNameTests(t *testing.T) {
	tests := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, "_test.go") {
			for _, m := range declared.FindAllStringSubmatch(read(t, path), -1) {
				tests[m[1]] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(read(t, "SECURITY.md"), -1)
	for _, m := range named {
		if !tests[m[1]] {
			t.Errorf("SECURITY.md: there is no %s", m[1])
		}
	}
	if len(named) < 15 || tests["TestPromised"] {
		t.Errorf("SECURITY.md names %d tests", len(named))
	}
}
