package rouse_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// skipsIn returns a row for each call of Skip, Skipf and SkipNow in a Go file.
func skipsIn(t *testing.T, name string, source any) (rows []string) {
	file, err := parser.ParseFile(token.NewFileSet(), name, source, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		method, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || !slices.Contains([]string{"Skip", "Skipf", "SkipNow"}, method.Sel.Name) {
			return true
		}
		reason := "(what has failed)"
		if len(call.Args) > 0 {
			if text, ok := call.Args[0].(*ast.BasicLit); ok {
				reason, _ = strconv.Unquote(text.Value)
				reason, _, _ = strings.Cut(reason, "\n")
			}
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s |", filepath.ToSlash(name), reason))
		return true
	})
	return rows
}

// Catches: a test that skips for a reason that CONTRIBUTING.md does not know, or one that it knows
// and that is gone.
func TestSkipsAreDocumented(t *testing.T) {
	planted := "package x\nfunc f() { t.Skip(\"no disk\"); b.SkipNow(); t.Skipf(\"%v\\n\", 1); t.Log() }"
	if got, want := skipsIn(t, "x.go", planted), []string{"| `x.go` | no disk |", "| `x.go` | (what has failed) |", "| `x.go` | %v |"}; !slices.Equal(got, want) {
		t.Fatalf("of the planted file: %q, want %q", got, want)
	}
	var want []string
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata" || strings.HasPrefix(d.Name(), "_")): // no packages
			return fs.SkipDir
		case strings.HasSuffix(name, "_test.go"):
			want = append(want, skipsIn(t, name, nil)...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "|---|---|\n")
	got := strings.Split(strings.TrimSpace(table), "\n")
	slices.Sort(got)
	slices.Sort(want)
	if want = slices.Compact(want); !slices.Equal(got, want) {
		t.Errorf("the last table of CONTRIBUTING.md has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
