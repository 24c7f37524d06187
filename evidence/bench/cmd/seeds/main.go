// Command seeds reproduces the tables of the documents that rouse starts from, on the
// machine that it runs on:
//
//	seeds burst   the latency of a burst's messages (burst-pool's README)
//	seeds sleep   the run time and processor time of ways to sleep (rayon)
//
// Contestants take turns, so that the ratios between them are honest also on a machine
// that does other things. Tables are Markdown on standard output; progress goes to
// standard error. With --out the tables, a line of JSON for each of their rows, and
// pictures are put into a folder.
//
// Exit code: 0; 2 for an invalid command line; 3 if a measurement or a file failed;
// 130 and 143 if it was interrupted, and then nothing has been written.
package main

import (
	"github.com/rouse-go/rouse/internal/command"
	"github.com/spf13/cobra"
)

func main() { command.Main(newRoot()) }

func newRoot() *cobra.Command {
	return command.NewRoot("seeds", "Reproduce the tables of the seed documents on this machine", newBurst(), newSleep())
}
