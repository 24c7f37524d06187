package main

import (
	"github.com/spf13/cobra"
)

func newList() *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:   "list",
		Short: "List the scenarios",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			scenarios, err := loadScenarios(file)
			if err != nil {
				return err
			}
			p := &printer{out: c.OutOrStdout()}
			for _, sc := range scenarios {
				p.line("%-36s expects %-14s workload %s", sc.Name, sc.Expect, sc.Workload)
				p.line("    %s", sc.About)
			}
			return p.end()
		},
	}
	c.Flags().StringVar(&file, "file", "", "scenario file (default: the campaign in the binary)")
	return c
}

func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage("unknown argument %q: stress %s takes none", args[0], c.Name())
	}
	return nil
}
