package command

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
)

func newValidate(m *program) *cobra.Command {
	var quiet bool
	c := &cobra.Command{
		Use:   "validate [FILE]",
		Short: "Check a scenario file, or the campaign in the binary, and explain it",
		Long: `Check a scenario file, or the campaign in the binary, and describe each scenario in prose: its
subject, its faults, when each of them fires, and what is expected.

An error names line and column, and what would be right; the exit code is 2. Then each
scenario is rehearsed: it runs a few executions under control, whatever its mode. A warning
names each fault whose hook point no task passed, or none of the tasks that it names. Such a
fault would end a campaign with the verdict never-reached.`,
		Example: `  stress validate
  stress validate mine.yaml
  stress validate --quiet mine.yaml`,
		ValidArgsFunction: firstArg(filesWith("yaml", "yml")),
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return Usage("%d arguments, want at most one: stress validate [FILE]", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			file, name := "", scenario.CampaignFile
			if len(args) == 1 {
				var err error
				if file, err = fileArg(c, args[0]); err != nil {
					return err
				}
				name = file
			}
			scenarios, err := m.loadScenarios(file)
			if err != nil {
				return err
			}
			p := newPrinter(c)
			warnings := 0
			for i := range scenarios {
				warned, err := p.explain(&run.Runner{Subjects: m.subjects}, &scenarios[i], quiet)
				if err != nil {
					return Failed(err)
				}
				warnings += warned
				if p.err != nil || c.Context().Err() != nil {
					break
				}
			}
			if c.Context().Err() != nil {
				return Failed(context.Cause(c.Context()))
			}
			summary := scenario.Summary(scenarios)
			if warnings > 0 {
				summary += ", " + prose.Plural(warnings, "warning")
			}
			p.line("%s: ok: %s", name, summary)
			return p.end()
		},
	}
	c.Flags().BoolVar(&quiet, "quiet", false, "only warnings and a summary")
	return c
}

// explain describes the scenario and prints its warnings. It returns the number of warnings.
func (p *printer) explain(r *run.Runner, sc *scenario.Scenario, quiet bool) (int, error) {
	if !quiet {
		group := ""
		if sc.Group != "" {
			group = " (" + sc.Group + ")"
		}
		p.line("%s%s", sc.Name, group)
		for _, line := range sc.Explain() {
			p.line("    %s", line)
		}
	}
	warnings, err := r.Rehearse(sc)
	for _, w := range warnings {
		p.line("warning: %s: %s", sc.Name, w)
	}
	if !quiet {
		p.line("")
	}
	return len(warnings), err
}
