package command

import (
	"io"
	"os"

	"golang.org/x/term"

	"github.com/rouse-go/rouse/internal/plain"
	"github.com/rouse-go/rouse/internal/stdout"
	"github.com/rouse-go/rouse/stress/internal/called"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// console returns the console for people, on standard error if the lines of --json go to standard output. The flags and
// the environment turn off the progress, or its live display.
func (f *outputFlags) console(out, errs io.Writer, verbose bool) *report.Console {
	if f.json.Name == "-" {
		out = errs
	}
	c := &report.Console{Out: out, OutWidth: terminalWidth(out), Command: called.Command(outcome.ThisBuild().Race), Verbose: verbose}
	if !f.quiet {
		c.Status = errs
	}
	if !f.plain && os.Getenv("CI") == "" && os.Getenv("TERM") != "dumb" {
		c.StatusWidth = terminalWidth(errs)
	}
	return c
}

// terminalWidth returns a function that returns the width of the terminal w, or
// nil if w is no terminal.
func terminalWidth(w io.Writer) func() int {
	w = plain.Raw(w)
	if s, ok := w.(*stdout.Sink); ok {
		w = s.Writer
	}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return func() int {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
		return 80
	}
}
