package report

import (
	"fmt"
	"io"
	"strings"
)

// AnnotationsOfTests is a TestObserver that annotates failures in GitHub Actions when the run has ended, as
// Annotations does: each at the declaration of its test.
type AnnotationsOfTests struct{ annotations Annotations }

// NewAnnotationsOfTests returns an AnnotationsOfTests that writes to out.
func NewAnnotationsOfTests(out io.Writer) *AnnotationsOfTests {
	return &AnnotationsOfTests{Annotations{Out: out}}
}

// Err returns the first write error.
func (a *AnnotationsOfTests) Err() error { return a.annotations.err }

// Began does nothing, as do Progressed, PackageDone and TestDone.
func (a *AnnotationsOfTests) Began(Suite) {}

// Progressed does nothing.
func (a *AnnotationsOfTests) Progressed(Progress) {}

// PackageDone does nothing.
func (a *AnnotationsOfTests) PackageDone(PackageReport) {}

// TestDone does nothing.
func (a *AnnotationsOfTests) TestDone(TestReport) {}

// Ended writes an annotation for each test that failed and each package that could not be tested. If
// there are too many, the last counts the others.
func (a *AnnotationsOfTests) Ended(r SuiteReport) {
	type problem struct{ where, title, text string }
	var all []problem
	for i := range r.Tests {
		if t := &r.Tests[i]; r.fails(t) {
			where := ""
			if t.File != "" {
				where = fmt.Sprintf("file=%s,line=%d,", property(t.File), t.Line)
			}
			all = append(all, problem{where, t.Title(), strings.Join(append([]string{t.problem()}, t.details()...), "\n")})
		}
	}
	for _, p := range r.endedBadly() {
		if r.UncontrolledFails {
			all = append(all, problem{"", p.Package, strings.TrimSpace(strings.Join(append(p.Notes, p.Output), "\n"))})
		}
	}
	for _, p := range r.Packages {
		if p.Problem != "" {
			all = append(all, problem{"", p.Package + " cannot be tested", p.Problem})
		}
	}
	for i, p := range all {
		if i == mostAnnotations-1 && len(all) > mostAnnotations {
			a.annotations.write("::error title=%s::%s\n", property(fmt.Sprintf("%d more", len(all)-i)), data("failed too: see the log or the reports"))
			return
		}
		a.annotations.write("::error %stitle=%s::%s\n", p.where, property(p.title), data(p.text))
	}
}
