package arrows

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"
)

// looksForLeaks reports an error if the package in dir has tests, but no TestMain
// that calls goleak.VerifyTestMain.
func looksForLeaks(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil || len(names) == 0 {
		return err
	}
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || f.Name.Name != "TestMain" {
				continue
			}
			calls := false
			ast.Inspect(f, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "VerifyTestMain" {
					x, ok := s.X.(*ast.Ident)
					calls = calls || ok && x.Name == "goleak"
				}
				return true
			})
			if calls {
				return nil
			}
			return errors.New("TestMain does not call goleak.VerifyTestMain")
		}
	}
	return errors.New("there are tests, but no TestMain that calls goleak.VerifyTestMain")
}

func TestEveryTestMainLooksForLeaks(t *testing.T) {
	for _, p := range list(t, "linux", "chaos") {
		if err := looksForLeaks(p.Dir); err != nil {
			t.Errorf("%s: %v", p.ImportPath, err)
		}
	}
}

func TestMissingLeakTestIsRefused(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		ok   bool
	}{
		"good":    {"package p\nfunc TestMain(m *testing.M) { goleak.VerifyTestMain(m) }\n", true},
		"without": {"package p\nfunc TestMain(m *testing.M) { os.Exit(m.Run()) }\n", false},
		"none":    {"package p\nfunc TestIt(t *testing.T) {}\n", false},
		"method":  {"package p\nfunc (x) TestMain(m *testing.M) { goleak.VerifyTestMain(m) }\n", false},
		"another": {"package p\nfunc TestMain(m *testing.M) { other.VerifyTestMain(m) }\n", false},
		"broken":  {"pakage p\n", false},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "p_test.go"), []byte(test.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := looksForLeaks(dir); (err == nil) != test.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := looksForLeaks(t.TempDir()); err != nil {
		t.Errorf("a package without tests: %v", err)
	}
}
