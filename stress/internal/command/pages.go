package command

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/atomicfile"
	"github.com/rouse-go/rouse/internal/page"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/run"
)

// pages is a folder with a page for each failure. Each page is complete as soon as it exists.
type pages struct {
	dir   string
	taken map[string]bool // files, by resolved names in lower case
	undo  func()          // removes the folder if it was made, and is empty
	err   error           // the first error of writing a page
}

// newPages makes the folder, if it is missing. others are files that must not be replaced.
func newPages(dir string, others []namedFile) (*pages, error) {
	if err := report.CheckOut(dir); err != nil {
		return nil, err
	}
	undo, err := atomicfile.MkdirAll(dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", dir, report.ErrUnwritable, err)
	}
	p := &pages{dir: dir, taken: map[string]bool{}, undo: undo}
	for _, f := range others {
		p.taken[fold(f.path)] = true
	}
	return p, nil
}

// fold returns the name of a file for comparisons that ignore case.
func fold(path string) string { return strings.ToLower(resolved(path)) }

// write writes the page of a failure, under a name made from the name of the test or the scenario.
func (p *pages) write(name string, f *page.Failure) (report.PageFile, error) {
	stem := filepath.Join(p.dir, pageName(name))
	file := stem + ".html"
	for n := 2; p.taken[fold(file)]; n++ {
		file = fmt.Sprintf("%s-%d.html", stem, n)
	}
	p.taken[fold(file)] = true
	if err := writePage(file, f); err != nil {
		if p.err == nil {
			p.err = err
		}
		return report.PageFile{}, err
	}
	return report.PageFile{HTML: file}, nil
}

// pageNameLength is the maximum length of a page's name without its ending, in bytes. File systems allow 255.
const pageNameLength = 150

// pageName returns a file name, without its ending, for any text. It is the same each time, and never leads to
// another folder.
func pageName(text string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-", r) {
			return r
		}
		return '-'
	}, text)
	if name = strings.TrimLeft(name, ".-"); name == "" || len(name) > pageNameLength {
		h := fnv.New32a()
		h.Write([]byte(text)) //nolint:errcheck // it never fails
		cut := min(len(name), pageNameLength)
		name = fmt.Sprintf("%s-%08x", strings.ToValidUTF8(name[:cut], ""), h.Sum32())
	}
	return name
}

// pagesOfTests writes the pages of the tests that have failed, before others are notified of them.
type pagesOfTests struct {
	*pages
	native bool
	next   []report.TestObserver
	files  map[string]report.PageFile // by titles
}

func (p *pagesOfTests) Began(s report.Suite) {
	for _, ob := range p.next {
		ob.Began(s)
	}
}

func (p *pagesOfTests) Progressed(progress report.Progress) {
	for _, ob := range p.next {
		ob.Progressed(progress)
	}
}

func (p *pagesOfTests) PackageDone(r report.PackageReport) {
	for _, ob := range p.next {
		ob.PackageDone(r)
	}
}

func (p *pagesOfTests) TestDone(t report.TestReport) {
	if t.Status == report.TestFailed {
		t.PageFile = p.pageOf(&t)
		p.files[t.Title()] = t.PageFile
	}
	for _, ob := range p.next {
		ob.TestDone(t)
	}
}

func (p *pagesOfTests) Ended(r report.SuiteReport) {
	r.Tests = slices.Clone(r.Tests)
	for i := range r.Tests {
		r.Tests[i].PageFile = p.files[r.Tests[i].Title()]
	}
	for _, ob := range p.next {
		ob.Ended(r)
	}
}

// pageOf writes the page of a test. For a native failure, the page shows the failure that the search has found.
func (p *pagesOfTests) pageOf(t *report.TestReport) report.PageFile {
	of := t.Page
	switch {
	case t.Controlled != nil:
		of = t.Controlled
	case p.native:
		return report.PageFile{NoPage: errNative.Error()}
	case of == nil: // its process has died
		of = &explain.Page{Detail: t.Report}
	}
	f, err := p.write(t.Title(), &page.Failure{
		Title: t.Title(), Verdict: t.Verdict, Summary: t.Summary, Command: t.Reproduce, Page: of, Timelines: t.Timelines,
	})
	if err != nil {
		return report.PageFile{NoPage: err.Error()}
	}
	return f
}

// errNative is why a native failure has no page.
var errNative = errors.New("the failure is native, and a page shows controlled executions only")

// pagesOfCampaign writes the pages of the scenarios that have failed, before others are notified of them.
type pagesOfCampaign struct {
	*pages
	next    []report.Observer
	failure func(*report.ScenarioReport) (*page.Failure, error)
	files   map[string]report.PageFile // by names
}

func (p *pagesOfCampaign) Began(c report.Campaign) {
	for _, ob := range p.next {
		ob.Began(c)
	}
}

func (p *pagesOfCampaign) Progressed(progress report.Progress) {
	for _, ob := range p.next {
		ob.Progressed(progress)
	}
}

func (p *pagesOfCampaign) ScenarioDone(s report.ScenarioReport) {
	if s.Failed() && s.ToReplay() != "" {
		f, err := p.failure(&s)
		if err == nil {
			s.PageFile, err = p.write(nameOf(&s), f)
		}
		if err != nil {
			s.NoPage = err.Error()
		}
		p.files[nameOf(&s)] = s.PageFile
	}
	for _, ob := range p.next {
		ob.ScenarioDone(s)
	}
}

func (p *pagesOfCampaign) Ended(r report.Report) {
	r.Scenarios = slices.Clone(r.Scenarios)
	for i := range r.Scenarios {
		if f, known := p.files[nameOf(&r.Scenarios[i])]; known {
			r.Scenarios[i].PageFile = f
		}
	}
	for _, ob := range p.next {
		ob.Ended(r)
	}
}

// nameOf returns the name of a scenario with its variant.
func nameOf(s *report.ScenarioReport) string {
	if s.Variant == "" {
		return s.Name
	}
	return s.Name + "-" + s.Variant
}

// campaignObservers returns the observers of a campaign.
func (m *program) campaignObservers(ctx context.Context, o *outputs) []report.Observer {
	all := observersOf[report.Observer](o)
	if o.pages == nil {
		return all
	}
	return []report.Observer{&pagesOfCampaign{pages: o.pages, next: all, files: map[string]report.PageFile{}, failure: func(s *report.ScenarioReport) (*page.Failure, error) {
		return m.pageOf(ctx, s)
	}}}
}

// testObservers returns the observers of a run of tests, native or not.
func testObservers(o *outputs, native bool) []report.TestObserver {
	all := observersOf[report.TestObserver](o)
	if o.pages == nil {
		return all
	}
	return []report.TestObserver{&pagesOfTests{pages: o.pages, native: native, next: all, files: map[string]report.PageFile{}}}
}

// pageOf repeats the recording of a scenario that has failed.
func (m *program) pageOf(ctx context.Context, s *report.ScenarioReport) (*page.Failure, error) {
	rec, err := run.ReadRecording(s.ToReplay(), m.subjects...)
	switch {
	case err != nil:
		return nil, err
	case rec.Scenario == nil || rec.Kind != recording.Controlled:
		return nil, errNative
	}
	x, err := rec.ExplainPage(ctx)
	switch {
	case err != nil:
		return nil, err
	case x.Result.Verdict == verdict.Pass:
		return nil, fmt.Errorf("%s passes when it is repeated", rec.File)
	}
	return pageOfScenario(rec, x), nil
}
