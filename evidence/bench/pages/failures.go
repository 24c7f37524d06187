package pages

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/internal/process"
)

// buggy is a module of tests, each of which fails in some schedules.
//
//go:embed testdata/failures/failures_test.go
var buggy embed.FS

// Failures runs stress test on tests that fail in some schedules, in a folder, with the stress of the module at
// root, and returns the pages that it writes, by name.
func Failures(ctx context.Context, dir, root string) (files []string, err error) {
	stress, tests := filepath.Join(dir, "stress"), filepath.Join(dir, "failures")
	if err = run(ctx, root, 0, "go", "build", "-o", stress, "./cmd/stress"); err != nil {
		return nil, err
	}
	source, err := fs.Sub(buggy, "testdata/failures")
	if err != nil {
		return nil, err
	}
	if err = os.CopyFS(tests, source); err != nil {
		return nil, err
	}
	if err = os.WriteFile(filepath.Join(tests, "go.mod"), []byte("module example.com/failures\n\ngo 1.25\n"), 0o644); err != nil {
		return nil, err
	}
	if err = run(ctx, tests, 1, stress, "test", "-count=1", "--seed", "1", "--executions", "500", "--report", "pages/"); err != nil {
		return nil, err
	}
	all, err := filepath.Glob(filepath.Join(tests, "pages", "*-Test*.html"))
	slices.Sort(all)
	return all, err
}

// NameOf returns the name of the test that a page of Failures shows.
func NameOf(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), ".html")
	return name[strings.LastIndexByte(name, '-')+1:]
}

// run runs a program, which must exit with code.
func run(ctx context.Context, dir string, code int, name string, args ...string) error {
	cmd := process.Command(ctx, name, args...)
	cmd.Args[0], cmd.Dir = filepath.Base(name), dir
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != code {
		return fmt.Errorf("%s: %w, want exit code %d:\n%s", strings.Join(cmd.Args, " "), err, code, out)
	}
	return nil
}
