package report

import (
	"cmp"
	"strings"
)

// JUnitOfTests writes a run of tests as JUnit XML: a test suite for each package, a test case for each
// test. An interrupted test is skipped, and so is an uncontrolled one, unless that fails the run. A package that
// could not be tested is an error.
func JUnitOfTests(s Suite, r SuiteReport) []byte {
	all := newJUnitPackages("stress test", r.Duration, junitProperty{"seed", HexSeed(s.Seed)}, junitProperty{"go", s.Go}, junitProperty{"build", s.Build.String()})
	for i := range r.Tests {
		t := &r.Tests[i]
		all.add(t.Package, junitTest(t, r.fails(t)), t.Duration)
	}
	for _, p := range r.endedBadly() {
		c, what := junitCase{Name: "TestMain", Class: p.Package, Time: junitTime(0)}, &junitOutcome{Message: strings.Join(p.Notes, ", "), Text: p.Output}
		if c.Skipped = what; r.UncontrolledFails {
			c.Skipped, c.Failure = nil, what
		}
		all.add(p.Package, c, 0)
	}
	return all.text(r.Packages, r.Trouble)
}

func junitTest(t *TestReport, fails bool) junitCase {
	c := junitCase{Name: t.Test, Class: t.Package, Time: junitTime(t.Duration)}
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
