package report

import (
	"fmt"
	"time"

	"github.com/rouse-go/rouse/internal/plain"
)

// line prints a line, folded to the width. The folded rest is indented by indent.
func (c *Console) line(indent, format string, args ...any) {
	c.print(plain.Wrap(fmt.Sprintf(format, args...), c.width(), indent))
}

func (c *Console) print(text string) {
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
func (c *Console) width() int {
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
func (c *Console) Doing(what string) {
	if c.Status != nil {
		c.closeDisplay()
		fmt.Fprintln(c.Status, what) //nolint:errcheck // it is the progress
	}
}

// closeDisplay removes the live display; the lines above it stay.
func (c *Console) closeDisplay() {
	if c.live != nil {
		c.live.close()
		c.live = nil
	}
}
