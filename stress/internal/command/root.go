package command

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/scenario"
)

func (m *program) newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "stress",
		Short:         "Run the tests of any module under many schedules, and scenarios of the " + nearest.Enumerate(m.subjectNames()),
		Version:       outcome.ThisBuild().Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          known,
		RunE: func(*cobra.Command, []string) error {
			return Usage("no command; want one of %s; see stress --help", strings.Join(commandNames(m.newRoot()), ", "))
		},
	}
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(newRun(m), newMerge(m), newReplay(m), newShrink(m), newExplain(m), newDebug(m), newTest(), newMutate(), newClean(), newDoctor(), newList(m), newPoints(m), newValidate(m), newSchema(m))
	for _, s := range m.subjects {
		for _, c := range s.Commands {
			root.AddCommand(c())
		}
	}
	for _, c := range root.Commands() {
		if needsTag(c) {
			c.RunE = withChaos(c.RunE)
		}
		if c.ValidArgsFunction == nil {
			c.ValidArgsFunction = cobra.NoFileCompletions
		}
	}
	root.AddCommand(newCompletion())
	root.SetHelpCommand(newHelp(root))
	root.SetHelpFunc(inOneWrite(root.HelpFunc()))
	// Cobra's template shows that stress can be run without a command.
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "{{if .Runnable}}", "{{if and .Runnable .HasParent}}", 1))
	return root
}

func (m *program) subjectNames() (names []string) {
	for _, s := range m.subjects {
		names = append(names, s.Name)
	}
	return names
}

// needsTag reports whether a command needs the hook points of a binary that is built with -tags chaos.
func needsTag(c *cobra.Command) bool {
	_, any := c.Annotations[anyBuild]
	return !any && c.HasParent()
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
