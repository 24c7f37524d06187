package unmodified

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/rouse-go/rouse/chaos/goroot/corpus"
)

// GoKer runs stress test --leaks on the kernels of GoKer, prints the findings in each, and returns
// the number of kernels with a finding.
func GoKer(ctx context.Context, tool corpus.Tool, folder string, executions int, out io.Writer) (found int, err error) {
	module := filepath.Join(folder, "goker")
	if err := os.MkdirAll(module, 0o755); err != nil {
		return 0, err
	}
	tests, err := corpus.GoKer(ctx, module)
	if err != nil {
		return 0, err
	}
	results, err := tool.Test(ctx, module, filepath.Join(folder, "recordings", "goker"), nil,
		"--leaks", "--seed", "1", "--executions", fmt.Sprint(executions), "--quiet")
	if err != nil {
		return 0, err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	total, first := 0, 0
	for _, r := range results.Tests {
		total += r.Executions
		if !r.Failed() {
			fmt.Fprintf(w, "%s\tMISSED\t%s\t%d executions\t%d steps\t%s\n", r.Test, r.Status, r.Executions, r.Steps, r.Summary)
			continue
		}
		found++
		first += r.Execution + 1
		fmt.Fprintf(w, "%s\t%s\texecution %d\t%d executions\t%d steps\t%s\n", r.Test, r.Verdict, r.Execution, r.Executions, r.Steps, r.Summary)
	}
	w.Flush()
	fmt.Fprintf(out, "found %d of %d, %d executions up to and with the first failures, %.1f s\n", found, len(tests), first, results.Seconds)
	return found, nil
}
