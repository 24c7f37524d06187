package main

import (
	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/stress"
)

func newValidate() *cobra.Command {
	return &cobra.Command{
		Use:   "validate [FILE]",
		Short: "Check a scenario file, or the campaign in the binary",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("%d arguments, want at most one: stress validate [FILE]", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			file, name := "", embedded
			if len(args) == 1 {
				var err error
				if file, err = fileArg(c, args[0]); err != nil {
					return err
				}
				name = file
			}
			scenarios, err := loadScenarios(file)
			if err != nil {
				return err
			}
			p := &printer{out: c.OutOrStdout()}
			p.line("%s: ok: %s", name, stress.Summary(scenarios))
			return p.end()
		},
	}
}
