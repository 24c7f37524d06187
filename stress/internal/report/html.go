package report

import (
	"bytes"
	_ "embed"
	"html/template"
	"time"

	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/internal/plain"
	"github.com/rouse-go/rouse/stress/internal/chart"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/scenario"
)

//go:embed report.html
var pageText string

// style is the style of all reports; reports with charts add another.
//
//go:embed report.css
var style string

var pageTemplate = template.Must(template.New("report").Parse(pageText))

// HTML writes a campaign for people as one self-contained page: tables, charts (SVG), and
// details of the failures.
func HTML(c Campaign, r Report, p Page) []byte {
	f := newFigures(c, r)
	page := htmlPage{Headline: r.headline(), Style: template.CSS(style + chart.Style), Facts: f.facts(), Failed: len(f.failures) > 0, Faults: f.faults, Meaning: evidence.Meaning, Shown: shown(&r)} //nolint:gosec // they are this module's
	for _, d := range f.charts() {
		page.Charts = append(page.Charts, htmlChart{d.Title, d.About, template.HTML(d.SVG)}) //nolint:gosec // chart escapes what it is given
	}
	page.Merged = f.Merged > 0
	for _, s := range f.failures {
		failure := htmlFailure{Title: scenario.Title(s.Name, s.Variant), Problem: s.problem(), Details: s.details(p.Command)}
		for _, path := range s.files() {
			failure.Files = append(failure.Files, htmlFile{path, p.link(path)})
		}
		failure.Page = p.link(s.HTML)
		page.Failures = append(page.Failures, failure)
	}
	for i := range r.Scenarios {
		page.Scenarios = append(page.Scenarios, newHTMLScenario(&r.Scenarios[i]))
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, page); err != nil {
		panic(err) // the template uses only fields that exist
	}
	return []byte(plain.Hidden(b.String()))
}

type htmlPage struct {
	Headline  string
	Style     template.CSS
	Facts     [][2]string
	Failed    bool
	Merged    bool
	Failures  []htmlFailure
	Charts    []htmlChart
	Scenarios []htmlScenario
	Meaning   string
	Shown     [][2]string // what the passes prove
	Faults    []outcome.FaultCount
}

type htmlFailure struct {
	Title, Problem string
	Page           string // its URL; "" if there is none
	Files          []htmlFile
	Details        []string
}

type htmlChart struct {
	Title, About string
	SVG          template.HTML
}

type htmlFile struct{ Path, Link string }

type htmlScenario struct {
	Title, Mode, Word, Verdict, Expected, Detail string
	Executions, Rate, Median, Most, Longest      string
	NewOrders                                    string
	Took                                         time.Duration
	Faults                                       []outcome.FaultCount
}

func newHTMLScenario(s *ScenarioReport) htmlScenario {
	h := htmlScenario{Title: scenario.Title(s.Name, s.Variant), Mode: s.Mode.String(), Expected: scenario.Alternatives(s.Expect, s.May), Detail: s.Detail,
		Executions: evidence.Thousands(uint64(s.Executions)), Rate: short(s.rate()), Took: s.Duration.Round(10 * time.Millisecond), Faults: s.Faults, NewOrders: s.newOrders()}
	h.Word, h.Verdict = s.status()
	if s.Took.Count() > 0 {
		h.Median, h.Most, h.Longest = round(s.Took.Quantile(0.5)).String(), round(s.Took.Quantile(0.99)).String(), round(s.Took.Quantile(1)).String()
	}
	return h
}
