package unmodified

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/rouse-go/rouse/chaos/goroot/corpus"
)

// Determinism runs the fixed twins of the planted bugs, the planted bugs and the kernels of GoKer
// twice with the same seed: with GOMAXPROCS 1 and 2, from copies of the modules in different folders,
// and the second time, if there is a cache, from binaries that were built anew into that GOCACHE. It
// prints the tests that differ in any trace, and returns how many there are.
func Determinism(ctx context.Context, tool corpus.Tool, source, folder, cache string, executions int, out io.Writer) (different int, err error) {
	second := []string{"GOMAXPROCS=2"}
	if cache != "" {
		second = append(second, "GOCACHE="+cache)
	}
	planted := os.DirFS(filepath.Join(source, "chaos/goroot/testdata/planted"))
	for _, set := range []struct {
		name string
		make func(dir string) error
		args []string
	}{
		{"fixed twins", func(dir string) error { return os.CopyFS(dir, planted) }, []string{"--tags", "fixed", "./..."}},
		{"planted bugs", func(dir string) error { return os.CopyFS(dir, planted) }, []string{"--leaks", "./..."}},
		{"GoKer", func(dir string) error {
			_, err := corpus.GoKer(ctx, dir)
			return err
		}, []string{"--leaks"}},
	} {
		var results [2]*corpus.Results
		for i, env := range [][]string{{"GOMAXPROCS=1"}, second} {
			dir := filepath.Join(folder, fmt.Sprintf("determinism-%d", i), set.name)
			if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
				return 0, err
			}
			if err := os.Mkdir(dir, 0o755); err != nil {
				return 0, err
			}
			if err := set.make(dir); err != nil {
				return 0, err
			}
			args := append([]string{"--quiet", "--seed", "1", "--executions", fmt.Sprint(executions), "--procs", fmt.Sprint(i + 1)}, set.args...)
			if results[i], err = tool.Test(ctx, dir, dir+" recordings", env, args...); err != nil {
				return 0, err
			}
		}
		n, equal := compare(results[0].Tests, results[1].Tests, out)
		fmt.Fprintf(out, "%s: %d of %d tests have the same traces in all of up to %d executions\n", set.name, equal, n, executions)
		different += n - equal
	}
	return different, nil
}

// compare prints the differences between two runs of the same tests.
func compare(a, b []corpus.Result, out io.Writer) (tests, equal int) {
	tests = max(len(a), len(b))
	for i := range min(len(a), len(b)) {
		x, y := a[i], b[i]
		if x.Test == y.Test && x.Status == y.Status && x.Verdict == y.Verdict && x.Execution == y.Execution && x.Executions == y.Executions && x.Steps == y.Steps && x.Traces == y.Traces {
			equal++
			continue
		}
		for _, r := range []corpus.Result{x, y} {
			fmt.Fprintf(out, "%s %s: %s %s, execution %d of %d, %d steps, traces %s\n", r.Package, r.Test, r.Status, r.Verdict, r.Execution, r.Executions, r.Steps, r.Traces)
		}
	}
	return tests, equal
}
