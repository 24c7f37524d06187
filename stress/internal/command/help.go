package command

import (
	"bytes"
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rouse-go/rouse/internal/nearest"
)

// newHelp is cobra's help command, with an exit code for an unknown topic.
func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about a command",
		Example: `  stress help run
  stress help`,
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err == nil && len(rest) > 0 {
				err = known(root, rest)
			}
			if err != nil {
				return err
			}
			c.InitDefaultHelpFlag()
			return c.Help()
		},
	}
}

// inOneWrite keeps cobra's help from printing an error of its own if it cannot be
// written: program.run reports it.
func inOneWrite(help func(*cobra.Command, []string)) func(*cobra.Command, []string) {
	return func(c *cobra.Command, args []string) {
		var text bytes.Buffer
		out := c.OutOrStdout()
		c.SetOut(&text)
		help(c, args)
		c.SetOut(out)
		out.Write(text.Bytes()) //nolint:errcheck // the sink keeps it
	}
}

// known refuses arguments of the root: they are unknown commands.
func known(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return Usage("unknown command %q; %s", nearest.Clip(args[0]), nearest.Hint(args[0], commandNames(root)))
}

// commandNames returns the names of the root's commands.
func commandNames(root *cobra.Command) (names []string) {
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	return names
}

// flagError returns the usage error for a flag, with the right name.
func flagError(c *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) && invalid.GetFlag().Value.Type() == "bool" {
		return Usage("invalid argument %q for \"--%s\" flag: want true or false", invalid.GetValue(), invalid.GetFlag().Name)
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return Usage("%w", err)
	}
	var have []string
	c.Flags().VisitAll(func(f *pflag.Flag) { have = append(have, "--"+f.Name) })
	name := dashed(unknown.GetSpecifiedName())
	return Usage("unknown flag %s of %s; %s", nearest.Clip(name), c.CommandPath(), nearest.Hint(name, have))
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}
