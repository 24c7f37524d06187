package command

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Catches: a function of the engine, or a package, by which debug knows where it is and that has another name now.
func TestDebugNamesWhatExists(t *testing.T) {
	script, err := os.ReadFile("debug.star")
	if err != nil {
		t.Fatal(err)
	}
	methods := 0
	for _, m := range regexp.MustCompile(`"github\.com/rouse-go/rouse/([a-z/]+?)[./]?(?:\(\*(\w+)\)\.(\w+))?"`).FindAllStringSubmatch(string(script), -1) {
		dir := filepath.Join("..", "..", "..", filepath.FromSlash(m[1]))
		if _, err := os.Stat(dir); err != nil {
			t.Errorf("%s: %v", m[0], err)
			continue
		}
		if m[3] == "" {
			continue
		}
		methods++
		if !hasMethod(t, dir, m[2], m[3]) {
			t.Errorf("%s: there is no such method", m[0])
		}
	}
	if methods == 0 {
		t.Error("the script names no method")
	}
}

// hasMethod reports whether the package in a folder has a method of that pointer type.
func hasMethod(t *testing.T, dir, receiver, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || f.Name.Name != name || strings.HasSuffix(file, "_test.go") {
				continue
			}
			if star, ok := f.Recv.List[0].Type.(*ast.StarExpr); ok {
				if id, ok := star.X.(*ast.Ident); ok && id.Name == receiver {
					return true
				}
			}
		}
	}
	return false
}
