package report

import (
	"strings"
	"time"
)

// JUnitOfTests writes a run of tests as JUnit XML: a test suite for each package, a test case for each
// test. A test that is uncontrolled or was interrupted is skipped; a package that could not be tested is
// an error.
func JUnitOfTests(s Suite, r SuiteReport) []byte {
	all := junitSuites{Name: "stress test", Time: junitTime(r.Duration)}
	at := map[string]int{}
	of := func(name string) *junitSuite {
		i, ok := at[name]
		if !ok {
			i = len(all.Suites)
			at[name] = i
			all.Suites = append(all.Suites, junitSuite{Name: name, Properties: []junitProperty{{"seed", HexSeed(s.Seed)}, {"go", s.Go}, {"build", s.Build.String()}}})
		}
		return &all.Suites[i]
	}
	took := map[string]time.Duration{}
	for i := range r.Tests {
		t := &r.Tests[i]
		of(t.Package).add(junitTest(t))
		took[t.Package] += t.Duration
	}
	for _, p := range r.Packages {
		if p.Problem != "" {
			of(p.Package).add(junitCase{Name: "build", Class: p.Package, Time: junitTime(0), Error: &junitOutcome{"the package cannot be tested", "build", p.Problem}})
		}
	}
	if r.Trouble != "" {
		of("stress").add(junitCase{Name: "stress test", Class: "stress", Time: all.Time, Error: &junitOutcome{Message: r.Trouble, Type: "tool"}})
	}
	for i := range all.Suites {
		suite := &all.Suites[i]
		suite.Time = junitTime(took[suite.Name])
	}
	return all.text()
}

func junitTest(t *TestReport) junitCase {
	c := junitCase{Name: t.Test, Class: t.Package, Time: junitTime(t.Duration)}
	switch t.Status {
	case TestFailed:
		c.Failure = &junitOutcome{t.problem(), string(t.Verdict), strings.Join(t.details(), "\n")}
	case TestSkipped:
		c.Skipped = &junitOutcome{Message: "the test skips itself"}
	case TestUncontrolled:
		c.Skipped = &junitOutcome{Message: t.problem(), Text: strings.Join(t.details(), "\n")}
	case TestInterrupted:
		c.Skipped = &junitOutcome{Message: "the run was interrupted"}
	}
	return c
}
