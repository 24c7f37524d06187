package pool_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// parsed returns the package's files whose names pass.
func parsed(t *testing.T, pass func(name string) bool) (files []*ast.File) {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if !pass(name) {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

// exampleless are exported functions whose examples would show nothing: what reads
// a field, or is called by another package or by fmt.
var exampleless = map[string]bool{
	"Pool_Name": true, "Pool_Workers": true, "Worker_Index": true, "Worker_Pool": true,
	"PanicError_Error": true, "PanicError_Unwrap": true, "MisuseError_Error": true, "DeadlockError_Error": true, "StaleUseError_Error": true,
	"State_LogValue": true, "WorkerState_LogValue": true, "Stats_LogValue": true, "State_String": true,
}

// Catches: an entry without a runnable example.
func TestEveryEntryHasAnExample(t *testing.T) {
	examples := map[string]bool{}
	for _, f := range parsed(t, func(name string) bool { return strings.HasPrefix(name, "example") }) {
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				name := strings.TrimPrefix(f.Name.Name, "Example")
				if i := strings.LastIndex(name, "_"); i >= 0 && name[i+1:] == strings.ToLower(name[i+1:]) {
					name = name[:i] // a suffix
				}
				examples[name] = true
			}
		}
	}
	entries := 0
	for _, f := range parsed(t, func(name string) bool { return !strings.HasSuffix(name, "_test.go") }) {
		for _, d := range f.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() {
				continue
			}
			name := f.Name.Name
			if f.Recv != nil {
				receiver := receiverOf(f.Recv.List[0].Type)
				if !ast.IsExported(receiver) {
					continue
				}
				name = receiver + "_" + name
			}
			entries++
			if !examples[name] && !exampleless[name] {
				t.Errorf("no Example%s", name)
			}
		}
	}
	if entries < 50 {
		t.Errorf("%d entries", entries)
	}
}

// receiverOf is the name of a method's type.
func receiverOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiverOf(e.X)
	case *ast.IndexExpr:
		return receiverOf(e.X)
	case *ast.IndexListExpr:
		return receiverOf(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
