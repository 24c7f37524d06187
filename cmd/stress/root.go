package main

import (
	"errors"
	"fmt"

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
			return usage("no command; want one of %s; stress --help says more", names(commandNames(newRoot())))
		},
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(newRun(), newReplay(), newList(), newPoints(), newValidate())
	for _, c := range root.Commands() {
		c.RunE = withChaos(c.RunE)
	}
	root.SetHelpCommand(newHelp(root))
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

func knownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usage("unknown command %q; %s", args[0], didYouMean(args[0], commandNames(root)))
}

func commandNames(root *cobra.Command) (names []string) {
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	return names
}

func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return usage("%w", err)
	}
	var have []string
	c.Flags().VisitAll(func(f *pflag.Flag) { have = append(have, "--"+f.Name) })
	return usage("unknown flag %s of stress %s; %s", dashed(unknown.GetSpecifiedName()), c.Name(),
		didYouMean(dashed(unknown.GetSpecifiedName()), have))
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

func didYouMean(got string, have []string) string {
	if n := nearest.Name(got, have); n != "" {
		return fmt.Sprintf("did you mean %q?", n)
	}
	return "want one of " + names(have)
}

func names(list []string) (s string) {
	for i, n := range list {
		if i > 0 {
			s += ", "
		}
		s += n
	}
	return s
}
