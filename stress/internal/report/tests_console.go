package report

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/stress/internal/prose"
)

// A ConsoleOfTests is a TestObserver for people: it prints a line for each test, the report of a failure,
// and the progress.
type ConsoleOfTests struct {
	Terminal
	Verbose bool // also print notes of tests that passed
}

// Began prints the seed first, so that it is known even if the run is killed.
func (c *ConsoleOfTests) Began(s Suite) {
	c.line(below, "seed %#x: %s, %s, %s, %s", s.Seed, prose.Plural(s.Packages, "package"), s.bound(), s.how(), s.Go)
	c.last = time.Now()
}

// bound describes how long the tests run.
func (s *Suite) bound() string {
	if s.Executions > 0 {
		return evidence.Counted(s.Executions, "execution") + " of each test"
	}
	return "for " + s.For.String()
}

// how describes how the tests run.
func (s *Suite) how() string {
	how := s.Strategy + ", clock " + s.Clock
	if s.Native {
		how = "native"
	}
	if s.Race {
		how += ", race detector"
	}
	return how
}

// Progressed shows the progress.
func (c *ConsoleOfTests) Progressed(p Progress) {
	failures := "none failed"
	if p.Failed > 0 {
		failures = prose.Plural(p.Failed, "test") + " failed"
	}
	c.progressed(p, failures)
}

// PackageDone prints a line, and the problem of the package.
func (c *ConsoleOfTests) PackageDone(p PackageReport) {
	if len(p.Notes) > 0 && (c.Verbose || p.Ended) {
		c.line(below, "     %s  %s", p.Package, strings.Join(p.Notes, ", "))
	}
	if p.Output != "" {
		c.print(indented(p.Output, bar))
	}
	if p.Problem+p.Without == "" {
		return
	}
	if p.Problem == "" {
		c.line(below, "?    %s [%s]", p.Package, p.Without)
		return
	}
	c.print(strings.TrimRight(p.Problem, "\n"))
	c.line(below, "FAIL %s [cannot be tested]", p.Package)
}

// TestDone prints the line of a test, and its report, notes and files.
func (c *ConsoleOfTests) TestDone(t TestReport) {
	c.line(below, "%-4s %s  %s", t.Status, t.Title(), strings.Join(t.figures(), ", "))
	c.evidence(t.Evidence)
	switch t.Status {
	case TestFailed:
		c.print(indented(t.text(c.width()-len(bar)), bar))
	case TestSkipped:
		if t.Summary != "" {
			c.line(furtherDown, below+"%s", t.Summary)
		}
	case TestUncontrolled:
		c.line(furtherDown, below+"%s", cmp.Or(t.Summary, "its executions are not reproducible"))
		if t.Report != "" {
			c.print(indented(t.text(c.width()-len(bar)), bar))
		}
	}
	if c.Verbose || t.Status != TestPassed {
		for _, n := range t.Notes {
			c.line(furtherDown, below+"%s", n)
		}
	}
	if t.Recording != "" {
		c.print(below + "recorded in " + t.Recording)
	}
	for _, line := range t.searched() {
		c.line(furtherDown, below+"%s", line)
	}
	if t.Reproduce != "" {
		c.print(below + "reproduce: " + t.Reproduce)
	}
	if page := t.line(); page != "" {
		c.print(below + page)
	}
}

// bar is before each line of a report.
const bar = below + "| "

// UnderControl separates, in a report, the native failure from the failure that the search has found.
const UnderControl = "\n\nunder control:\n"

// leastWidth is the minimum width of a report.
const leastWidth = 60

// text returns the report of a test for the given width.
func (t *TestReport) text(width int) string {
	if native, _, found := strings.Cut(t.Report, UnderControl); found && t.Controlled != nil {
		return native + UnderControl + t.Controlled.Text(max(width, leastWidth))
	}
	if t.Page == nil {
		return t.Report
	}
	return t.Page.Text(max(width, leastWidth))
}

// figures returns the texts that follow the name of a test on its line.
func (t *TestReport) figures() (all []string) {
	if t.Status == TestFailed && t.Execution >= 0 {
		all = append(all, fmt.Sprintf("%s in execution %d", t.Verdict, t.Execution))
	} else if t.Status == TestFailed {
		all = append(all, fmt.Sprintf("%s, as recorded earlier", t.Verdict))
	}
	all = append(all, evidence.Counted(t.Executions, "execution"))
	if t.Orders != nil {
		all = append(all, t.distinct())
	}
	if t.Steps > 0 {
		all = append(all, evidence.Counted(t.Steps, "step"))
	}
	if t.Exhausted != "" {
		all = append(all, t.Exhausted)
	}
	return append(all, took(t.Duration))
}

// took formats a duration with about three digits.
func took(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return d.Round(100 * time.Millisecond).String()
}

// indented puts a prefix before each line, and drops empty lines at both ends.
func indented(text, prefix string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.Trim(text, "\n")) {
		b.WriteString(strings.TrimRight(prefix+line, " \n") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// Ended prints the totals.
func (c *ConsoleOfTests) Ended(r SuiteReport) {
	c.closeDisplay()
	if text := r.furtherOrders(); text != "" {
		c.line(below, "%s", text)
	}
	c.line(below, "%s", r.headline())
}

// participles holds the statuses as words for a sum.
var participles = map[TestStatus]string{
	TestFailed: "failed", TestUncontrolled: "uncontrolled", TestSkipped: "skipped", TestInterrupted: "interrupted",
}

// headline returns the result of a run in one line.
func (r *SuiteReport) headline() string {
	executions := 0
	for i := range r.Tests {
		executions += r.Tests[i].Executions
	}
	parts := []string{prose.Plural(len(r.Tests), "test")}
	for _, s := range []TestStatus{TestFailed, TestUncontrolled, TestSkipped, TestInterrupted} {
		if n := r.Count(s); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, participles[s]))
		}
	}
	if n := r.Broken(); n > 0 {
		parts = append(parts, prose.Plural(n, "package")+" that cannot be tested")
	}
	sum := strings.Join(append(parts, evidence.Counted(executions, "execution"), took(r.Duration)), ", ")
	seed := "; the seed was " + HexSeed(r.Seed)
	switch {
	case r.Interrupted:
		return "interrupted: " + sum + seed
	case r.Trouble != "":
		return "the tool has failed: " + sum + seed
	case r.Failed() > 0 || r.Broken() > 0:
		return "FAIL: " + sum + seed
	case len(r.Tests) == 0:
		return "no test has run: " + sum
	}
	return "ok: " + sum
}

// problem describes in one line what is wrong with a test.
func (t *TestReport) problem() string {
	text := string(cmp.Or(t.Verdict, verdict.Uncontrolled))
	if t.Summary != "" {
		text += ": " + t.Summary
	}
	return text
}

// searched returns lines on the result of the search under control for a native failure.
func (t *TestReport) searched() (lines []string) {
	if t.Search == nil {
		return nil
	}
	lines = append(lines, t.Search.String())
	if t.Search.Recording != "" {
		lines = append(lines, fmt.Sprintf("under control in %s, %s", t.Search.Recording, t.Search.Extent()))
	}
	return lines
}

// details returns the report of a test, with the command that repeats it.
func (t *TestReport) details() (lines []string) {
	lines = append(lines, strings.Split(strings.Trim(t.Report, "\n"), "\n")...)
	lines = append(lines, t.Notes...)
	if t.Recording != "" {
		lines = append(lines, "recorded in "+t.Recording)
	}
	lines = append(lines, t.searched()...)
	if t.Reproduce != "" {
		lines = append(lines, "reproduce: "+t.Reproduce)
	}
	if page := t.line(); page != "" {
		lines = append(lines, page)
	}
	return lines
}
