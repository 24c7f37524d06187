// Command corpus runs stress test on bugs that others have described:
//
//	go build -o bin/corpus ./cmd/corpus
//	bin/corpus list                  # the bugs, by sets
//	bin/corpus run etcd7492 puddle   # stress test, until it finds them, and then on the fixed versions
//	bin/corpus run --record          # likewise all, with the results in folder results
//	bin/corpus beside puddle         # by go test, -race, goleak, synctest and injected Gosched, too
//	bin/corpus page                  # writes evidence/track-record.md
//	bin/corpus stories               # runs the bugs of evidence/track-stories.md, and writes their reports into it
//
// It runs in any folder of rouse's repository. Libraries are downloaded by the go command, in the versions
// that have the bugs.
//
// Exit code: 0; 1 if a bug is missed, has another verdict or is not reproduced, or the fixed version fails;
// 2 for an invalid command line; 3 if something could not be built or downloaded; 130 and 143 if it was
// interrupted.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"

	goroot "github.com/rouse-go/rouse/chaos/goroot/corpus"
	"github.com/rouse-go/rouse/evidence/corpus"
	"github.com/rouse-go/rouse/internal/command"
	"github.com/spf13/cobra"
)

func main() { command.Main(newRoot()) }

func newRoot() *cobra.Command {
	return command.NewRoot("corpus", "Bugs that others have described, under stress test", newList(), newRun(), newBeside(), newPage(), newStories())
}

// load reads the sets of the repository that contains a folder, and returns the bugs with the names.
func load(from string, names []string) (root string, bugs []*corpus.Bug, err error) {
	root, sets, err := loadAll(from)
	if err != nil {
		return "", nil, err
	}
	bugs, err = corpus.Select(sets, names)
	return root, bugs, err
}

func loadAll(from string) (root string, sets []*corpus.Set, err error) {
	if root, err = corpus.Root(from); err != nil {
		return "", nil, command.Trouble(err)
	}
	if sets, err = corpus.Load(root); err == nil {
		err = corpus.Check(root, sets)
	}
	return root, sets, command.Trouble(err)
}

// sourceFlag adds --source.
func sourceFlag(c *cobra.Command, from *string) {
	c.Flags().StringVar(from, "source", ".", "a `folder` of the repository of rouse")
}

func newList() *cobra.Command {
	var from string
	c := &cobra.Command{Use: "list [NAME...]", Short: "The bugs, by sets"}
	sourceFlag(c, &from)
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
	source := corpus.Repository(root)
	tool, err := goroot.Build(ctx, source, folder)
	if err != nil {
		return command.Trouble(err)
	}
	return run(&corpus.Workshop{Source: source, Root: root, Dir: folder}, tool)
}
