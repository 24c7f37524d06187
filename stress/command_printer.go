package stress

import (
	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/stress/internal/command"
)

// A printer prints what commands have to say.
type printer struct{ command.Printer }

func newPrinter(c *cobra.Command) *printer {
	return &printer{command.Printer{Out: c.OutOrStdout()}}
}
