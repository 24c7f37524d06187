package stress

import (
	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/stress/internal/command"
)

func newValidate(m *program) *cobra.Command {
	return &cobra.Command{
		Use:   "validate [FILE]",
		Short: "Check a scenario file, or the campaign in the binary",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return command.Usage("%d arguments, want at most one: stress validate [FILE]", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			file, name := "", embedded
			if len(args) == 1 {
				var err error
				if file, err = command.FileArg(c, args[0]); err != nil {
					return err
				}
				name = file
			}
			scenarios, err := m.loadScenarios(file)
			if err != nil {
				return err
			}
			p := newPrinter(c)
			p.Line("%s: ok: %s", name, Summary(scenarios))
			return p.End()
		},
	}
}
