package command

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"path/filepath"
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
	dir    string
	taken  map[string]bool // files, by resolved names in lower case
	undo   func()          // removes the folder if it was made, and is empty
	err    error           // the first error of writing a page
	native bool            // the run of tests is native
	// failure returns the failure of a scenario.
	failure func(*report.ScenarioReport) (*page.Failure, error)
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

// Observe writes the page of a failure, and keeps its location in the report of the test or the scenario.
func (p *pages) Observe(e report.Event) {
	switch e := e.(type) {
	case *report.Suite:
		p.native = e.Native
	case *report.TestReport:
		if e.Status == report.TestFailed {
			e.PageFile = p.ofTest(e)
		}
	case *report.ScenarioReport:
		if e.Failed() && e.ToReplay() != "" {
			e.PageFile = p.ofScenario(e)
		}
	}
}

// ofTest writes the page of a test. For a native failure, the page shows the failure that the search has found.
func (p *pages) ofTest(t *report.TestReport) report.PageFile {
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

// ofScenario writes the page of a scenario.
func (p *pages) ofScenario(s *report.ScenarioReport) report.PageFile {
	failure, err := p.failure(s)
	if err != nil {
		return report.PageFile{NoPage: err.Error()}
	}
	f, err := p.write(nameOf(s), failure)
	if err != nil {
		f.NoPage = err.Error()
	}
	return f
}

// nameOf returns the name of a scenario with its variant.
func nameOf(s *report.ScenarioReport) string {
	if s.Variant == "" {
		return s.Name
	}
	return s.Name + "-" + s.Variant
}

// campaignObservers returns the observers of a campaign.
func (m *program) campaignObservers(ctx context.Context, o *outputs) report.Observers {
	if o.pages != nil {
		o.pages.failure = func(s *report.ScenarioReport) (*page.Failure, error) { return m.pageOf(ctx, s) }
	}
	return o.observers()
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
