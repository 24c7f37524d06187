package report

import (
	"bytes"
	_ "embed"
	"html/template"
	"strings"

	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/internal/page"
	"github.com/rouse-go/rouse/internal/plain"
)

//go:embed tests.html
var testsText string

var testsTemplate = template.Must(template.New("tests").Parse(testsText))

// HTMLOfTests writes a run as one self-contained page for people: why each failure happens, with the command that
// repeats it, and links to its page and its recording; then all tests.
func HTMLOfTests(s Suite, r SuiteReport, p Page) []byte {
	v := htmlTests{Headline: r.headline(), Style: template.CSS(style), Failed: r.Failed()+r.Broken() > 0, Meaning: evidence.Meaning, Packages: r.Packages} //nolint:gosec // it is this package's
	v.Facts = [][2]string{{"seed", HexSeed(r.Seed)}, {"asked for", s.bound()}, {"how", s.how()}, {"Go", s.Go}, {"took", took(r.Duration)}}
	for i := range r.Tests {
		t := &r.Tests[i]
		h := htmlTest{TestReport: t, Page: p.link(t.HTML), Figures: strings.Join(t.figures(), ", ")}
		if e := t.Evidence; e != nil && len(e.Found()) > 0 {
			h.Shown = e.String()
			v.Shown = true
		}
		if t.Status == TestFailed || t.Status == TestUncontrolled {
			h.fill(&p)
			v.Failures = append(v.Failures, h)
		}
		v.Tests = append(v.Tests, h)
	}
	var b bytes.Buffer
	if err := testsTemplate.Execute(&b, v); err != nil {
		panic(err) // the template uses only fields that exist
	}
	return []byte(plain.Hidden(b.String()))
}

type htmlTests struct {
	Headline string
	Style    template.CSS
	Facts    [][2]string
	Failed   bool
	Failures []htmlTest
	Packages []PackageReport
	Tests    []htmlTest
	Shown    bool // some passes have evidence
	Meaning  string
}

type htmlTest struct {
	*TestReport
	Problem, Page, Figures, Shown string
	Why                           [][2]string
	Files                         []htmlFile
	Lines, Report                 []string
}

// fill adds the data that is shown for a failure.
func (h *htmlTest) fill(p *Page) {
	t := h.TestReport
	h.Problem = t.problem()
	of := t.Page
	if t.Controlled != nil {
		of = t.Controlled
	}
	if of != nil {
		h.Why = page.Why(of)
	}
	h.Lines = append(append(h.Lines, t.Notes...), t.searched()...)
	if t.NoPage != "" {
		h.Lines = append(h.Lines, t.line())
	}
	h.Report = strings.Split(strings.Trim(t.Report, "\n"), "\n")
	files := []string{t.Recording}
	if t.Search != nil {
		files = append(files, t.Search.Recording)
	}
	for _, path := range files {
		if path != "" {
			h.Files = append(h.Files, htmlFile{path, p.link(path)})
		}
	}
}
