// Command unmodified measures stress test on unmodified code:
//
//	go build -o bin/unmodified ./cmd/unmodified
//	bin/unmodified suites         # the test suites of released libraries
//	bin/unmodified goker          # the kernels of GoKer in GOROOT
//	bin/unmodified default        # what a run by default costs
//	bin/unmodified cost           # executions a second, and the time of a point
//	bin/unmodified uncontrolled   # operations in a build with the overlay that nothing controls
//	bin/unmodified memory         # a million executions in one process
//	bin/unmodified determinism    # the same seed twice
//	bin/unmodified patches        # which test notices that a patch or a point of the overlay is left out
//	bin/unmodified releases       # the checks under releases of Go that have not been tried
//
// Modules are downloaded by the go command, at fixed versions.
//
// Exit code: 0; 1 if a suite or a check of a release fails, a recording no longer fails, fewer kernels are found than
// expected, memory grows, operations cost more than they may, or traces differ; 2 for an invalid command line; 3 if
// something could not be built or downloaded; 130 and 143 if it was interrupted.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot/corpus"
	"github.com/rouse-go/rouse/evidence/bench/unmodified"
	"github.com/rouse-go/rouse/internal/command"
	"github.com/spf13/cobra"
)

func main() { command.Main(newRoot()) }

func newRoot() *cobra.Command {
	return command.NewRoot("unmodified", "stress test on code that nobody has changed", newSuites(), newGoKer(), newDefault(), newCost(), newScale(), newUncontrolled(), newMemory(), newDeterminism(), newPatches(), newReleases())
}

// work holds the folders and the tool of a command.
type work struct {
	folder, source string
	tool           corpus.Tool
}

// with calls run with the built tool and a folder for work: that of --work, or else a temporary one.
func with(ctx context.Context, folder, source string, run func(work) error) error {
	if folder == "" {
		tmp, err := os.MkdirTemp("", "unmodified-")
		if err != nil {
			return command.Trouble(err)
		}
		defer os.RemoveAll(tmp)
		folder = tmp
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		return command.Trouble(err)
	}
	if source, err = filepath.Abs(source); err != nil {
		return command.Trouble(err)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return command.Trouble(err)
	}
	tool, err := corpus.Build(ctx, source, folder)
	if err != nil {
		return command.Trouble(err)
	}
	return run(work{folder, source, tool})
}

// flags adds the flags that all commands have.
func flags(c *cobra.Command, folder, source *string) {
	c.Flags().StringVar(folder, "work", "", "`folder` for modules and recordings, which stay (default: a temporary one)")
	c.Flags().StringVar(source, "source", "../..", "`folder` with the source of rouse")
}

func newSuites() *cobra.Command {
	var folder, source string
	var only []string
	var budget unmodified.Budget
	var procs int
	var native, missing bool
	var recordings, page string
	c := &cobra.Command{Use: "suites", Short: "The test suites of released libraries", Args: command.NoArguments}
	flags(c, &folder, &source)
	c.Flags().StringSliceVar(&only, "only", nil, "`names` of suites")
	c.Flags().IntVar(&budget.Executions, "executions", 100, "of each test")
	c.Flags().DurationVar(&budget.For, "for", 0, "time of each suite, divided among its tests, instead of a number of executions")
	c.Flags().IntVar(&procs, "procs", runtime.NumCPU(), "processes at a time")
	c.Flags().BoolVar(&native, "native", true, "run each suite with go test first")
	c.Flags().StringVar(&recordings, "recordings", "", "replay the recordings in this `folder` instead, and fail if one does not fail as recorded")
	c.Flags().StringVar(&page, "into", "", "`file` of a page whose table gets the rows; it keeps those of other suites")
	c.Flags().BoolVar(&missing, "missing", false, "only suites that have no row in the page of --into: continues a run")
	c.MarkFlagsMutuallyExclusive("executions", "for")
	c.RunE = func(c *cobra.Command, _ []string) error {
		suites, err := command.Choose("--only", only, unmodified.Suites, func(s unmodified.Suite) string { return s.Name })
		if err != nil {
			return err
		}
		if missing {
			if suites, err = missingFrom(page, suites); err != nil {
				return err
			}
		}
		return with(c.Context(), folder, source, func(w work) error {
			w.tool.Procs = procs
			if recordings != "" {
				return replaySuites(c, w, suites, recordings)
			}
			return runSuites(c, w, suites, budget, native, page)
		})
	}
	return c
}

// missingFrom returns the suites that have no row in the page.
func missingFrom(page string, suites []unmodified.Suite) ([]unmodified.Suite, error) {
	if page == "" {
		return nil, errors.New("--missing requires --into")
	}
	text, err := os.ReadFile(page)
	if err != nil {
		return nil, command.Trouble(err)
	}
	suites, err = unmodified.Missing(text, suites)
	return suites, command.Trouble(err)
}

// runSuites runs the suites, one after the other. One that cannot be run does not end the others.
func runSuites(c *cobra.Command, w work, suites []unmodified.Suite, budget unmodified.Budget, native bool, page string) error {
	bad := 0
	var rows []*unmodified.Row
	var trouble error
	for _, s := range suites {
		row, err := runSuite(c, w, s, budget, native)
		if err == nil && page != "" {
			err = insert(page, []*unmodified.Row{row})
		}
		if err != nil {
			trouble = errors.Join(trouble, fmt.Errorf("%s: %w", s.Name, err))
			if c.Context().Err() != nil {
				break
			}
			continue
		}
		bad += len(row.Failed) + len(row.Broken)
		rows = append(rows, row)
		unmodified.Table(c.ErrOrStderr(), []*unmodified.Row{row})
	}
	unmodified.Table(c.OutOrStdout(), rows)
	if trouble != nil {
		return command.Trouble(trouble)
	}
	if bad > 0 {
		return command.Found(fmt.Errorf("%d tests failed", bad))
	}
	return nil
}

func runSuite(c *cobra.Command, w work, s unmodified.Suite, budget unmodified.Budget, native bool) (*unmodified.Row, error) {
	fmt.Fprintf(c.ErrOrStderr(), "%s %s\n", s.Module, s.Version)
	dir, err := s.Fetch(c.Context(), w.folder)
	if err != nil {
		return nil, err
	}
	var natively string
	if native {
		if natively, err = s.Native(c.Context(), dir); err != nil {
			return nil, err
		}
	}
	row, err := s.Run(c.Context(), w.tool, dir, filepath.Join(w.folder, "recordings", s.Name), budget)
	if err != nil {
		return nil, err
	}
	row.Natively = natively
	return row, nil
}

func insert(page string, rows []*unmodified.Row) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	text, err = unmodified.Into(text, rows)
	if err != nil {
		return fmt.Errorf("%s: %w", page, err)
	}
	return os.WriteFile(page, text, 0o644)
}

func replaySuites(c *cobra.Command, w work, suites []unmodified.Suite, folder string) error {
	ctx, replayed, gone := c.Context(), 0, 0
	for _, s := range suites {
		files, err := s.Recordings(folder)
		if err != nil || len(files) == 0 {
			continue // a suite without failures has none; the pattern is valid
		}
		dir, err := s.Fetch(ctx, w.folder)
		if err != nil {
			return command.Trouble(err)
		}
		n, err := s.Replay(ctx, w.tool, dir, files, c.OutOrStdout())
		if err != nil {
			return command.Trouble(err)
		}
		replayed, gone = replayed+len(files), gone+n
	}
	if replayed == 0 {
		return command.Trouble(fmt.Errorf("%s has no recordings", folder))
	}
	if gone > 0 {
		return command.Found(fmt.Errorf("%d of %d recordings no longer fail as recorded", gone, replayed))
	}
	return nil
}

func newUncontrolled() *cobra.Command {
	var folder, source string
	var rounds int
	c := &cobra.Command{Use: "uncontrolled", Short: "Operations in a build with the overlay that nothing controls", Args: command.NoArguments}
	flags(c, &folder, &source)
	c.Flags().IntVar(&rounds, "rounds", 30, "of both builds")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return with(c.Context(), folder, source, func(w work) error {
			missed, err := unmodified.Uncontrolled(c.Context(), w.source, w.folder, rounds, c.OutOrStdout())
			if err != nil {
				return command.Trouble(err)
			}
			if len(missed) > 0 {
				return command.Found(fmt.Errorf("%q cost more than they may", missed))
			}
			return nil
		})
	}
	return c
}

func newGoKer() *cobra.Command {
	var folder, source string
	var executions, want int
	c := &cobra.Command{Use: "goker", Short: "The kernels of GoKer in GOROOT", Args: command.NoArguments}
	flags(c, &folder, &source)
	c.Flags().IntVar(&executions, "executions", 1000, "of each kernel")
	c.Flags().IntVar(&want, "want", 61, "kernels to be found")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return with(c.Context(), folder, source, func(w work) error {
			found, err := unmodified.GoKer(c.Context(), w.tool, w.folder, executions, c.OutOrStdout())
			if err != nil {
				return command.Trouble(err)
			}
			if found < want {
				return command.Found(fmt.Errorf("%d kernels found, want %d", found, want))
			}
			return nil
		})
	}
	return c
}

func newDefault() *cobra.Command {
	var folder, source string
	var only []string
	var limit time.Duration
	c := &cobra.Command{Use: "default", Short: "What a run by default costs, beside one of 1,000 executions of each test", Args: command.NoArguments}
	flags(c, &folder, &source)
	c.Flags().StringSliceVar(&only, "only", nil, "`names` of rows")
	c.Flags().DurationVar(&limit, "limit", 10*time.Minute, "of each run")
	c.RunE = func(c *cobra.Command, _ []string) error {
		rows, err := command.Choose("--only", only, unmodified.Defaults, func(r unmodified.DefaultRow) string { return r.Name })
		if err != nil {
			return err
		}
		return with(c.Context(), folder, source, func(w work) error {
			for _, r := range rows {
				if err := r.Measure(c.Context(), w.tool, w.folder, limit, c.OutOrStdout()); err != nil {
					return command.Trouble(err)
				}
			}
			return nil
		})
	}
	return c
}

func newCost() *cobra.Command {
	var folder, source string
	var executions int
	c := &cobra.Command{Use: "cost", Short: "Executions a second, and what a point takes", Args: command.NoArguments}
	flags(c, &folder, &source)
	c.Flags().IntVar(&executions, "executions", 200_000, "of the test with mutexes")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return with(c.Context(), folder, source, func(w work) error {
			return command.Trouble(unmodified.Cost(c.Context(), w.tool, w.source, w.folder, executions, c.OutOrStdout()))
		})
	}
	return c
}

func newScale() *cobra.Command {
	var folder, source string
	var steps int
	c := &cobra.Command{Use: "scale", Short: "What a step of many goroutines takes, and the memory of a long execution", Args: command.NoArguments}
	flags(c, &folder, &source)
	c.Flags().IntVar(&steps, "steps", 20_000_000, "of each row, about")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return with(c.Context(), folder, source, func(w work) error {
			return command.Trouble(unmodified.Scale(c.Context(), w.tool, w.source, w.folder, steps, c.OutOrStdout()))
		})
	}
	return c
}

func newMemory() *cobra.Command {
	var folder, source string
	var executions int
	c := &cobra.Command{Use: "memory", Short: "Many executions in one process", Args: command.NoArguments}
	flags(c, &folder, &source)
	c.Flags().IntVar(&executions, "executions", 1_000_000, "in the process")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return with(c.Context(), folder, source, func(w work) error {
			if err := unmodified.Memory(c.Context(), w.tool, w.source, w.folder, executions, c.OutOrStdout()); err != nil {
				return command.Found(err)
			}
			return nil
		})
	}
	return c
}

func newDeterminism() *cobra.Command {
	var folder, source, cache string
	var executions int
	c := &cobra.Command{Use: "determinism", Short: "The same seed twice, by other processes, processors and builds", Args: command.NoArguments}
	flags(c, &folder, &source)
	c.Flags().IntVar(&executions, "executions", 100, "of each test")
	c.Flags().StringVar(&cache, "cache", "", "a second GOCACHE, an empty `folder`: the second build begins with the standard library")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return with(c.Context(), folder, source, func(w work) error {
			n, err := unmodified.Determinism(c.Context(), w.tool, w.source, w.folder, cache, executions, c.OutOrStdout())
			if err != nil {
				return command.Trouble(err)
			}
			if n > 0 {
				return command.Found(fmt.Errorf("%d tests differ", n))
			}
			return nil
		})
	}
	return c
}
