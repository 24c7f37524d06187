package command

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// A printer writes lines until one fails.
type printer struct {
	out io.Writer
	err error
}

func newPrinter(c *cobra.Command) *printer { return &printer{out: c.OutOrStdout()} }

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.out, format+"\n", args...)
	}
}

// end returns the error of a command that only prints.
func (p *printer) end() error {
	if p.err != nil {
		return Failed(p.err)
	}
	return nil
}
