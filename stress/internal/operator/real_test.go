package operator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// real are packages with all sorts of concurrency: ours, of the standard library, and one released.
var real = []string{"../../../sleep", "../../../pool", "../../../examples/queue", "context", "io", "database/sql", "golang.org/x/sync/errgroup"}

// Catches: mutants that do not compile, candidates that are dropped often, IDs that are not unique.
func TestRealPackages(t *testing.T) {
	all := real
	if testing.Short() {
		all = []string{"../../../examples/queue", "context"}
	}
	for _, p := range load(t, ".", all...) {
		check, ids := newChecker(p), map[string]bool{}
		var found, invalid []Mutant
		for _, f := range files(p) {
			mutants := f.find(check)
			for i, m := range mutants {
				if i%20 == 0 {
					if err := typeCheck(p, m.File, m.Apply(f.source)); err != nil {
						t.Errorf("%s: %s: %v\n%s", p.PkgPath, m.ID(), err, m.Diff(f.source, filepath.Base(f.name)))
					}
				}
				if ids[m.ID()] {
					t.Errorf("%s: two mutants have the ID %s", p.PkgPath, m.ID())
				}
				ids[m.ID()] = true
				if m.Position.Line == 0 || m.Position.Filename != m.File || m.Function == "" || m.What == "" {
					t.Errorf("%s: %s is incomplete: %+v", p.PkgPath, m.ID(), m)
				}
			}
			for _, m := range f.invalid {
				if typeCheck(p, m.File, m.Apply(f.source)) == nil {
					t.Errorf("%s: %s type-checks, and is dropped", p.PkgPath, m.ID())
				}
			}
			found, invalid = append(found, mutants...), append(invalid, f.invalid...)
		}
		t.Logf("%s: %d mutants, %d do not type-check", p.PkgPath, len(found), len(invalid))
		if len(found) < 20 || len(invalid)*20 > len(found) {
			t.Errorf("%s: want more than 20 mutants, and less than 5%% that do not type-check", p.PkgPath)
		}
	}
}

// typeCheck checks the whole package, with one file changed.
func typeCheck(p *packages.Package, name string, text []byte) error {
	changed, err := parser.ParseFile(p.Fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	var syntax []*ast.File
	for _, f := range p.Syntax {
		if p.Fset.File(f.FileStart).Name() == name {
			f = changed
		}
		syntax = append(syntax, f)
	}
	config := types.Config{Importer: newChecker(p), Sizes: p.TypesSizes, FakeImportC: true}
	if m := p.Module; m != nil {
		config.GoVersion = "go" + m.GoVersion
	}
	_, err = config.Check(p.PkgPath, p.Fset, syntax, nil)
	return err
}

// Catches: what go/types accepts and the compiler does not.
func TestMutantsBuild(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{"../../../examples/queue", "../../../sleep"} {
		mutants := Find(load(t, path, ".")[0])
		for i := 0; i < len(mutants); i += len(mutants)/5 + 1 {
			m := mutants[i]
			source, err := os.ReadFile(m.File)
			if err != nil {
				t.Fatal(err)
			}
			changed, overlay := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
			write(t, changed, string(m.Apply(source)))
			text, err := json.Marshal(map[string]map[string]string{"Replace": {m.File: changed}})
			if err != nil {
				t.Fatal(err)
			}
			write(t, overlay, string(text))
			build := exec.Command("go", "build", "-overlay", overlay, ".")
			build.Dir = path
			if out, err := build.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s\n%s", m.ID(), err, out, m.Diff(source, filepath.Base(m.File)))
			}
		}
	}
}

// Catches: an order of mutants that depends on maps, on the number of CPUs, or on what else is
// loaded.
func TestFindIsDeterministic(t *testing.T) {
	describe := func(p *packages.Package) string {
		var b bytes.Buffer
		for _, m := range Find(p) {
			fmt.Fprintln(&b, m.ID(), m.Position, m.What, m.Edits)
		}
		return b.String()
	}
	patterns := []string{"io", "../../../examples/queue", "context"}
	first := map[string]string{}
	for range 2 {
		for _, p := range load(t, ".", patterns...) {
			for range 2 {
				text := describe(p)
				if before, ok := first[p.PkgPath]; ok && before != text {
					t.Errorf("%s: first\n%s\nthen\n%s", p.PkgPath, before, text)
				}
				first[p.PkgPath] = text
			}
			slices.Reverse(p.Syntax)
			if describe(p) != first[p.PkgPath] {
				t.Errorf("%s: files in another order make other mutants", p.PkgPath)
			}
		}
		slices.Reverse(patterns)
	}
	if len(first) != 3 {
		t.Fatalf("%d packages", len(first))
	}
}

// Catches: an ID that changes with what is around the function.
func TestIDsSurviveEditsElsewhere(t *testing.T) {
	source := wrap(t, "mu.Lock()\ncount++\nmu.Unlock()\nmu.Lock()\ncount--\nmu.Unlock()")
	more := "\nfunc before() {\n\tmu.Lock()\n\tuse(count)\n\tmu.Unlock()\n}\n\nfunc example("
	edited := string(bytes.Replace([]byte(source), []byte("\nfunc example("), []byte(more), 1))
	ids := map[string][]string{}
	for name, p := range loadSources(t, map[string]string{"source": source, "edited": edited}) {
		for _, m := range Find(p) {
			if m.Function == "example" {
				ids[name] = append(ids[name], m.ID()+" "+m.What)
			}
		}
	}
	if len(ids["source"]) < 10 || !slices.Equal(ids["source"], ids["edited"]) {
		t.Errorf("%q\n%q", ids["source"], ids["edited"])
	}
}

var (
	searched = regexp.MustCompile(`(?m)^// operators: (.*)$`)
	wanted   = regexp.MustCompile(`// want (.*)$`)
)

// Catches: an operator that finds less or more than it should. A file of the corpus says which
// operators it is for; of these each line must have the mutants that it names, and no others.
func TestCorpus(t *testing.T) {
	names, err := filepath.Glob("testdata/*/*.go")
	if err != nil || len(names) == 0 {
		t.Fatal(err)
	}
	tried := map[string]bool{}
	for _, name := range names {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var operators []string
		for _, m := range searched.FindAllStringSubmatch(string(source), -1) {
			operators = append(operators, strings.Fields(m[1])...)
		}
		found := map[int][]string{}
		for _, m := range Find(load(t, ".", "./"+filepath.ToSlash(filepath.Dir(name)))[0]) {
			if slices.Contains(operators, m.Operator.Name) && !slices.Contains(found[m.Position.Line], m.Operator.Name) {
				found[m.Position.Line] = append(found[m.Position.Line], m.Operator.Name)
			}
		}
		for i, line := range strings.Split(string(source), "\n") {
			var want []string
			if m := wanted.FindStringSubmatch(line); m != nil {
				want = strings.Fields(m[1])
			}
			for _, o := range want {
				tried[o] = true
			}
			got := found[i+1]
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%s:%d: %s\ngot  %v\nwant %v", name, i+1, strings.TrimSpace(line), got, want)
			}
		}
	}
	for _, o := range All() {
		if !tried[o.Name] {
			t.Errorf("no line of the corpus wants %s", o.Name)
		}
	}
}
