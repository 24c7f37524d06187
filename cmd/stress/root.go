package main

import (
	"bytes"
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/stress"
)

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "stress",
		Short:         "Torment the pool and say what it withstands",
		Version:       stress.ThisBuild().Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          knownCommand,
		RunE: func(*cobra.Command, []string) error {
			return usage("no command; want one of %s; stress --help says more", strings.Join(commandNames(newRoot()), ", "))
		},
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(newRun(), newMerge(), newReplay(), newShrink(), newExplain(), newMutants(), newList(), newPoints(), newValidate())
	for _, c := range root.Commands() {
		c.RunE = withChaos(c.RunE)
	}
	root.SetHelpCommand(newHelp(root))
	root.SetHelpFunc(inOneWrite(root.HelpFunc()))
	// Cobra would say that stress can be run without a command.
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "{{if .Runnable}}", "{{if and .Runnable .HasParent}}", 1))
	return root
}

// withChaos refuses to run a command in a binary that has no hook points.
func withChaos(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		if !hooks.Enabled {
			return usage("%w", stress.ErrNotChaos)
		}
		return run(c, args)
	}
}

// newHelp is cobra's help command, with an exit code for a topic that there is
// not.
func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about a command",
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err == nil && len(rest) > 0 {
				err = knownCommand(root, rest)
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
// written: run sees the error.
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

func knownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usage("unknown command %q; %s", nearest.Clip(args[0]), nearest.Hint(args[0], commandNames(root)))
}

func commandNames(root *cobra.Command) (names []string) {
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	return names
}

func flagError(c *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) && invalid.GetFlag().Value.Type() == "bool" {
		return usage("invalid argument %q for \"--%s\" flag: want true or false", invalid.GetValue(), invalid.GetFlag().Name)
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return usage("%w", err)
	}
	var have []string
	c.Flags().VisitAll(func(f *pflag.Flag) { have = append(have, "--"+f.Name) })
	name := dashed(unknown.GetSpecifiedName())
	return usage("unknown flag %s of %s; %s", nearest.Clip(name), c.CommandPath(), nearest.Hint(name, have))
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}
