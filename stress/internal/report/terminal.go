package report

import (
	"fmt"
	"io"
	"time"

	"github.com/rouse-go/rouse/internal/plain"
)

// A Terminal prints results and progress to a terminal or a log. After a write error of Out it writes no
// more results; Err returns the error.
type Terminal struct {
	Out io.Writer // for results
	// OutWidth returns the width of the terminal that Out writes to, and is called at each
	// print. It is nil if Out is not a terminal.
	OutWidth func() int
	// Status is where progress goes; nil is nowhere. If StatusWidth is set it is a terminal of that
	// width, with a live display: executions, their rate, how often faults fired, failures, the
	// remaining time. Otherwise it gets a line every few seconds. If Out is a terminal as well, it
	// must be the same one.
	Status      io.Writer
	StatusWidth func() int

	err  error
	last time.Time // of the last progress
	live *display  // the display on the terminal, or nil
}

// Err returns the first error of writing to Out.
func (c *Terminal) Err() error { return c.err }

// line prints a line, folded to the width. The folded rest is indented by indent.
func (c *Terminal) line(indent, format string, args ...any) {
	c.print(plain.Wrap(fmt.Sprintf(format, args...), c.width(), indent))
}

func (c *Terminal) print(text string) {
	text = plain.Text(text)
	if c.live != nil && c.OutWidth != nil && c.live.above(text) == nil {
		return
	}
	if c.err == nil {
		_, c.err = fmt.Fprintln(c.Out, text)
	}
}

// LogWidth is the maximum width of a line without a terminal, in columns.
const LogWidth = 120

// width returns the maximum width of a line, in columns. Commands that users copy may be longer.
func (c *Terminal) width() int {
	if c.OutWidth == nil {
		return LogWidth
	}
	return c.OutWidth()
}

// Indentation below a result's line, and of the folded rest of such a line.
const (
	below       = "      "
	furtherDown = below + "    "
)

// lineTime is the time between two lines of progress, where there is no live display.
const lineTime = 5 * time.Second

// Doing shows a description of slow work that has no progress.
func (c *Terminal) Doing(what string) {
	if c.Status != nil {
		c.closeDisplay()
		fmt.Fprintln(c.Status, what) //nolint:errcheck // it is the progress
	}
}

// closeDisplay removes the live display; the lines above it stay.
func (c *Terminal) closeDisplay() {
	if c.live != nil {
		c.live.close()
		c.live = nil
	}
}
