package corpus

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	goroot "github.com/rouse-go/rouse/chaos/goroot/corpus"
)

// Try runs stress test on the bug's test, or with fixed on the one that is to pass, with recordings below
// the folder of the workshop.
func (w *Workshop) Try(ctx context.Context, tool goroot.Tool, b *Bug, fixed bool, seed uint64, executions int) (*goroot.Result, error) {
	test := b.Test
	if fixed && b.Fixed != "" {
		test = b.Fixed
	}
	p, err := w.place(ctx, b, fixed)
	if err != nil {
		return nil, err
	}
	args := append([]string{"--quiet", "--seed", fmt.Sprint(seed), "--executions", fmt.Sprint(executions), "--run", "^" + test + "$", b.Package}, b.Args...)
	r, err := tool.Test(ctx, p.dir, filepath.Join(w.Dir, "recordings", b.Set.Dir, fmt.Sprint(fixed, seed)), p.env, args...)
	if err != nil {
		return nil, err
	}
	if len(r.Tests) != 1 {
		return nil, fmt.Errorf("%s: %d tests have run, want 1: %q", b.ID(), len(r.Tests), r.Broken)
	}
	return &r.Tests[0], nil
}

// AsExpected reports whether the verdict on the bug's test is one of those in its table.
func (b *Bug) AsExpected(r *goroot.Result) bool {
	if b.Missed != "" || len(b.Verdicts) == 1 && b.Verdicts[0] == "pass" {
		return r.Status == "ok"
	}
	return r.Failed() && slices.Contains(b.Verdicts, r.Verdict)
}
