package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/chaos/verdict"
)

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

// junit returns a document with a suite for each package. An interrupted test is skipped, and so is an uncontrolled
// one, unless that fails the run.
func (r *SuiteReport) junit(Page) *junitSuites {
	s := &r.Suite
	all := newJUnit("stress test", r.Duration, junitProperty{"seed", HexSeed(s.Seed)}, junitProperty{"go", s.Go}, junitProperty{"build", s.Build.String()})
	for i := range r.Tests {
		t := &r.Tests[i]
		took := t.Duration
		if t.Cached != nil { // the job did not wait for it
			took = 0
		}
		all.add(t.Package, junitTest(t, r.fails(t)), took)
	}
	for _, p := range r.endedBadly() {
		c, what := junitCase{Name: "TestMain", Class: p.Package}, &junitOutcome{Message: strings.Join(p.Notes, ", "), Text: p.Output}
		if c.Skipped = what; r.UncontrolledFails {
			c.Skipped, c.Failure = nil, what
		}
		all.add(p.Package, c, 0)
	}
	all.addPackages(r.Packages)
	all.addTrouble("stress test", r.Trouble)
	return all
}

func junitTest(t *TestReport, fails bool) junitCase {
	c := junitCase{Name: t.Test, Class: t.Package}
	if t.Cached != nil {
		c.Output = strings.Join(t.figures(), ", ")
	}
	if fails {
		c.Failure = &junitOutcome{t.problem(), string(t.Verdict), strings.Join(t.details(), "\n")}
		return c
	}
	switch t.Status {
	case TestSkipped:
		c.Skipped = &junitOutcome{Message: cmp.Or(t.Summary, "the test skips itself")}
	case TestUncontrolled:
		c.Skipped = &junitOutcome{Message: t.problem(), Text: strings.Join(t.details(), "\n")}
	case TestInterrupted:
		c.Skipped = &junitOutcome{Message: "the run was interrupted"}
	}
	return c
}

// annotations returns one for each test that failed, at its declaration, and for each package that could not be tested.
func (r *SuiteReport) annotations(Page) annotations {
	a := annotations{level: "error", rest: "more", hint: "failed too: see the log or the reports"}
	for i := range r.Tests {
		if t := &r.Tests[i]; r.fails(t) {
			text := append([]string{t.problem()}, t.details()...)
			a.all = append(a.all, annotation{file: t.File, line: t.Line, title: t.Title(), text: strings.Join(text, "\n")})
		}
	}
	for _, p := range r.endedBadly() {
		if r.UncontrolledFails {
			a.all = append(a.all, annotation{title: p.Package, text: strings.TrimSpace(strings.Join(append(p.Notes, p.Output), "\n"))})
		}
	}
	for _, p := range r.Packages {
		if p.Problem != "" {
			a.all = append(a.all, annotation{title: p.Package + " cannot be tested", text: p.Problem})
		}
	}
	return a
}
