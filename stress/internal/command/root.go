package command

import (
	"strings"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/spf13/cobra"
)

func (m *program) newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "stress",
		Short:         "Torment " + m.names() + " and say what " + m.it() + " withstands",
		Version:       outcome.ThisBuild().Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          Known,
		RunE: func(*cobra.Command, []string) error {
			return Usage("no command; want one of %s; stress --help says more", strings.Join(Names(m.newRoot()), ", "))
		},
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(FlagError)
	root.AddCommand(newRun(m), newMerge(), newReplay(m), newShrink(m), newExplain(m), newList(m), newPoints(m), newValidate(m), newSchema(m))
	for _, s := range m.subjects {
		for _, c := range s.Commands {
			root.AddCommand(c())
		}
	}
	for _, c := range root.Commands() {
		c.RunE = withChaos(c.RunE)
	}
	root.SetHelpCommand(NewHelp(root))
	root.SetHelpFunc(InOneWrite(root.HelpFunc()))
	// Cobra would say that stress can be run without a command.
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "{{if .Runnable}}", "{{if and .Runnable .HasParent}}", 1))
	return root
}

// names are those of the subjects, for a sentence.
func (m *program) names() string {
	var names []string
	for _, s := range m.subjects {
		names = append(names, s.Name)
	}
	return "the " + nearest.Enumerate(names)
}

func (m *program) it() string {
	if len(m.subjects) == 1 {
		return "it"
	}
	return "each"
}

// withChaos refuses to run a command in a binary that has no hook points.
func withChaos(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		if !hooks.Enabled {
			return Usage("%w", scenario.ErrNotChaos)
		}
		return run(c, args)
	}
}
