package stress

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// A Console is an Observer that tells people about a campaign: a line for each
// scenario, and how far it is. After an error of Out it writes no more; Err
// returns it.
type Console struct {
	Out io.Writer // what is to be kept
	// Status is where progress goes; nil is nowhere. With Width above 0 it is a
	// terminal of that width on which one line is written over and over;
	// otherwise it gets a line every few seconds.
	Status io.Writer
	Width  int
	// Command is how this program is called, for the commands that a failure
	// ends with.
	Command string

	err   error
	last  time.Time // of the last progress
	shown bool      // a status line is on the terminal
}

// Err returns the first error that writing to Out met.
func (c *Console) Err() error { return c.err }

func (c *Console) line(format string, args ...any) {
	if c.shown {
		fmt.Fprint(c.Status, "\r\x1b[K")
		c.shown = false
	}
	if c.err == nil {
		_, c.err = fmt.Fprintf(c.Out, format+"\n", args...)
	}
}

// Began prints the seed at once, so that it is known whatever happens.
func (c *Console) Began(g Campaign) {
	bound := "for " + g.For.String()
	if g.Executions > 0 {
		bound = plural(g.Executions, "execution") + " each"
	}
	race := ""
	if g.Build.Race {
		race = ", race detector on"
	}
	c.line("seed %#x: %s, %s", g.Seed, plural(g.Scenarios, "scenario"), bound)
	c.line("rouse %s, %s %s/%s, GOMAXPROCS %d%s", g.Build.Version, g.Build.Go, g.Build.OS, g.Build.Arch, g.Build.MaxProcs, race)
	c.line("a line: scenario, verdict, executions, time, and for each fault how often it fired of how often it could")
	c.last = time.Now()
}

// quietTime is how often progress is told where nobody watches it live.
const quietTime = 5 * time.Second

// Progressed shows how far the campaign is.
func (c *Console) Progressed(p Progress) {
	if c.Status == nil || c.Width == 0 && time.Since(c.last) < quietTime {
		return
	}
	c.last = time.Now()
	s := fmt.Sprintf("[%d/%d] %s: %s, %s since the beginning",
		p.Index+1, p.Scenarios, p.Scenario, plural(p.Executions, "execution"), p.Elapsed.Round(time.Second))
	if c.Width == 0 {
		fmt.Fprintln(c.Status, s)
		return
	}
	fmt.Fprintf(c.Status, "\r\x1b[K%.*s", c.Width-1, s)
	c.shown = true
}

// ScenarioDone prints the scenario's line, the victim if there is one, and the
// whole story if it was not to be.
func (c *Console) ScenarioDone(s ScenarioReport) {
	word, verdict := "ok  ", string(s.Verdict)
	switch {
	case s.Interrupted:
		word, verdict = "-   ", "interrupted"
	case !s.AsExpected:
		word, verdict = "FAIL", fmt.Sprintf("%s, expected %s", s.Verdict, s.Expect)
	case s.Expect != Pass:
		verdict += " (expected)"
	}
	parts := []string{verdict, plural(s.Executions, "execution"), s.Duration.Round(10 * time.Millisecond).String()}
	for _, f := range s.Faults {
		parts = append(parts, fmt.Sprintf("%s at %s %d/%d", f.Kind, f.At, f.Fires, f.Hits))
	}
	c.line("%s  %-32s %s", word, s.Name, strings.Join(parts, ", "))
	if s.Detail != "" {
		c.line("      %s", s.Detail)
	}
	if r := s.Conviction; r != nil {
		c.line("      execution %d, seed %#x, %s: %s", r.Execution, r.Seed, plural(r.Workers, "worker"), r.Summary)
		if !s.AsExpected {
			c.explanation(r)
		}
	}
	if s.Recording != "" {
		c.line("      recorded in %s; again with", s.Recording)
		c.line("      %s replay %s", c.Command, shellWord(s.Recording))
	}
}

func (c *Console) explanation(r *Result) {
	for _, e := range r.Explanation {
		c.line("      | %s", e)
	}
}

// Ended prints the sum.
func (c *Console) Ended(r Report) {
	executions := 0
	for _, s := range r.Scenarios {
		executions += s.Executions
	}
	sum := fmt.Sprintf("%s, %s, %s", plural(len(r.Scenarios), "scenario"), plural(executions, "execution"),
		r.Duration.Round(100*time.Millisecond))
	switch {
	case r.Interrupted:
		c.line("interrupted: %s; %d not as expected; the seed was %#x", sum, r.Failed(), r.Seed)
	case r.AsExpected():
		c.line("all as expected: %s", sum)
	default:
		c.line("%d not as expected: %s; the seed was %#x", r.Failed(), sum, r.Seed)
	}
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// shellWord quotes a path for the command line.
func shellWord(path string) string {
	plain := func(r rune) bool {
		return r == '/' || r == '.' || r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	if strings.TrimFunc(path, plain) == "" && path != "" {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
