// Command corpus runs stress test on bugs that others have described:
//
//	go build -o bin/corpus ./cmd/corpus
//	bin/corpus list                  # the bugs, by sets
//	bin/corpus run etcd7492 puddle   # stress test, until it finds them, and then on what is fixed
//
// It runs in any folder of rouse's repository. Libraries are downloaded by the go command, in the versions
// that have the bugs.
//
// Exit code: 0; 1 if a bug is missed, has another verdict, or is reported of the fixed version; 2 if asked
// for what there is not; 3 if something could not be built or downloaded; 130 and 143 if it was interrupted.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"

	goroot "github.com/rouse-go/rouse/chaos/goroot/corpus"
	"github.com/rouse-go/rouse/corpus"
	"github.com/rouse-go/rouse/internal/command"
	"github.com/spf13/cobra"
)

func main() { command.Main(newRoot()) }

func newRoot() *cobra.Command {
	return command.NewRoot("corpus", "Bugs that others have described, under stress test", newList(), newRun())
}

// load reads the sets of the repository that contains a folder, and returns the bugs with the names.
func load(from string, names []string) (root string, bugs []*corpus.Bug, err error) {
	if root, err = corpus.Root(from); err != nil {
		return "", nil, command.Trouble(err)
	}
	sets, err := corpus.Load(root)
	if err == nil {
		err = corpus.Check(root, sets)
	}
	if err != nil {
		return "", nil, command.Trouble(err)
	}
	bugs, err = corpus.Select(sets, names)
	return root, bugs, err
}

func newList() *cobra.Command {
	var from string
	c := &cobra.Command{Use: "list [NAME...]", Short: "The bugs, by sets"}
	c.Flags().StringVar(&from, "source", ".", "a `folder` of the repository of rouse")
	c.RunE = func(c *cobra.Command, names []string) error {
		_, bugs, err := load(from, names)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
		for _, b := range bugs {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", b.ID(), b.Test, b.Kind, b.What)
		}
		return w.Flush()
	}
	return c
}

func newRun() *cobra.Command {
	var from, folder string
	var executions, clean int
	var seed uint64
	c := &cobra.Command{Use: "run [NAME...]", Short: "Runs stress test until it finds the bugs, and on what is fixed"}
	c.Flags().StringVar(&from, "source", ".", "a `folder` of the repository of rouse")
	c.Flags().StringVar(&folder, "work", "", "`folder` for modules and recordings, which stay (default: a temporary one)")
	c.Flags().IntVar(&executions, "executions", 1000, "of each bug, at most")
	c.Flags().IntVar(&clean, "clean", 2000, "executions of the fixed version")
	c.Flags().Uint64Var(&seed, "seed", 1, "of the run")
	c.RunE = func(c *cobra.Command, names []string) error {
		root, bugs, err := load(from, names)
		if err != nil {
			return err
		}
		return with(c.Context(), root, folder, func(w *corpus.Workshop, tool goroot.Tool) error {
			wrong := 0
			for _, b := range bugs {
				r, err := w.Try(c.Context(), tool, b, false, seed, executions)
				if err != nil {
					return command.Trouble(err)
				}
				mark := ""
				if !b.AsExpected(r) {
					mark = fmt.Sprintf("  NOT AS EXPECTED, want %q", b.Verdicts)
					wrong++
				}
				fmt.Fprintf(c.OutOrStdout(), "%s: %s %s, execution %d of %d: %s%s\n", b.ID(), r.Status, r.Verdict, r.Execution+1, r.Executions, r.Summary, mark)
				if b.Fixed == "" && b.FixedVersion == "" {
					continue
				}
				if r, err = w.Try(c.Context(), tool, b, true, seed, clean); err != nil {
					return command.Trouble(err)
				}
				if mark = ""; r.Status != "ok" {
					mark = "  NOT AS EXPECTED, want ok"
					wrong++
				}
				fmt.Fprintf(c.OutOrStdout(), "%s, fixed: %s %s, %d executions: %s%s\n", b.ID(), r.Status, r.Verdict, r.Executions, r.Summary, mark)
			}
			if wrong > 0 {
				return command.Found(fmt.Errorf("%d results are not as expected", wrong))
			}
			return nil
		})
	}
	return c
}

// with calls run with the built tool and a folder for work: the named one, or else a temporary one.
func with(ctx context.Context, root, folder string, run func(*corpus.Workshop, goroot.Tool) error) error {
	if folder == "" {
		tmp, err := os.MkdirTemp("", "corpus-")
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
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return command.Trouble(err)
	}
	tool, err := goroot.Build(ctx, filepath.Dir(root), folder)
	if err != nil {
		return command.Trouble(err)
	}
	return run(&corpus.Workshop{Root: root, Dir: folder}, tool)
}
