package operator

import (
	"cmp"
	"crypto/sha256"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/packages"
)

// A file is a file of the package in which mutants are searched.
type file struct {
	name   string
	source []byte
	syntax *ast.File
	token  *token.File
	info   *types.Info
	pkg    *types.Package
	facts  *facts
	root   inspector.Cursor

	imported map[*types.PkgName][]*ast.Ident // where the imports are used

	operator *Operator // the current operator
	mutants  []Mutant
	invalid  []Mutant // mutants that do not type-check
}

// Find returns the mutants of a package that was loaded with Mode, ordered by file, place and operator.
// It reads the files, which must be unchanged since the load. Tests and generated files have no
// mutants, nor does a package with errors.
func Find(p *packages.Package) []Mutant {
	if p.Types == nil || p.IllTyped || len(p.Errors) > 0 {
		return nil
	}
	var mutants []Mutant
	check := newChecker(p)
	for _, f := range files(p) {
		mutants = append(mutants, f.find(check)...)
	}
	slices.SortStableFunc(mutants, func(a, b Mutant) int { return cmp.Compare(a.File, b.File) })
	return mutants
}

// files returns the files that Find looks at.
func files(p *packages.Package) []*file {
	var files []*file
	facts := newFacts(p)
	for _, syntax := range p.Syntax {
		t := p.Fset.File(syntax.FileStart)
		if strings.HasSuffix(t.Name(), "_test.go") || ast.IsGenerated(syntax) {
			continue
		}
		source, err := os.ReadFile(t.Name())
		if err != nil || len(source) != t.Size() {
			continue // a file that the build has made, or that has changed
		}
		f := &file{name: t.Name(), source: source, syntax: syntax, token: t, info: p.TypesInfo, pkg: p.Types, facts: facts,
			root: inspector.New([]*ast.File{syntax}).Root()}
		f.imported = f.importedNames()
		files = append(files, f)
	}
	return files
}

// find returns the mutants of the file that type-check and differ from each other.
func (f *file) find(check *checker) []Mutant {
	for _, o := range all {
		f.operator = o
		for c := range f.root.Preorder(o.nodes...) {
			o.find(f, c)
		}
	}
	slices.SortStableFunc(f.mutants, func(a, b Mutant) int {
		return cmp.Compare(a.Position.Offset, b.Position.Offset)
	})
	type place struct{ function, operator string }
	ordinals := map[place]int{}
	seen := map[[sha256.Size]byte]bool{sha256.Sum256(f.source): true}
	var candidates []Mutant
	for _, m := range f.mutants {
		at := place{m.Function, m.Operator.Name}
		ordinals[at]++
		m.ordinal = ordinals[at]
		if sum := sha256.Sum256(m.Apply(f.source)); !seen[sum] {
			seen[sum] = true
			candidates = append(candidates, m)
		}
	}
	valid := f.repairAll(check, candidates)
	var found []Mutant
	for i, m := range candidates {
		if valid[i] {
			found = append(found, m)
		} else {
			f.invalid = append(f.invalid, m)
		}
	}
	return found
}

// repairAll repairs the mutants, several at a time, and returns which type-check.
func (f *file) repairAll(check *checker, mutants []Mutant) []bool {
	valid := make([]bool, len(mutants))
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(mutants)) {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(mutants)); i = next.Add(1) - 1 {
				if edits, ok := check.repair(f, mutants[i].Edits); ok {
					mutants[i].Edits, valid[i] = edits, true
				}
			}
		})
	}
	group.Wait()
	return valid
}

// plant adds a mutant, unless its edits overlap.
func (f *file) plant(at inspector.Cursor, what string, edits ...Edit) {
	edits, ok := ordered(edits)
	if !ok {
		return
	}
	f.mutants = append(f.mutants, Mutant{
		Operator: f.operator,
		File:     f.name,
		Position: f.position(at.Node().Pos()),
		Function: f.function(at),
		What:     what,
		Edits:    edits,
	})
}

// position returns the place in the file itself, ignoring //line directives.
func (f *file) position(pos token.Pos) token.Position { return f.token.PositionFor(pos, false) }

// function returns the name of the function or variable that contains a node.
func (f *file) function(c inspector.Cursor) string {
	for c := range c.Enclosing((*ast.FuncDecl)(nil), (*ast.ValueSpec)(nil)) {
		switch n := c.Node().(type) {
		case *ast.FuncDecl:
			return functionName(n)
		case *ast.ValueSpec:
			if _, ok := c.Parent().Parent().Node().(*ast.File); ok {
				return n.Names[0].Name
			}
		}
	}
	return ""
}

func functionName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	receiver := ast.Unparen(d.Recv.List[0].Type)
	star, pointer := receiver.(*ast.StarExpr)
	if pointer {
		receiver = ast.Unparen(star.X)
	}
	switch generic := receiver.(type) {
	case *ast.IndexExpr:
		receiver = generic.X
	case *ast.IndexListExpr:
		receiver = generic.X
	}
	name := types.ExprString(receiver)
	if pointer {
		return "(*" + name + ")." + d.Name.Name
	}
	return name + "." + d.Name.Name
}

// short returns the source of a node in one line, cut to 60 characters.
func (f *file) short(n ast.Node) string {
	text := strings.Join(strings.Fields(f.text(n)), " ")
	if runes := []rune(text); len(runes) > 60 {
		text = string(runes[:57]) + "..."
	}
	return text
}
