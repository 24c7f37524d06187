package report

import (
	"time"

	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/internal/orders"
)

// Cached says of a result that it is that of an earlier run.
type Cached struct {
	Seed uint64    // of that run
	Time time.Time // when it began
}

// A StoredTest is the result of a test in a file, as JSON. The JSON of evidence alone, in reports, lacks what stands
// beside it there.
type StoredTest struct {
	TestReport
	Evidence *storedEvidence
}

type storedEvidence struct {
	evidence.Evidence
	Executions int
	Orders     *orders.Summary
	Searched   bool
	Exhausted  string
	Racy       string
}

// Stored returns the result for a file.
func (t *TestReport) Stored() StoredTest {
	s := StoredTest{TestReport: *t}
	s.TestReport.Evidence = nil
	if e := t.Evidence; e != nil {
		s.Evidence = &storedEvidence{*e, e.Executions, e.Orders, e.Searched, e.Exhausted, e.Racy}
		s.Evidence.Evidence = evidence.Evidence{Bounds: e.Bounds, Timers: e.Timers, Early: e.Early, Far: e.Far, Uncounted: e.Uncounted, Forced: e.Forced, Uncontrolled: e.Uncontrolled}
	}
	return s
}

// Report returns the result.
func (s *StoredTest) Report() TestReport {
	t := s.TestReport
	if s.Evidence != nil {
		e := s.Evidence.Evidence
		e.Executions, e.Orders, e.Searched, e.Exhausted, e.Racy = s.Evidence.Executions, s.Evidence.Orders, s.Evidence.Searched, s.Evidence.Exhausted, s.Evidence.Racy
		t.Evidence = &e
	}
	return t
}

// Passed reports whether all of the test has passed, or it has skipped itself.
func (t *TestReport) Passed() bool {
	return (t.Status == TestPassed || t.Status == TestSkipped) && !t.Broken && !t.Endless
}
