package native

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// What a verb reaches must not be visible to the race detector; which file holds
// such code is known, and which of its functions serve Arm only.
func TestWhatVerbsReachIsHidden(t *testing.T) {
	onlyForArm := map[string]bool{"newInjector": true, "newFault": true, "Threshold": true, "pathKey": true}
	for _, name := range []string{"../../internal/racing/race.go", "../internal/splitmix/splitmix.go", "draw.go", "fault.go", "identity.go", "injector.go", "lastvisits.go", "quiet.go", "ring.go", "spawn.go", "task.go"} {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || onlyForArm[f.Name.Name] {
				continue
			}
			if !hasNorace(f) {
				t.Errorf("%s: %s lacks //go:norace", files.Position(f.Pos()), f.Name.Name)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncLit:
					t.Errorf("%s: a function literal does not inherit go:norace", files.Position(n.Pos()))
				case *ast.MapType:
					t.Errorf("%s: the runtime reports accesses to a map", files.Position(n.Pos()))
				case *ast.CallExpr:
					if called, ok := n.Fun.(*ast.Ident); ok && (called.Name == "append" || called.Name == "copy") {
						t.Errorf("%s: the runtime reports what %s does", files.Position(n.Pos()), called.Name)
					}
				}
				return true
			})
		}
	}
}

func hasNorace(f *ast.FuncDecl) bool {
	if f.Doc == nil {
		return false
	}
	for _, c := range f.Doc.List {
		if strings.TrimSpace(c.Text) == "//go:norace" {
			return true
		}
	}
	return false
}
