package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/rouse-go/rouse/evidence/bench/unmodified"
	"github.com/rouse-go/rouse/internal/command"
	"github.com/spf13/cobra"
)

func newReleases() *cobra.Command {
	var source, page string
	var only, checks []string
	c := &cobra.Command{
		Use: "releases", Short: "What holds under releases of Go that nobody has tried", Args: command.NoArguments,
		Long: `Try the newest release of each minor version of Go, or its release candidate, that the page has no row for. The
checks are tests of rouse, which run with that Go; the go command downloads it. Each takes some minutes.`,
	}
	c.Flags().StringVar(&source, "source", "../..", "`folder` with the source of rouse")
	c.Flags().StringVar(&page, "into", "../../docs/go-versions.md", "`file` of the page whose table gets the rows")
	c.Flags().StringSliceVar(&only, "only", nil, "`releases` to try instead, as go1.27.4")
	c.Flags().StringSliceVar(&checks, "checks", nil, "`names` of the checks to make; the rows keep what they say of others (default: all)")
	c.RunE = func(c *cobra.Command, _ []string) error {
		chosen, err := command.Choose("--checks", checks, unmodified.Checks, func(c unmodified.Check) string { return c.Name })
		if err != nil {
			return err
		}
		text, err := os.ReadFile(page)
		if err != nil {
			return command.Trouble(err)
		}
		all, err := unmodified.Releases(c.Context())
		if err != nil {
			return command.Trouble(err)
		}
		if len(only) > 0 {
			all, err = command.Choose("--only", only, all, func(r string) string { return r })
		} else {
			all, err = unmodified.NewReleases(text, all)
		}
		if err != nil {
			return err
		}
		if source, err = filepath.Abs(source); err != nil {
			return command.Trouble(err)
		}
		bad := 0
		for _, release := range all {
			cells, err := unmodified.TryRelease(c.Context(), source, release, chosen, c.OutOrStdout())
			if err != nil {
				return command.Trouble(err)
			}
			if text, err = os.ReadFile(page); err == nil { // again: the checks took a while
				text, err = unmodified.IntoReleases(text, release, cells)
			}
			if err == nil {
				err = os.WriteFile(page, text, 0o644)
			}
			if err != nil {
				return command.Trouble(err)
			}
			for _, cell := range cells {
				if cell == "no" {
					bad++
				}
			}
		}
		if bad > 0 {
			return command.Found(fmt.Errorf("%d checks failed", bad))
		}
		return nil
	}
	return c
}
