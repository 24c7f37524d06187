package report

import (
	"time"

	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/internal/orders"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/prose"
)

// A Suite describes a run of a module's own tests, each under many schedules, that is about to begin.
type Suite struct {
	Seed       uint64
	Packages   int           // packages with tests or without
	For        time.Duration // 0 if Executions bounds the tests
	Executions int           // of each test; 0 if For bounds them
	AtMost     bool          // a test that brings nothing new, or whose time is up, has fewer
	Strategy   string
	Clock      string
	Race       bool   // the tests are built with the race detector
	Native     bool   // goroutines run in parallel
	Go         string // the Go version of the tests, in the form of runtime.Version
	Build      outcome.Build
	// Since, if not "", is the commit that selects packages: Unchanged ones are left out.
	Since     string
	Unchanged int
}

// unchanged describes the packages that were left out; "" if none was.
func (s *Suite) unchanged() string {
	if s.Unchanged == 0 {
		return ""
	}
	return prose.Plural(s.Unchanged, "package") + " unchanged since " + s.Since
}

// noneChanged reports whether nothing was to be tested.
func (s *Suite) noneChanged() bool { return s.Since != "" && s.Packages == 0 }

// A TestStatus is the result of a test in one word.
type TestStatus string

// The results of a test.
const (
	TestPassed       TestStatus = "ok"
	TestFailed       TestStatus = "FAIL"
	TestSkipped      TestStatus = "skip"         // the test has called Skip
	TestUncontrolled TestStatus = "uncontrolled" // its executions are not reproducible: neither a pass nor a failure
	TestInterrupted  TestStatus = "interrupted"  // the run was stopped before anything was decided
)

// A TestReport is the result of one test.
type TestReport struct {
	Package string // import path
	Test    string
	Status  TestStatus
	Verdict verdict.Verdict // "" if skipped or interrupted

	Executions int
	// TimeUp: by default it would have had more executions, but its time was up.
	TimeUp bool
	// Orders counts partial orders; nil if they are not known, for example with --native.
	Orders    *orders.Summary
	Steps     int
	Traces    uint64             // a hash of all traces, independent of their order
	Exhausted string             // the result of a strategy that had nothing left to explore
	Evidence  *evidence.Evidence // the evidence of a test that passed under control; nil for others
	Duration  time.Duration

	// Set for a test that failed or is uncontrolled. A skipped test has only the summary.
	Execution int // its number; -1 if it is the repetition of an earlier recording
	Seed      uint64
	Strategy  string
	Summary   string // one line
	Site      string
	Report    string // for people, several lines
	// Page is the report as data, for output with a given width; nil if there is only the text.
	Page *explain.Page
	// Timelines holds the executions as data. It is nil if they were not requested, and in a SuiteReport, as they are
	// large.
	Timelines *explain.Timelines
	Recording string // path; "" if there is none
	Reproduce string // the command that repeats it; "" if there is none
	// Search is the search under control for a native failure; nil if there was none. Controlled is the report of the
	// failure that it has found. Timelines then belongs to that failure.
	Search     *outcome.Search
	Controlled *explain.Page
	PageFile
	// File and Line are where the test is declared; "" and 0 if that is not known.
	File string
	Line int

	// Broken means that it could not be explored because of the test or its package. A run with such a test fails.
	Broken bool
	// Endless means that it is uncontrolled because an execution made no progress, or too many steps, or the first ones
	// took too long.
	Endless bool

	Notes []string // what was not explored, not controlled, or left behind

	// Cached is not nil for a result of an earlier run, of which all figures are.
	Cached *Cached
}

// Title returns the package and the test.
func (t *TestReport) Title() string { return t.Package + " " + t.Test }

// A PackageReport reports on a package none of whose tests is run, or that has notes.
type PackageReport struct {
	Package string
	// Problem is why it could not be tested: what the compiler says, for one. If it is "", the package
	// is without tests, and Without is "no test files" or "no tests to run", or there are Notes.
	Problem string
	Without string
	// Unrun means that the problem is that TestMain does not run the tests, which fails the run like a failing test.
	Unrun bool
	Notes []string // parts of the package besides tests that are not run, and how TestMain ended
	// Ended means that TestMain failed after tests that passed; a note has the exit code. Output is the end of the
	// process's output.
	Ended  bool
	Output string
}

// broken reports whether the package could not be tested.
func (p *PackageReport) broken() bool { return p.Problem != "" }

// A SuiteReport is the result of a run.
type SuiteReport struct {
	Suite    Suite
	Tests    []TestReport // in the order of packages and files
	Packages []PackageReport
	Duration time.Duration
	// Interrupted means that the run was stopped early. Tests holds the results until then.
	Interrupted bool
	// Trouble is why the tool itself failed; "" if it did not.
	Trouble string
	// UncontrolledFails means that an uncontrolled test, or a TestMain that failed after the tests, fails the run.
	UncontrolledFails bool
}

// endedBadly returns the packages whose TestMain failed after the tests. They fail the run if UncontrolledFails.
func (r *SuiteReport) endedBadly() (all []PackageReport) {
	for _, p := range r.Packages {
		if p.Ended {
			all = append(all, p)
		}
	}
	return all
}

// Failed counts the tests, and the ends of TestMain, that fail the run.
func (r *SuiteReport) Failed() int {
	n := count(r.Tests, r.fails)
	if r.UncontrolledFails {
		n += len(r.endedBadly())
	}
	return n
}

// fails reports whether the test fails the run.
func (r *SuiteReport) fails(t *TestReport) bool {
	return t.Status == TestFailed || t.Broken || r.UncontrolledFails && t.Status == TestUncontrolled
}

// Count counts the tests with that status.
func (r *SuiteReport) Count(s TestStatus) int {
	return count(r.Tests, func(t *TestReport) bool { return t.Status == s })
}

// Cached counts the tests with the result of an earlier run.
func (r *SuiteReport) Cached() int {
	return count(r.Tests, func(t *TestReport) bool { return t.Cached != nil })
}

// Broken counts the packages that could not be tested.
func (r *SuiteReport) Broken() int { return count(r.Packages, (*PackageReport).broken) }

// Unrun counts the packages that could not be tested because TestMain does not run the tests.
func (r *SuiteReport) Unrun() int {
	return count(r.Packages, func(p *PackageReport) bool { return p.Unrun })
}
