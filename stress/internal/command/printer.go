package command

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// A Printer writes lines until one fails.
type Printer struct {
	Out io.Writer
	Err error
}

func (p *Printer) Line(format string, args ...any) {
	if p.Err == nil {
		_, p.Err = fmt.Fprintf(p.Out, format+"\n", args...)
	}
}

// End is the error of a command that only prints.
func (p *Printer) End() error {
	if p.Err != nil {
		return Failed(p.Err)
	}
	return nil
}

// A printer prints what commands have to say.
type printer struct{ Printer }

func newPrinter(c *cobra.Command) *printer {
	return &printer{Printer{Out: c.OutOrStdout()}}
}
