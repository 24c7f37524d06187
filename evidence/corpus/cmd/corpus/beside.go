package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	goroot "github.com/rouse-go/rouse/chaos/goroot/corpus"
	"github.com/rouse-go/rouse/evidence/corpus"
	"github.com/rouse-go/rouse/internal/command"
	"github.com/spf13/cobra"
)

func newBeside() *cobra.Command {
	var from, folder, slice string
	var limit time.Duration
	var record bool
	c := &cobra.Command{
		Use: "beside [NAME...]", Short: "Look for the bugs by go test, -race, goleak, synctest and injected Gosched, too",
		Long: "Look for the bugs with the names by stress test, and by what a Go developer has, one after the other:\n" +
			"go test -count, -race, goleak, testing/synctest, and runtime.Gosched injected at random. Tests that call\n" +
			"chaos.Explore are left out: they need an engine.",
	}
	sourceFlag(c, &from)
	f := c.Flags()
	f.StringVar(&folder, "work", "", "`folder` for modules and binaries, which stay (default: a temporary one)")
	f.DurationVar(&limit, "limit", 10*time.Second, "of each way, without building")
	f.StringVar(&slice, "slice", "1/1", "only this `part` of the bugs: 2/7 is every seventh, beginning with the second")
	f.BoolVar(&record, "record", false, "write the results to the folder results/beside, and leave out what it has of the same files and limit")
	c.RunE = func(c *cobra.Command, names []string) error {
		part, err := corpus.ParseSlice(slice)
		if err != nil {
			return fmt.Errorf("--slice: %w", err)
		}
		if limit < time.Second {
			return fmt.Errorf("--limit: found %s, want 1s or more", limit)
		}
		root, bugs, err := load(from, names)
		if err != nil {
			return err
		}
		return with(c.Context(), root, folder, func(w *corpus.Workshop, tool goroot.Tool) error {
			return compare(c, w, tool, corpus.Comparable(part.Bugs(bugs)), limit, record)
		})
	}
	return c
}

// compare prints a line for each way and bug.
func compare(c *cobra.Command, w *corpus.Workshop, tool goroot.Tool, bugs []*corpus.Bug, limit time.Duration, record bool) error {
	folder := filepath.Join(w.Root, "results", "beside")
	all, err := corpus.ReadComparisons(folder)
	if err != nil {
		return command.Trouble(err)
	}
	broken := 0
	for _, b := range bugs {
		if record && w.Compared(b, all[b.ID()], limit) {
			continue
		}
		result, err := w.Compare(c.Context(), tool, b, limit)
		if cause := context.Cause(c.Context()); cause != nil {
			return cause
		}
		if err != nil { // go on with the others
			fmt.Fprintf(c.ErrOrStderr(), "%v\n", err)
			broken++
			continue
		}
		fmt.Fprintln(c.OutOrStdout(), b.ID())
		for _, way := range corpus.Ways {
			fmt.Fprintf(c.OutOrStdout(), "    %-12s %s %s\n", way, result.Ways[way], result.Ways[way].By)
		}
		if all[b.ID()] = result; record {
			if err := corpus.WriteComparisons(folder, b.Set.Name, all); err != nil {
				return command.Trouble(err)
			}
		}
	}
	if broken > 0 {
		return command.Trouble(fmt.Errorf("%d of %d bugs could not be compared", broken, len(bugs)))
	}
	return nil
}
