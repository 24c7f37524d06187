package unmodified

import (
	"context"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/rouse-go/rouse/chaos/goroot/corpus"
	"github.com/rouse-go/rouse/chaos/verdict"
)

//go:embed testdata/fixes
var drivers embed.FS

// A Fix is a bug that users have reported of a released library, with the versions before and after
// its fix, and a test in testdata/fixes that uses the library as they did.
type Fix struct {
	Name          string // a folder of testdata/fixes
	Module        string
	Broken, Fixed string // versions
	Verdict       verdict.Verdict
	What          string
}

// Fixes are the bugs.
var Fixes = []Fix{
	{"puddle", "github.com/jackc/puddle", "v1.0.0", "v1.1.0", verdict.Deadlock, "Acquire: cancelled and woken at the same time, pull request 2"},
	{"semaphore", "golang.org/x/sync", "v0.0.0-20190423024810-112230192c58", "v0.8.0", verdict.Deadlock, "semaphore: the first waiter gives up, and none wakes the next"},
	{"semaphoredone", "golang.org/x/sync", "v0.6.0", "v0.8.0", verdict.WrongResult, "semaphore: Acquire succeeds after its context has ended"},
	{"expirable", "github.com/hashicorp/golang-lru/v2", "v2.0.6", "v2.0.7", verdict.WrongResult, "expirable: Get returns an empty value and true, issue 150"},
	{"pond", "github.com/alitto/pond/v2", "v2.5.0", "v2.7.1", verdict.Deadlock, "the context of a pool ends with tasks in the queue, issue 138"},
}

// RunFixes tests each library before and after its fix, prints what is found, and returns how many
// bugs were not found or are reported of a version that has the fix.
func RunFixes(ctx context.Context, tool corpus.Tool, folder string, fixes []Fix, executions int, out io.Writer) (wrong int, err error) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, f := range fixes {
		for _, version := range []string{f.Broken, f.Fixed} {
			r, err := f.run(ctx, tool, folder, version, executions)
			if err != nil {
				return 0, err
			}
			mark := ""
			if version == f.Broken && r.Verdict != f.Verdict || version == f.Fixed && r.Status != "ok" {
				mark = "NOT AS EXPECTED"
				wrong++
			}
			fmt.Fprintf(w, "%s\t%s\t%s %s\texecution %d of %d\t%s\t%s\n", f.Module, version, r.Status, r.Verdict, r.Execution, r.Executions, r.Summary, mark)
		}
	}
	return wrong, w.Flush()
}

func (f *Fix) run(ctx context.Context, tool corpus.Tool, folder, version string, executions int) (*corpus.Result, error) {
	dir := filepath.Join(folder, "fixes", f.Name+"@"+version)
	driver, err := fs.Sub(drivers, "testdata/fixes/"+f.Name)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if err := os.CopyFS(dir, driver); err != nil {
		return nil, err
	}
	mod := fmt.Sprintf("module example.com/fix\n\ngo 1.25.0\n\nrequire %s %s\n", f.Module, version)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o644); err != nil {
		return nil, err
	}
	if _, err := goCommand(ctx, dir, "list", "-deps", "-test", "."); err != nil {
		return nil, err
	}
	results, err := tool.Test(ctx, dir, dir+" recordings", []string{modFlags}, "--quiet", "--seed", "1", "--executions", fmt.Sprint(executions))
	if err != nil {
		return nil, err
	}
	if len(results.Tests) != 1 {
		return nil, fmt.Errorf("%s: %d tests, want 1: %q", f.Name, len(results.Tests), results.Broken)
	}
	return &results.Tests[0], nil
}
