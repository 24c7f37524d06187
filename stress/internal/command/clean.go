package command

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/chaos/goroot"
	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/internal/suite"
)

func newClean() *cobra.Command {
	return &cobra.Command{
		Use:   "clean",
		Short: "Remove the caches of stress test, and what killed commands have left",
		Long: `Remove the overlays of the standard library and the copies of toolchains that stress test keeps, but for those
that a command uses that runs, the results of packages that have passed, and the folders for temporary files that killed commands, and the tests that they
ran, have left. The next stress test makes an overlay again, in a second.

Without it, the eight overlays and four toolchains that were used last are kept. The packages that the go command
has compiled with an overlay are in its own cache, which it keeps small: go clean -cache removes all of it.`,
		Example: `  # give the disk back
  stress clean`,
		Args:        cobra.NoArgs,
		Annotations: map[string]string{anyBuild: ""},
		RunE: func(c *cobra.Command, _ []string) error {
			folders, removed, inUse, err := goroot.Clean(c.Context(), goroot.Options{})
			if err != nil {
				return Failed(err)
			}
			suite.Sweep()
			p := newPrinter(c)
			p.line("%s removed from %s", prose.Plural(removed, "folder"), strings.Join(folders, " and "))
			if inUse > 0 {
				p.line("%s in use", prose.Plural(inUse, "folder"))
			}
			return p.end()
		},
	}
}
