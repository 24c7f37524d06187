package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/stress/internal/prose"
)

func (s *Suite) print(c *Console) {
	if s.noneChanged() {
		return // the last line says all
	}
	c.line(below, "seed %#x: %s, %s, %s, %s", s.Seed, prose.Plural(s.Packages, "package"), s.bound(), s.how(), s.Go)
	if text := s.unchanged(); text != "" {
		c.line(below, "%s", text)
	}
}

func (*Suite) failures(n int) string {
	if n == 0 {
		return "none failed"
	}
	return prose.Plural(n, "test") + " failed"
}

// bound describes how long the tests run.
func (s *Suite) bound() string {
	if s.Executions > 0 {
		text := evidence.Counted(s.Executions, "execution") + " of each test"
		if s.AtMost {
			text = "at most " + text
		}
		return text
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

// print prints the line of a test, and its report, notes and files.
func (t *TestReport) print(c *Console) {
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
	text := evidence.Counted(t.Executions, "execution")
	if t.TimeUp {
		text += " until its time was up"
	}
	all = append(all, text)
	if t.Orders != nil {
		all = append(all, t.distinct())
	}
	if t.Steps > 0 {
		all = append(all, evidence.Counted(t.Steps, "step"))
	}
	if t.Exhausted != "" {
		all = append(all, t.Exhausted)
	}
	if t.Cached != nil { // as go test says it
		return append(all, took(t.Duration), "seed "+HexSeed(t.Cached.Seed)+" (cached)")
	}
	return append(all, took(t.Duration))
}

// print prints which tests would have new orders in further executions.
func (r *SuiteReport) print(c *Console) {
	if text := r.furtherOrders(); text != "" {
		c.line(below, "%s", text)
	}
}

// participles holds the statuses as words for a sum.
var participles = map[TestStatus]string{
	TestFailed: "failed", TestUncontrolled: "uncontrolled", TestSkipped: "skipped", TestInterrupted: "interrupted",
}

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
	if n := r.Cached(); n > 0 {
		parts = append(parts, fmt.Sprintf("%d cached", n))
	}
	if n := r.Broken(); n > 0 {
		parts = append(parts, prose.Plural(n, "package")+" that cannot be tested")
	}
	if text := r.Suite.unchanged(); text != "" {
		parts = append(parts, text)
	}
	sum := strings.Join(append(parts, evidence.Counted(executions, "execution"), took(r.Duration)), ", ")
	seed := "; the seed was " + HexSeed(r.Suite.Seed)
	switch {
	case r.Interrupted:
		return "interrupted: " + sum + seed
	case r.Trouble != "":
		return "the tool has failed: " + sum + seed
	case r.Failed() > 0 || r.Broken() > 0:
		return "FAIL: " + sum + seed
	case r.Suite.noneChanged():
		return "ok: nothing to test, " + r.Suite.unchanged()
	case len(r.Tests) == 0:
		return "no test has run: " + sum
	}
	return "ok: " + sum
}
