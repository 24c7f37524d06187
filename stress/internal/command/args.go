package command

import (
	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/internal/nearest"
)

// NoArgs refuses arguments.
func NoArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		hint := ""
		if c.Flags().Lookup("file") != nil {
			hint = "; want --file for a scenario file"
		}
		return Usage("unknown argument %q: stress %s takes none%s", nearest.Clip(args[0]), c.Name(), hint)
	}
	return nil
}

// oneArg requires exactly one argument.
func oneArg(name, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != 1 {
			return Usage("%d arguments, want one: stress %s %s, where %s is %s", len(args), c.Name(), name, name, what)
		}
		return nil
	}
}
