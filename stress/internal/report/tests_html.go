package report

import (
	_ "embed"
	"html/template"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/internal/page"
)

//go:embed tests.html
var testsText string

var testsTemplate = template.Must(template.New("tests").Parse(testsText))

// html returns why each failure happens, with the command that repeats it, and links to its page and its recording;
// then all tests.
func (r *SuiteReport) html(p Page) []byte {
	s := &r.Suite
	facts := [][2]string{{"seed", HexSeed(s.Seed)}, {"asked for", s.bound()}, {"how", s.how()}, {"Go", s.Go}, {"took", took(r.Duration)}}
	v := htmlTests{htmlHead: newHTMLHead(r, style, facts, r.Failed()+r.Broken() > 0), Packages: r.Packages}
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
	return executed(testsTemplate, v)
}

type htmlTests struct {
	htmlHead
	Failures []htmlTest
	Packages []PackageReport
	Tests    []htmlTest
	Shown    bool // some passes have evidence
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
	h.Files = p.files(slices.DeleteFunc(files, func(f string) bool { return f == "" }))
}
