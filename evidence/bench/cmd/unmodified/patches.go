package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/rouse-go/rouse/evidence/bench/unmodified"
	"github.com/rouse-go/rouse/internal/command"
	"github.com/spf13/cobra"
)

func newPatches() *cobra.Command {
	var folder, source, only, table string
	var executions, procs int
	var tests []string
	c := &cobra.Command{Use: "patches", Short: "Which test notices that a patch or a point of the overlay is left out", Args: command.NoArguments}
	c.Flags().StringVar(&folder, "work", "", "`folder` for a copy of the source, and binaries, which stay (default: a temporary one)")
	c.Flags().StringVar(&source, "source", "../..", "`folder` with the source of rouse, in which the table is replaced")
	c.Flags().StringVar(&table, "table", "omissions.txt", "`file` with the results, to which those are added that it does not have")
	c.Flags().StringVar(&only, "only", "", "`regexp` that matches the kind and the name of what is left out")
	c.Flags().StringSliceVar(&tests, "tests", nil, "`names` of the packages of traps and planted bugs, and of the tests of chaos/goroot, that are to notice (default: all)")
	c.Flags().IntVar(&executions, "executions", 66, "of each test that passes")
	c.Flags().IntVar(&procs, "procs", 2, "tests at a time")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if folder == "" {
			tmp, err := os.MkdirTemp("", "unmodified-")
			if err != nil {
				return command.Trouble(err)
			}
			defer os.RemoveAll(tmp)
			folder = tmp
		}
		var err error
		if folder, err = filepath.Abs(folder); err != nil {
			return command.Trouble(err)
		}
		matches, err := regexp.Compile(only)
		if err != nil {
			return fmt.Errorf("--only: %w", err)
		}
		known, err := unmodified.ReadOmissions(table)
		if err != nil {
			return command.Trouble(err)
		}
		m := &unmodified.Measurement{Source: source, Folder: folder, Executions: executions, Procs: procs, Only: matches, Tests: tests, Known: known, Log: c.ErrOrStderr()}
		var failed error
		err = m.Run(c.Context(), func(o unmodified.Omission) {
			fmt.Fprintf(c.OutOrStdout(), "%s\t%s\t%s\n", o.Kind, o.Name, o.By)
			known = append(slices.DeleteFunc(known, func(k unmodified.Omission) bool { return k.Kind == o.Kind && k.Name == o.Name }), o)
			failed = errors.Join(failed, unmodified.WriteOmissions(table, known))
		})
		return command.Trouble(errors.Join(err, failed))
	}
	return c
}
