package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/rouse-go/rouse/internal/plain"
	"github.com/rouse-go/rouse/stress/internal/prose"
)

// A Console is an Observer for people: it prints the seed first, so that it is known even if the run is killed, then a
// line for each scenario, test or mutant, with its failure, the progress, and the totals. After a write error of Out it
// writes no more results; Err returns the error.
type Console struct {
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

	Command []string // the words that start this program, for the replay commands
	Verbose bool     // also print notes of tests that passed, and dropped mutants

	run  Run
	err  error
	last time.Time // of the last progress
	live *display  // the display on the terminal, or nil
}

// Err returns the first error of writing to Out.
func (c *Console) Err() error { return c.err }

// Observe prints the event.
func (c *Console) Observe(e Event) {
	switch e := e.(type) {
	case Run:
		c.run, c.last = e, time.Now()
		e.print(c)
	case Result:
		c.closeDisplay()
		e.print(c)
		c.line(below, "%s", e.headline())
	default:
		e.print(c)
	}
}

// print shows the progress.
func (p Progress) print(c *Console) {
	if c.Status == nil || c.StatusWidth == nil && time.Since(c.last) < lineTime {
		return
	}
	c.last = time.Now()
	if c.StatusWidth == nil {
		fmt.Fprintf(c.Status, "%s %s: %s, %s\n", p.place(), p.Scenario, prose.Plural(p.Executions, cmp.Or(p.Unit, "execution")), p.times())
		return
	}
	if c.live == nil {
		c.live = newDisplay(plain.Raw(c.Status), c.StatusWidth)
	}
	c.live.show(p, c.run.failures(p.Failed))
}

// times returns how long the run has taken, and the estimate of what is left.
func (p *Progress) times() string {
	s := fmt.Sprintf("%v since the beginning", p.Elapsed.Round(time.Second))
	if p.Left > 0 {
		s += fmt.Sprintf(", about %v left", p.Left.Round(time.Second))
	}
	return s
}

// place returns the index of the scenario and their number, with the turn if all have had one.
func (p *Progress) place() string {
	if p.Turn > 0 {
		return fmt.Sprintf("[%d/%d, turn %d]", p.Index+1, p.Scenarios, p.Turn)
	}
	return fmt.Sprintf("[%d/%d]", p.Index+1, p.Scenarios)
}

// print prints the notes and the problem of the package.
func (p *PackageReport) print(c *Console) {
	width := 4 // of a status
	if _, mutants := c.run.(*Mutation); mutants {
		width = 10
		for _, n := range p.Notes {
			c.line(below, "note       %s: %s", p.Package, n)
		}
	} else if len(p.Notes) > 0 && (c.Verbose || p.Ended) {
		c.line(below, "     %s  %s", p.Package, strings.Join(p.Notes, ", "))
	}
	if p.Output != "" {
		c.print(indented(p.Output, bar))
	}
	if p.Problem != "" {
		c.print(strings.TrimRight(p.Problem, "\n"))
		c.line(below, "%-*s %s [cannot be tested]", width, "FAIL", p.Package)
	} else if p.Without != "" {
		c.line(below, "?    %s [%s]", p.Package, p.Without)
	}
}

// bar is before each line of a report.
const bar = below + "| "

// indented puts a prefix before each line, and drops empty lines at both ends.
func indented(text, prefix string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.Trim(text, "\n")) {
		b.WriteString(strings.TrimRight(prefix+line, " \n") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// took formats a duration with about three digits.
func took(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return d.Round(100 * time.Millisecond).String()
}
