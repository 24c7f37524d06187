package report

import (
	"io"
	"strings"

	"github.com/rouse-go/rouse/internal/evidence"
)

// A DocumentOfTests is a TestObserver that writes a report in one piece when the run has ended.
type DocumentOfTests struct {
	Out    io.Writer
	Format func(Suite, SuiteReport) []byte

	suite Suite
	err   error
}

// Began keeps the description of the run.
func (d *DocumentOfTests) Began(s Suite) { d.suite = s }

// Progressed writes nothing.
func (d *DocumentOfTests) Progressed(Progress) {}

// PackageDone writes nothing.
func (d *DocumentOfTests) PackageDone(PackageReport) {}

// TestDone writes nothing.
func (d *DocumentOfTests) TestDone(TestReport) {}

// Ended writes the document.
func (d *DocumentOfTests) Ended(r SuiteReport) { _, d.err = d.Out.Write(d.Format(d.suite, r)) }

// Err returns the write error.
func (d *DocumentOfTests) Err() error { return d.err }

// SummaryOfTests is MarkdownOfTests for the summary of a step of GitHub Actions, which has no links.
func SummaryOfTests(s Suite, r SuiteReport) []byte { return MarkdownOfTests(s, r, Page{}) }

// MarkdownOfTests writes a run in Markdown: its result, and the tests that failed or are uncontrolled.
func MarkdownOfTests(_ Suite, r SuiteReport, p Page) []byte {
	var b markdown
	b.line("# stress test: %s", escaped(r.headline()))
	for i := range r.Tests {
		t := &r.Tests[i]
		if t.Status == TestFailed || t.Status == TestUncontrolled {
			b.line("\n## %s: %s\n\n%s", t.Status, escaped(t.Title()), escaped(t.problem()))
			b.page(t.HTML, &p)
			b.line("")
			b.fenced(strings.Join(t.details(), "\n"))
		}
	}
	meaning := "\n## What the passes show\n\n" + evidence.Meaning + "\n"
	for i := range r.Tests {
		if e := r.Tests[i].Evidence; e != nil && len(e.Found()) > 0 {
			b.line("%s\n- %s: %s", meaning, escaped(r.Tests[i].Title()), escaped(e.String()))
			meaning = ""
		}
	}
	for _, p := range r.Packages {
		if p.Problem != "" {
			b.line("\n## %s cannot be tested\n", escaped(p.Package))
			b.fenced(strings.TrimRight(p.Problem, "\n"))
		}
		if p.Ended {
			b.line("\n## %s\n\n%s\n", escaped(p.Package), escaped(strings.Join(p.Notes, ", ")))
			b.fenced(p.Output)
		}
	}
	return []byte(b.String())
}
