package corpus

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	goschedImports   = `; import besideRand "math/rand/v2"; import besideRuntime "runtime"`
	goschedStatement = "if besideRand.IntN(4) == 0 { besideRuntime.Gosched() }; "
)

// injectGosched rewrites the Go files below a folder: before each statement the goroutine yields, one time in four.
// Tests are rewritten only if asked for.
func injectGosched(dir string, tests bool) error {
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "vendor"):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") && !tests:
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if text, err = withGosched(name, text); err != nil {
			return err
		}
		return os.WriteFile(name, text, 0o644)
	})
}

// withGosched returns the text of a file with the statements injected. It keeps the lines.
func withGosched(name string, text []byte) ([]byte, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var at []int
	add := func(list []ast.Stmt) {
		for _, s := range list {
			switch s.(type) {
			case *ast.CaseClause, *ast.CommClause: // not statements, but their bodies are
			default:
				at = append(at, set.Position(s.Pos()).Offset)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			add(n.List)
		case *ast.CaseClause:
			add(n.Body)
		case *ast.CommClause:
			add(n.Body)
		}
		return true
	})
	if len(at) == 0 {
		return text, nil
	}
	slices.Sort(at)
	var b bytes.Buffer
	head := set.Position(file.Name.End()).Offset
	b.Write(text[:head])
	b.WriteString(goschedImports)
	for i, offset := range at {
		from := head
		if i > 0 {
			from = at[i-1]
		}
		b.Write(text[from:offset])
		b.WriteString(goschedStatement)
	}
	b.Write(text[at[len(at)-1]:])
	return b.Bytes(), nil
}
