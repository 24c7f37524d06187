// Command peers runs rouse and its peers on the machine that it runs on:
//
//	peers table     the cost of forks, wakeups and idling, and whether rouse keeps to its bounds
//	peers curves    the cost of a job and a join as their number, workers, or the depth grow
//
// Contestants take turns in one run: Go's in this process, rayon's and TBB's in programs
// that are built for the run, if the machine has what that takes.
//
// Tables are Markdown on standard output; progress goes to standard error. With --out the
// tables, a line of JSON for each of their rows, and lines for benchstat are put into a folder.
//
// Exit code: 0, whether bounds hold or not; 2 for an invalid command line; 3 if a measurement or
// a file failed; 130 and 143 if it was interrupted, and then nothing has been written.
package main

import (
	"github.com/rouse-go/rouse/evidence/bench/rows"
	"github.com/rouse-go/rouse/internal/command"
	"github.com/spf13/cobra"
)

func main() { command.Main(newRoot()) }

func newRoot() *cobra.Command {
	return command.NewRoot("peers", "Run rouse and its peers on this machine", newTable(), newCurves(), newChild())
}

// childCommand is the name of the command that makes this program a child of itself.
const childCommand = "child"

func newChild() *cobra.Command {
	return &cobra.Command{
		Use:    childCommand,
		Short:  "Answer for turns that want a process of their own",
		Hidden: true,
		Args:   command.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			return command.Trouble(rows.Child(c.Context(), c.InOrStdin(), c.OutOrStdout()))
		},
	}
}
