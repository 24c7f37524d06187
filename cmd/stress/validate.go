package main

import (
	"github.com/spf13/cobra"
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
			path, name := "", embedded
			if len(args) == 1 {
				path, name = args[0], args[0]
			}
			scenarios, err := loadScenarios(path)
			if err != nil {
				return err
			}
			faults, points := 0, map[string]bool{}
			for _, sc := range scenarios {
				faults += len(sc.Plan)
				for _, f := range sc.Plan {
					points[f.At] = true
				}
			}
			p := &printer{out: c.OutOrStdout()}
			p.line("%s: ok: %d scenarios, %d faults at %d hook points", name, len(scenarios), faults, len(points))
			return p.end()
		},
	}
}
