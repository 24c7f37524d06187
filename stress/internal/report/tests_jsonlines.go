package report

import (
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/internal/orders"
	"github.com/rouse-go/rouse/stress/internal/outcome"
)

// A suiteLine is the line "suite".
type suiteLine struct {
	Line
	Seed       string  `json:"seed"`
	Packages   int     `json:"packages"`
	ForSeconds float64 `json:"for_seconds,omitempty"`
	Executions int     `json:"executions,omitempty"`
	AtMost     bool    `json:"at_most,omitempty"`
	Strategy   string  `json:"strategy"`
	Clock      string  `json:"clock"`
	Native     bool    `json:"native,omitempty"`
	Version    string  `json:"version"`
	Go         string  `json:"go"`
	OS         string  `json:"os"`
	Arch       string  `json:"arch"`
	Race       bool    `json:"race"`
	Time       string  `json:"time"`
	Since      string  `json:"since,omitempty"`
	Unchanged  int     `json:"unchanged,omitempty"` // packages that were left out
}

// A testLine is the line "test".
type testLine struct {
	Line
	Package    string             `json:"package"`
	Test       string             `json:"test"`
	Status     TestStatus         `json:"status"`
	Verdict    verdict.Verdict    `json:"verdict,omitempty"`
	Summary    string             `json:"summary,omitempty"`
	Executions int                `json:"executions"`
	TimeUp     bool               `json:"time_up,omitempty"`
	Orders     *orders.Summary    `json:"orders,omitempty"`
	Evidence   *evidence.Evidence `json:"evidence,omitempty"`
	Steps      int                `json:"steps,omitempty"`
	Traces     string             `json:"traces,omitempty"`
	Exhausted  string             `json:"exhausted,omitempty"`
	Seconds    float64            `json:"seconds"`
	Recording  string             `json:"recording,omitempty"`
	Page       string             `json:"page,omitempty"`   // file of HTML
	Search     *outcome.Search    `json:"search,omitempty"` // under control, for a native failure
	Notes      []string           `json:"notes,omitempty"`
	Cached     *cachedLine        `json:"cached,omitempty"` // the result is that of an earlier run
}

// A cachedLine describes the run that a result is of.
type cachedLine struct {
	Seed string `json:"seed"`
	Time string `json:"time"`
}

// A testFailureLine is the line "failure", which comes before the line "test".
type testFailureLine struct {
	Line
	Package   string          `json:"package"`
	Test      string          `json:"test"`
	Execution int             `json:"execution"` // -1 if an earlier recording was repeated
	Seed      string          `json:"seed"`
	Strategy  string          `json:"strategy,omitempty"`
	Verdict   verdict.Verdict `json:"verdict"`
	Summary   string          `json:"summary"`
	Site      string          `json:"site,omitempty"`
	Report    string          `json:"report"`
	Recording string          `json:"recording,omitempty"`
	Reproduce string          `json:"reproduce,omitempty"`
	Page      string          `json:"page,omitempty"`
}

// A suiteEndLine is the line "end". A report without it is incomplete.
type suiteEndLine struct {
	Line
	Seed         string  `json:"seed"`
	Passed       bool    `json:"passed"` // something was tested or has not changed, nothing failed, and nothing was interrupted
	Interrupted  bool    `json:"interrupted"`
	Tests        int     `json:"tests"`
	Failed       int     `json:"failed"`
	Uncontrolled int     `json:"uncontrolled"`
	Skipped      int     `json:"skipped"`
	Cached       int     `json:"cached,omitempty"`
	Broken       int     `json:"broken"` // packages
	Seconds      float64 `json:"seconds"`
}

func (s *Suite) lines() []any {
	return []any{suiteLine{kind("suite"), HexSeed(s.Seed), s.Packages, s.For.Seconds(), s.Executions, s.AtMost, s.Strategy, s.Clock, s.Native,
		s.Build.Version, s.Go, s.Build.OS, s.Build.Arch, s.Race, now(), s.Since, s.Unchanged}}
}

// lines returns the line "test", and before it the line "failure" if the test failed.
func (t *TestReport) lines() (all []any) {
	if t.Status == TestFailed {
		all = append(all, testFailureLine{kind("failure"), t.Package, t.Test, t.Execution, HexSeed(t.Seed), t.Strategy, t.Verdict, t.Summary, t.Site,
			t.Report, t.Recording, t.Reproduce, t.HTML})
	}
	var cached *cachedLine
	if c := t.Cached; c != nil {
		cached = &cachedLine{HexSeed(c.Seed), c.Time.UTC().Format(time.RFC3339)}
	}
	return append(all, testLine{kind("test"), t.Package, t.Test, t.Status, t.Verdict, t.Summary, t.Executions, t.TimeUp, t.Orders, t.Evidence, t.Steps, HexSeed(t.Traces), t.Exhausted,
		t.Duration.Seconds(), t.Recording, t.HTML, t.Search, t.Notes, cached})
}

func (r *SuiteReport) lines() []any {
	return []any{suiteEndLine{kind("end"), HexSeed(r.Suite.Seed), (len(r.Tests) > 0 || r.Suite.Since != "") && r.Failed()+r.Broken() == 0 && !r.Interrupted && r.Trouble == "", r.Interrupted,
		len(r.Tests), r.Count(TestFailed), r.Count(TestUncontrolled), r.Count(TestSkipped), r.Cached(), r.Broken(), r.Duration.Seconds()}}
}
