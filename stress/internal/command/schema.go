package command

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
)

func newSchema(m *program) *cobra.Command {
	return &cobra.Command{
		Use:     "schema [SUBJECT]",
		Short:   "Print the JSON Schema of scenario files, for editors",
		Example: "  stress schema > scenarios.schema.json\n  stress schema " + m.subjects[0].Name,
		Long: `Print the JSON Schema of scenario files (draft 2020-12): the names of points, faults, workloads,
sizes and verdicts are this binary's. In a program with several subjects it is that of files whose
scenarios may be of any of them, or with a name that of files whose scenarios are all of that one.`,
		ValidArgsFunction: firstArg(func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return m.subjectNames(), cobra.ShellCompDirectiveNoFileComp
		}),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return Usage("%d arguments, want at most one: stress schema [SUBJECT]", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			subjects := m.subjects
			if len(args) == 1 {
				i := slices.IndexFunc(m.subjects, func(s subject.Subject) bool { return s.Name == args[0] })
				if i < 0 {
					return Usage("unknown subject %q; %s", nearest.Clip(args[0]), nearest.Hint(args[0], m.subjectNames()))
				}
				subjects = m.subjects[i : i+1]
			}
			text, err := scenario.Schema(subjects...)
			if err != nil {
				return Usage("%w", err)
			}
			p := newPrinter(c)
			p.line("%s", text[:len(text)-1])
			return p.end()
		},
	}
}
