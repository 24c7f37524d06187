package corpus

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	goroot "github.com/rouse-go/rouse/chaos/goroot/corpus"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// A finding is the result of a test's executions with one seed.
type finding struct {
	status    string // "ok" if it passed
	verdict   verdict.Verdict
	execution int // that failed, from 1; 0 if none did
	decisions int // of the shrunk recording
	total     int // executions
	summary   string
	report    string
	recording string
}

// A job is a set of tests that run together: of one module, with the same flags.
type job struct {
	bugs       []*Bug
	fixed      bool
	seed       int
	executions int
}

// out returns the folder for the recordings of a job.
func (w *Workshop) out(j job) string {
	name := fmt.Sprintf("seed-%d", j.seed)
	if j.fixed {
		name = "fixed"
	}
	return filepath.Join(w.Dir, "recordings", j.bugs[0].Set.Name, j.bugs[0].Name, name)
}

// run runs a job, and returns a finding for each of its bugs.
func (w *Workshop) run(ctx context.Context, tool goroot.Tool, j job) (found map[*Bug]*finding, err error) {
	p, err := w.place(ctx, j.bugs[0], j.fixed)
	if err != nil {
		return nil, err
	}
	if err := os.RemoveAll(w.out(j)); err != nil { // recordings of an earlier run would be repeated first
		return nil, err
	}
	if j.bugs[0].How == HowExplore {
		return w.explore(ctx, p, j)
	}
	var tests, packages []string
	for _, b := range j.bugs {
		tests, packages = append(tests, regexp.QuoteMeta(b.test(j.fixed))), append(packages, b.Package)
	}
	slices.Sort(packages)
	args := []string{"--quiet", "--seed", fmt.Sprint(j.seed), "--executions", fmt.Sprint(j.executions), "--run", "^(" + strings.Join(tests, "|") + ")$"}
	args = append(append(args, j.bugs[0].Args...), slices.Compact(packages)...)
	r, err := tool.Test(ctx, p.dir, w.out(j), p.env, args...)
	if err != nil {
		return nil, err
	}
	found = map[*Bug]*finding{}
	for _, b := range j.bugs {
		i := slices.IndexFunc(r.Tests, func(t goroot.Result) bool { return t.Test == b.test(j.fixed) && b.in(t.Package) })
		if i < 0 {
			return nil, fmt.Errorf("%s: %s has not run: %q", b.ID(), b.test(j.fixed), r.Broken)
		}
		if found[b], err = findingOf(&r.Tests[i]); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// test returns the name of the test to run.
func (b *Bug) test(fixed bool) string {
	if fixed && b.Fixed != "" {
		return b.Fixed
	}
	return b.Test
}

// in reports whether importPath is the import path of the bug's package.
func (b *Bug) in(importPath string) bool {
	return b.Package == "." || strings.HasSuffix(importPath, strings.TrimPrefix(b.Package, "."))
}

func findingOf(r *goroot.Result) (*finding, error) {
	f := &finding{status: r.Status, verdict: r.Verdict, execution: r.Execution + 1, total: r.Executions, summary: r.Summary, report: r.Report}
	if !r.Failed() {
		f.execution = 0
		return f, nil
	}
	return f, f.shrunk(r.Recording)
}

// shrunk stores the recording of a failure in f.
func (f *finding) shrunk(file string) error {
	r, err := recording.Read(file)
	if err == nil {
		f.recording, f.decisions = file, len(r.Entries)
	}
	return err
}

// replay returns how often, of times, the recording of a finding is reproduced.
func (w *Workshop) replay(ctx context.Context, tool goroot.Tool, b *Bug, f *finding, times int) (int, error) {
	p, err := w.place(ctx, b, false)
	if err != nil {
		return 0, err
	}
	if b.How == HowExplore {
		return w.replayExplored(ctx, p, b, f, times)
	}
	return tool.ReplayTimes(ctx, p.dir, f.recording, p.env, times)
}
