package stress

import "github.com/spf13/cobra"

// A Subject is what a program torments.
type Subject struct {
	Name string
	// Scenarios is the text of the campaign that is run if nobody names a file, in the
	// form that Load reads.
	Scenarios []byte
	// Commands make the commands that this subject adds to the command line.
	Commands []func() *cobra.Command
}
