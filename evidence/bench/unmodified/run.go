package unmodified

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot/corpus"
)

// A Row holds the results of stress test on a suite.
type Row struct {
	Suite                        Suite
	Tests, Skipped               int
	Executions, Steps            int
	Seconds                      float64 // of tests, of one process each
	Failed, Uncontrolled, Broken []string
	Natively                     string // failures with go test: of tests that fail now and then
}

// env returns the environment variables for stress test.
func (s *Suite) env() []string { return append([]string{modFlags, noWorkspace}, s.Env...) }

// A Budget bounds the executions of a suite.
type Budget struct {
	Executions int           // of each test, or
	For        time.Duration // of all together, if it is not 0
}

// Run runs stress test on a suite in dir, with recordings below out.
func (s *Suite) Run(ctx context.Context, tool corpus.Tool, dir, out string, budget Budget) (*Row, error) {
	var results *corpus.Results
	var err error
	if budget.For > 0 {
		results, err = s.test(ctx, tool, dir, out, "--for", budget.For.String(), "--skip", s.Skip)
	} else {
		results, err = s.explore(ctx, tool, dir, out, budget.Executions)
	}
	if err != nil {
		return nil, err
	}
	return s.row(results), nil
}

// explore runs executions of each test, and fewer of the long tests.
func (s *Suite) explore(ctx context.Context, tool corpus.Tool, dir, out string, executions int) (*corpus.Results, error) {
	results, err := s.test(ctx, tool, dir, out, "--executions", fmt.Sprint(executions), "--skip", either(s.Skip, s.Long.Tests))
	if err == nil && s.Long.Tests != "" {
		var long *corpus.Results
		long, err = s.test(ctx, tool, dir, filepath.Join(out, "long"), "--executions", fmt.Sprint(min(executions, s.Long.Executions)), "--run", s.Long.Tests, "--skip", s.Skip)
		if err == nil {
			results.Tests = append(results.Tests, long.Tests...)
		}
	}
	return results, err
}

func (s *Suite) row(results *corpus.Results) *Row {
	row := &Row{Suite: *s, Broken: results.Broken}
	for _, r := range results.Tests {
		row.Tests++
		row.Executions += r.Executions
		row.Steps += r.Steps
		row.Seconds += r.Seconds
		text := fmt.Sprintf("%s %s: %s in execution %d: %s", r.Package, r.Test, r.Verdict, r.Execution, r.Summary)
		switch r.Status {
		case "skip":
			row.Skipped++
		case "FAIL":
			row.Failed = append(row.Failed, text+"\n\t\t"+r.Recording)
		case "uncontrolled":
			row.Uncontrolled = append(row.Uncontrolled, text)
		}
	}
	return row
}

func (s *Suite) test(ctx context.Context, tool corpus.Tool, dir, out string, args ...string) (*corpus.Results, error) {
	args = append([]string{"--seed", "1", "--quiet"}, args...)
	return tool.Test(ctx, dir, out, s.env(), append(args, s.Packages...)...)
}

// either returns a pattern that matches if a or b does; an empty pattern matches nothing.
func either(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "|" + b
}

// Table prints rows, and below them the tests that failed or were uncontrolled.
func Table(out io.Writer, rows []*Row) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "suite\tversion\ttests\tskipped\texecutions\tsteps\texecutions/s\tfailed\tuncontrolled\t")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%.0f\t%d\t%d\t\n", r.Suite.Name, r.Suite.Version, r.Tests, r.Skipped, r.Executions, r.Steps,
			r.rate(), len(r.Failed)+len(r.Broken), len(r.Uncontrolled))
	}
	w.Flush()
	for _, r := range rows {
		for _, kind := range []struct {
			name  string
			lines []string
		}{{"failed", r.Failed}, {"uncontrolled", r.Uncontrolled}, {"cannot be tested", r.Broken}} {
			for _, line := range kind.lines {
				fmt.Fprintf(out, "%s, %s:\n\t%s\n", r.Suite.Name, kind.name, line)
			}
		}
		if r.Natively != "" {
			fmt.Fprintf(out, "%s, failed natively:\n\t%s\n", r.Suite.Name, r.Natively)
		}
		if r.Suite.Skip != "" {
			fmt.Fprintf(out, "%s, left out: %s: %s\n", r.Suite.Name, r.Suite.Skip, r.Suite.Why)
		}
		if l := r.Suite.Long; l.Tests != "" {
			fmt.Fprintf(out, "%s, at most %d executions: %s: %s\n", r.Suite.Name, l.Executions, l.Tests, l.Why)
		}
	}
}
