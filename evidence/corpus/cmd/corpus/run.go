package main

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	goroot "github.com/rouse-go/rouse/chaos/goroot/corpus"
	"github.com/rouse-go/rouse/evidence/corpus"
	"github.com/rouse-go/rouse/internal/command"
	"github.com/spf13/cobra"
)

func newRun() *cobra.Command {
	var from, folder, slice string
	var budget corpus.Budget
	var jobs int
	var record bool
	c := &cobra.Command{
		Use: "run [NAME...]", Short: "Run stress test until it finds the bugs, and on what is fixed",
		Long: "Run stress test until it finds the bugs with the names, or those of sets with the names; without names all.\n" +
			"Then replay the first recording, and run what is fixed. For one bug the first failure is shown.",
	}
	sourceFlag(c, &from)
	f := c.Flags()
	f.StringVar(&folder, "work", "", "`folder` for modules and recordings, which stay (default: a temporary one)")
	f.IntVar(&budget.Seeds, "seeds", 1, "seeds of each bug: 1, 2 and so on")
	f.IntVar(&budget.Executions, "executions", 1000, "of each seed at most, if the bug's table has no larger number")
	f.IntVar(&budget.Replays, "replays", 100, "of the first failure")
	f.IntVar(&budget.Clean, "clean", 2000, "executions of what is fixed")
	f.IntVar(&jobs, "jobs", 1, "groups of bugs at a time")
	f.StringVar(&slice, "slice", "1/1", "only this `part` of the bugs: 2/7 is every seventh, beginning with the second")
	f.BoolVar(&record, "record", false, "write the results to the folder results, and leave out what it has of the same files, engine and budget")
	c.RunE = func(c *cobra.Command, names []string) error {
		part, err := corpus.ParseSlice(slice)
		if err != nil {
			return fmt.Errorf("--slice: %w", err)
		}
		if budget.Seeds < 1 || budget.Executions < 1 || budget.Replays < 0 || budget.Clean < 0 || jobs < 1 {
			return fmt.Errorf("--seeds, --executions and --jobs want 1 or more, --replays and --clean 0 or more")
		}
		root, bugs, err := load(from, names)
		if err != nil {
			return err
		}
		bugs = part.Bugs(bugs)
		return with(c.Context(), root, folder, func(w *corpus.Workshop, tool goroot.Tool) error {
			tool.Procs = max(1, runtime.NumCPU()/jobs)
			return measure(c, &corpus.Measurement{Workshop: w, Tool: tool, Budget: budget, Jobs: jobs}, bugs, record)
		})
	}
	return c
}

// measure runs bugs, and prints a line for each.
func measure(c *cobra.Command, m *corpus.Measurement, bugs []*corpus.Bug, record bool) error {
	results := filepath.Join(m.Root, "results")
	all := corpus.Results{}
	if record {
		var err error
		if all, err = corpus.ReadResults(results); err != nil {
			return command.Trouble(err)
		}
		m.Known = all
	}
	width, wrong, done := 0, 0, 0
	for _, b := range bugs {
		width = max(width, len(b.ID()))
	}
	m.Done = func(b *corpus.Bug, r *corpus.Result, report string) error {
		done++
		unexpected := b.Unexpected(r)
		fmt.Fprintf(c.OutOrStdout(), "%-*s  %s\n", width, b.ID(), r)
		for _, u := range unexpected {
			fmt.Fprintf(c.OutOrStdout(), "    NOT AS EXPECTED: %s\n", u)
		}
		if len(unexpected) > 0 {
			wrong++
		}
		if len(bugs) == 1 && report != "" {
			fmt.Fprintf(c.OutOrStdout(), "\n%s\n", strings.TrimRight(report, "\n"))
		}
		if !record {
			return nil
		}
		all[b.ID()] = r
		return all.Write(results, b.Set.Name)
	}
	if err := m.Run(c.Context(), bugs); err != nil {
		return command.Trouble(err)
	}
	if left := len(bugs) - done; left > 0 {
		fmt.Fprintf(c.OutOrStdout(), "%d bugs have results already\n", left)
	}
	if wrong > 0 {
		return command.Found(fmt.Errorf("%d of %d bugs are not as expected", wrong, done))
	}
	return nil
}
