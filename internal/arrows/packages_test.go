package arrows

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// opens reports an error if the package in dir does not open with doc.go, or
// doc.go does not say what the package is for.
func opens(dir string) error {
	name := filepath.Join(dir, "doc.go")
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.PackageClauseOnly)
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("there is no doc.go")
	}
	if err != nil {
		return err
	}
	text := file.Doc.Text()
	switch {
	case text == "":
		return errors.New("doc.go has no package comment")
	case file.Name.Name != "main" && !strings.HasPrefix(text, "Package "+file.Name.Name+" "):
		return fmt.Errorf("the comment in doc.go does not begin with Package %s", file.Name.Name)
	}
	return nil
}

// The root package is one file, and that file has the comment.
func TestEveryPackageOpensWithDoc(t *testing.T) {
	for _, p := range list(t, "linux", "chaos") {
		if p.ImportPath == module {
			continue
		}
		if err := opens(p.Dir); err != nil {
			t.Errorf("%s: %v", p.ImportPath, err)
		}
	}
}

func TestMissingDocIsRefused(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		ok   bool
	}{
		"good":    {"// Package p is for something.\npackage p\n", true},
		"main":    {"// Command does something.\npackage main\n", true},
		"bare":    {"package p\n", false},
		"strange": {"// Something else.\npackage p\n", false},
		"apart":   {"// Package p is for something.\n\npackage p\n", false},
		"broken":  {"pakage p\n", false},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "doc.go"), []byte(test.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := opens(dir); (err == nil) != test.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	if opens(t.TempDir()) == nil {
		t.Error("a package without doc.go went unnoticed")
	}
}

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
