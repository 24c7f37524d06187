package corpus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	goroot "github.com/rouse-go/rouse/chaos/goroot/corpus"
)

// goleakModule is the version of goleak that tests are run with.
const goleakModule = "go.uber.org/goleak@v1.3.0"

// besideTests holds, by way, the source of a test that runs another test in that way.
var besideTests = map[string]string{
	WayGoleak:   "import (\"testing\"; \"go.uber.org/goleak\")\n\nfunc TestBeside(t *testing.T) { t.Cleanup(func() { goleak.VerifyNone(t) }); %s(t) }\n",
	WaySynctest: "import (\"testing\"; \"testing/synctest\")\n\nfunc TestBeside(t *testing.T) { synctest.Test(t, %s) }\n",
}

// building is the time that a way may take besides its limit, to build and to end.
const building = 5 * time.Minute

// Compare looks for a bug in all ways, each for the limit at most.
func (w *Workshop) Compare(ctx context.Context, tool goroot.Tool, b *Bug, limit time.Duration) (*Comparison, error) {
	hash, err := b.files(w.Root)
	if err != nil {
		return nil, err
	}
	c := &Comparison{Bug: b.ID(), Files: hash, Go: runtime.Version(), Limit: int(limit.Seconds()), Processors: processors(), Ways: map[string]*Attempt{}}
	for _, way := range Ways {
		if c.Ways[way], err = w.attempt(ctx, tool, b, way, limit); err != nil {
			return nil, fmt.Errorf("%s, %s: %w", b.ID(), way, err)
		}
	}
	return c, nil
}

// attempt returns the result of a way. It takes no longer than twice the limit plus building.
func (w *Workshop) attempt(ctx context.Context, tool goroot.Tool, b *Bug, way string, limit time.Duration) (*Attempt, error) {
	end := errors.New("it has not ended")
	ctx, cancel := context.WithTimeoutCause(ctx, 2*limit+building, end)
	defer cancel()
	var a *Attempt
	var err error
	if way == WayStress {
		a, err = w.byStress(ctx, tool, b, limit)
	} else {
		a, err = w.natively(ctx, b, way, false, limit)
	}
	if err == nil && way != WayStress && a.Outcome == Found && (b.Fixed != "" || b.FixedVersion != "") {
		var fixed *Attempt
		if fixed, err = w.natively(ctx, b, way, true, min(limit, 3*time.Second)); err == nil && fixed.Outcome == Found {
			a = &Attempt{Outcome: DoesNotFit, By: fixed.By}
		}
	}
	if err != nil && context.Cause(ctx) == end {
		err = end
	}
	return a, err
}

// byStress returns the result of stress test.
func (w *Workshop) byStress(ctx context.Context, tool goroot.Tool, b *Bug, limit time.Duration) (*Attempt, error) {
	p, err := w.place(ctx, b, false)
	if err != nil {
		return nil, err
	}
	args := append([]string{"--quiet", "--seed", "1", "--for", limit.String(), "--run", "^" + b.Test + "$", b.Package}, b.Args...)
	r, err := tool.Test(ctx, p.dir, filepath.Join(w.Dir, "recordings", "beside", b.ID()), p.env, args...)
	if err != nil {
		return nil, err
	}
	if len(r.Tests) != 1 {
		return nil, fmt.Errorf("%s: %d tests have run, want 1: %q", b.ID(), len(r.Tests), r.Broken)
	}
	t := r.Tests[0]
	a := &Attempt{NotFound, "", t.Executions, rounded(int64(t.Seconds * 1000))}
	if t.Failed() {
		a.Outcome, a.By, a.Executions = Found, string(t.Verdict), t.Execution+1
	}
	return a, nil
}

// natively returns the result of a way without an engine on the bug's test, or on the fixed version.
func (w *Workshop) natively(ctx context.Context, b *Bug, way string, fixed bool, limit time.Duration) (*Attempt, error) {
	p, err := w.place(ctx, b, fixed)
	if err != nil {
		return nil, err
	}
	test, name := b.test(fixed), fmt.Sprintf("%s-%s-%t", b.Name, strings.ReplaceAll(way, " ", ""), fixed)
	if way != WayPlain && way != WayRace {
		dir := filepath.Join(w.Dir, "beside", b.Set.Name, name)
		defer os.RemoveAll(dir)
		if p, err = w.rewritten(ctx, b, p, way, dir, test); err != nil {
			return nil, err
		}
	}
	if besideTests[way] != "" {
		test = "TestBeside"
	}
	binary := filepath.Join(w.Dir, "beside", b.Set.Name, name+".test")
	defer os.Remove(binary)
	args := []string{"test", "-vet=off", "-c", "-o", binary}
	if way == WayRace {
		args = append(args, "-race")
	}
	if _, err := goCommand(ctx, p.dir, p.env, append(args, b.Package)...); err != nil {
		return nil, err
	}
	n := &native{test: test, limit: limit}
	return n.run(ctx, binary, filepath.Join(p.dir, filepath.FromSlash(b.Package)))
}

// rewritten makes a copy of a bug's module in which the test runs in that way.
func (w *Workshop) rewritten(ctx context.Context, b *Bug, p place, way, dir, test string) (place, error) {
	copied := place{dir, []string{modFlags}}
	if err := errors.Join(os.RemoveAll(dir), os.CopyFS(dir, os.DirFS(p.dir))); err != nil {
		return copied, err
	}
	if way == WayGosched {
		if err := injectGosched(dir, true); err != nil || !b.Released() {
			return copied, err
		}
		return copied, w.library(ctx, b, dir)
	}
	pkg := filepath.Join(dir, filepath.FromSlash(b.Package))
	names, err := filepath.Glob(filepath.Join(pkg, "*_test.go"))
	if err != nil {
		return copied, err
	}
	i := slices.IndexFunc(names, func(name string) bool {
		text, err := os.ReadFile(name)
		return err == nil && strings.Contains(string(text), "func "+test+"(")
	})
	if i < 0 {
		return copied, fmt.Errorf("no file has %s", test)
	}
	file, err := parser.ParseFile(token.NewFileSet(), names[i], nil, parser.PackageClauseOnly)
	if err != nil {
		return copied, err
	}
	text := fmt.Sprintf("package %s\n\n"+besideTests[way], file.Name.Name, test)
	if err := os.WriteFile(filepath.Join(pkg, "beside_test.go"), []byte(text), 0o644); err != nil || way != WayGoleak {
		return copied, err
	}
	_, err = goCommand(ctx, dir, copied.env, "mod", "edit", "-require="+goleakModule)
	return copied, err
}

// library replaces the library of a driver's module by a copy in which goroutines yield.
func (w *Workshop) library(ctx context.Context, b *Bug, dir string) error {
	out, err := goCommand(ctx, dir, []string{modFlags}, "list", "-m", "-json", b.Module)
	if err != nil {
		return err
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		return err
	}
	lib := filepath.Join(dir, "testdata", "lib") // ./... does not match it
	if err := os.CopyFS(lib, os.DirFS(module.Dir)); err != nil {
		return err
	}
	err = filepath.WalkDir(lib, func(name string, d fs.DirEntry, err error) error {
		mode := fs.FileMode(0o644)
		if err == nil && d.IsDir() {
			mode = 0o755
		}
		return errors.Join(err, os.Chmod(name, mode))
	})
	if err != nil {
		return err
	}
	mod := filepath.Join(lib, "go.mod")
	if _, err := os.Stat(mod); err != nil {
		if err := os.WriteFile(mod, []byte("module "+b.Module+"\n"), 0o644); err != nil {
			return err
		}
	}
	if err := injectGosched(lib, false); err != nil {
		return err
	}
	_, err = goCommand(ctx, dir, []string{modFlags}, "mod", "edit", "-replace="+b.Module+"=./testdata/lib")
	return err
}

// Comparable returns the bugs that can be compared in all ways.
func Comparable(bugs []*Bug) []*Bug {
	return slices.DeleteFunc(slices.Clone(bugs), func(b *Bug) bool { return b.How == HowExplore || slices.Contains(b.Verdicts, "pass") })
}

// Compared reports whether a comparison is of the same files and limit.
func (w *Workshop) Compared(b *Bug, c *Comparison, limit time.Duration) bool {
	hash, err := b.files(w.Root)
	return err == nil && c != nil && c.Files == hash && c.Limit == int(limit.Seconds())
}
