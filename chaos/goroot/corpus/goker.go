package corpus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// kernels is where Go's source tree has the kernels of GoKer (GoBench, doi:10.1109/CGO51591.2021.9370317).
const kernels = leakPrograms + "/goker"

// entry matches the function that runs a kernel.
var entry = regexp.MustCompile(`^[A-Z][a-z]+[0-9]+$`)

// GoKer makes a module in an empty folder, in which each kernel of GOROOT is an ordinary test, and
// returns the names of the tests. Of the kernels it removes only what serves Go's own test: the calls
// of the profile, and the loop that runs many copies at a time.
func GoKer(ctx context.Context, folder string) (tests []string, err error) {
	root, err := goRoot(ctx)
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(root, kernels, "*.go"))
	if err != nil || len(files) == 0 {
		return nil, errors.Join(err, fmt.Errorf("GOROOT has no %s", kernels))
	}
	var text bytes.Buffer
	text.WriteString("package goker\n\nimport \"testing\"\n\nconst yieldCount = 10\n")
	for _, name := range files {
		if filepath.Base(name) == "main.go" {
			continue
		}
		kernel, names, err := rewrite(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, n := range names {
			tests = append(tests, "Test"+n)
			fmt.Fprintf(&text, "\nfunc Test%s(t *testing.T) { %[1]s() }\n", n)
		}
		if err := os.WriteFile(filepath.Join(folder, filepath.Base(name)), kernel, 0o644); err != nil {
			return nil, err
		}
	}
	slices.Sort(tests)
	return tests, errors.Join(
		os.WriteFile(filepath.Join(folder, "go.mod"), []byte("module example.com/goker\n\ngo 1.25.0\n"), 0o644),
		os.WriteFile(filepath.Join(folder, "goker_test.go"), text.Bytes(), 0o644))
}

// goRoot asks the go command.
func goRoot(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(out)), err
}

// rewrite returns the file of a kernel without what GoKer removes, and the names of its entries.
func rewrite(name string) (text []byte, entries []string, err error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	file.Name.Name = "goker"
	file.Decls = slices.DeleteFunc(file.Decls, func(d ast.Decl) bool {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil {
			return false
		}
		if entry.MatchString(f.Name.Name) && f.Type.Params.NumFields() == 0 {
			entries = append(entries, f.Name.Name)
			f.Body.List = body(f.Body.List)
		}
		return f.Name.Name == "init" && mentions(f, "register")
	})
	unimport(file)
	file.Comments = nil // they would end up in other places
	var b bytes.Buffer
	err = format.Node(&b, set, file)
	return b.Bytes(), entries, err
}

// body returns the statements of an entry without the profile, and with one copy of the kernel.
func body(list []ast.Stmt) []ast.Stmt {
	list = slices.DeleteFunc(list, func(s ast.Stmt) bool { return mentions(s, "prof") })
	for _, s := range list {
		loop, ok := s.(*ast.ForStmt)
		if !ok {
			continue
		}
		if c, ok := loop.Cond.(*ast.BinaryExpr); ok {
			c.Op, c.Y = token.LSS, &ast.BasicLit{Kind: token.INT, Value: "1"}
		}
	}
	return list
}

// mentions reports whether a node contains the identifier.
func mentions(n ast.Node, name string) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// unimport removes the imports that are not used any more.
func unimport(file *ast.File) {
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		g.Specs = slices.DeleteFunc(g.Specs, func(s ast.Spec) bool {
			path := strings.Trim(s.(*ast.ImportSpec).Path.Value, `"`)
			name := path[strings.LastIndexByte(path, '/')+1:]
			return !slices.ContainsFunc(file.Decls, func(d ast.Decl) bool {
				g, ok := d.(*ast.GenDecl)
				return !(ok && g.Tok == token.IMPORT) && mentions(d, name)
			})
		})
	}
	file.Decls = slices.DeleteFunc(file.Decls, func(d ast.Decl) bool {
		g, ok := d.(*ast.GenDecl)
		return ok && g.Tok == token.IMPORT && len(g.Specs) == 0
	})
}
