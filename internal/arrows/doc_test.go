package arrows

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
